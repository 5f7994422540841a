(() => {
  const box = document.getElementById("eta-slider");
  const data = JSON.parse(box.querySelector("script[type='application/json']").textContent);
  const all = (selector) => [...box.querySelectorAll(selector)];
  const [edges, rings, gaps, dots] = [".edge", ".ring", ".gap", ".dot"].map(all);
  const say = (name, text) => { box.querySelector(`[data-say=${name}]`).textContent = text; };
  const show = (step) => {
    const eta = data.etas[step], { phi, score, low, high } = data.views[step];
    edges.forEach((edge, i) => {
      edge.setAttribute("stroke-width", 2.4 * Math.max(0.1, 1 + eta * data.edges[i]));
      edge.setAttribute("stroke-opacity", Math.max(0.15, 0.9 + 2 * eta * data.edges[i]));
    });
    rings.forEach((ring, i) => ring.setAttribute("r", 5 + 8 * Math.sqrt(eta * data.loops[i])));
    const y = (value) => data.top + data.height * (1 - value) / 2;
    dots.forEach((dot, i) => { dot.setAttribute("cy", y(phi[i])); gaps[i].setAttribute("y2", y(phi[i])); });
    say("eta", eta.toFixed(1));
    say("score", eta ? score.toFixed(2) : "none: A_ is A");
    say("low", low.toFixed(2));
    say("high", high.toFixed(2));
  };
  const input = box.querySelector("input");
  input.addEventListener("input", () => show(Number(input.value)));
})();
