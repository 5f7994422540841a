"use strict";
(() => {
  const root = document.documentElement;

  // Light or dark: the system's choice until the button is pressed, and then only for this open page.
  const system = matchMedia("(prefers-color-scheme: dark)");
  const button = document.getElementById("theme");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);

  const charts = [...document.querySelectorAll("figure.chart")].map((figure) => ({
    place: figure.querySelector(".plot"),
    held: JSON.parse(figure.querySelector("script").textContent),
  }));

  // Figures name colours by the variables of the style sheet; plotly wants the colours themselves.
  const coloured = (node, key, styles) => {
    if (Array.isArray(node)) return node.map((item) => coloured(item, key, styles));
    if (node && typeof node === "object") {
      return Object.fromEntries(
        Object.entries(node).map(([name, value]) => [name, coloured(value, name, styles)]),
      );
    }
    if (typeof node === "string" && /color$/i.test(key) && node.startsWith("var(")) {
      return styles.getPropertyValue(node.slice(4, -1)).trim();
    }
    return node;
  };

  const settings = {
    responsive: true,
    displaylogo: false,
    displayModeBar: matchMedia("(max-width: 40rem)").matches ? false : "hover",
    // Nothing leaves the page: plotly's own button would upload a figure.
    showSendToCloud: false,
    plotlyServerURL: "",
    modeBarButtonsToRemove: ["sendChartToCloud", "select2d", "lasso2d", "autoScale2d"],
  };

  const draw = () => {
    const styles = getComputedStyle(root);
    button.textContent = isDark() ? "Light" : "Dark";
    for (const { place, held } of charts) {
      const { data, layout } = coloured(held, "", styles);
      // A finger that scrolls the page must not zoom the figure.
      if (matchMedia("(pointer: coarse)").matches) layout.dragmode = false;
      Plotly.react(place, data, layout, settings);
    }
  };

  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    draw();
  });
  system.addEventListener("change", draw);
  draw();
  root.classList.add("drawn"); // the drawings that stand in for the figures are for print from now on

  // Tables: a heading sorts by its column, numbers as numbers, cells without a value last.
  const keyOf = (row, column) => row.cells[column].dataset.key ?? row.cells[column].textContent.trim();

  const sort = (table, heading) => {
    const column = heading.cellIndex;
    const isDescending = heading.getAttribute("aria-sort") === "ascending";
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, key: keyOf(row, column) }));
    const filled = rows.filter(({ key }) => key !== "");
    const isNumeric = filled.every(({ key }) => Number.isFinite(Number(key)));
    const compare = isNumeric
      ? (a, b) => Number(a.key) - Number(b.key)
      : (a, b) => a.key.localeCompare(b.key, undefined, { numeric: true });
    filled.sort((a, b) => (isDescending ? compare(b, a) : compare(a, b)));
    body.append(...filled.map(({ row }) => row), ...rows.filter(({ key }) => key === "").map(({ row }) => row));
    for (const other of heading.parentElement.cells) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    for (const heading of table.tHead.rows[0].cells) {
      heading.querySelector("button").addEventListener("click", () => sort(table, heading));
    }
  }
})();
