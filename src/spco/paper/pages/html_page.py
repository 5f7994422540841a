"""The HTML page of the reproduction: the paper's tables and figures beside its printed numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

from ..._validation import invalid
from ...errors import MissingFileError
from ...evaluation.statistics import mean_and_std, tally
from ...report.html.charts import chart
from ...report.html.markup import Html, element, folded, links, paragraph, slug
from ...report.html.page import Page, Section, render
from ...report.html.run_page import tiles_of
from ...report.html.tables import Row, Table, number, settings_table
from ...report.wording import megabytes
from ...runs import Run
from ..case_study import CaseTable, read_case_tables
from ..cells import Classification
from ..checks import checks
from ..classification import COLUMNS, GRAPHS, METRICS, PUBLISHED_COLUMNS, RATES, specs
from ..results_folder import ledger_runs, read_classification
from ..sensitivity import SETTINGS, sweeps
from .classification_tables import LEGEND, TUNED_NOTE, blocks_table, differences_table, outside_table
from .contents_table import contents_table
from .findings import as_printed_finding, check_line
from .html_figures import DRAWN_VERDICTS, case_figure, cells_figure, gains_figure, sweep_figure
from .markdown import correlation_line
from .tables import CASE_TABLES, EXPERIMENTS, FIRST_KEPT, cases_of, graph_title, sweep_table


def reproduction_report(folder: Path) -> str:
    """Return the page of a folder of results, such as ``results/``, as HTML."""
    if not folder.is_dir():
        must, got = "be a folder of results", f"no folder {str(folder)!r}"
        raise invalid("folder", "reproduction_report", must, got, error=MissingFileError)
    runs, found = ledger_runs(folder), read_classification(folder)
    return render(
        Page(
            "The paper's tables and figures, reproduced",
            _lead(found),
            (
                Section("Everything in the paper", (contents_table(folder).html(),)),
                Section("Case study", tuple(_cases(read_case_tables(folder)))),
                Section("Node classification", tuple(_classification(found))),
                Section("Checks against the print", tuple(_checks(found))),
                Section("What SpCo changes", tuple(_gains(found))),
                Section("Sensitivity", tuple(_sweeps(runs))),
                Section("Costs", _costs(runs)),
                Section("Settings and versions", _settings(runs)),
            ),
        )
    )


def _lead(found: Classification) -> tuple[Html, ...]:
    tiles = [
        (str(found.published.count(verdict)), f"cells as printed {verdict} the paper's ±\N{NO-BREAK SPACE}2σ")
        for verdict in DRAWN_VERDICTS
    ]
    tiles.append((str(found.published.count("not run")), "cells as printed not run"))
    for title, block in {"as printed": found.published, "tuned": found.tuned}.items():
        gains = block.micro_gains
        if gains:
            better = tally(gain.paired for gain in gains).at_or_above
            tiles.append((f"{better} of {len(gains)}", f"combinations with SpCo at or above plain, {title}"))
    return tiles_of(tiles), paragraph(as_printed_finding(found), kind="lead"), paragraph(found.summary())


def _classification(found: Classification) -> Iterable[Html]:
    run = [cell for cell in found.published.cells if cell.n]
    if run:
        caption = (
            "Published settings by the authors' evaluators: our mean minus the paper's, with our deviation."
        )
        yield chart(cells_figure(run), caption)
    every = {(cell.rate, cell.metric) for cell in (*run, *found.tuned.cells) if cell.n}
    if every:
        yield paragraph(LEGEND, kind="note")
        yield paragraph(TUNED_NOTE, kind="note")
    places = [place for place in product(reversed(RATES), METRICS) if place in every]
    held = {
        f"{graph_title(graph)}: node classification": tables
        for graph in GRAPHS
        if (tables := [table for place in places if (table := blocks_table(found, *place, only=graph)).rows])
    }
    if held:
        yield links({title: title.partition(":")[0] for title in held})
    # 20 labels per class is Table 2 and comes first; the rest is unfolded on request.
    for title, (first, *others) in held.items():
        yield element("h3", title, attributes={"id": slug(title)})
        yield first.html()
        yield from (folded(table.caption, table.html()) for table in others)


def _checks(found: Classification) -> Iterable[Html]:
    *plain, spectral = checks(found)
    if len(spectral.missing) < spectral.total:
        yield from (paragraph(check_line(check)) for check in plain)
        yield paragraph(check_line(spectral, listed=False))
    if spectral.outside:
        yield outside_table(spectral, found).html()


def _gains(found: Classification) -> Iterable[Html]:
    titles = {
        "As printed, by the authors' evaluators": found.published,
        "SpCo, tuned, by our probe": found.tuned,
    }
    for title, block in titles.items():
        if block.micro_gains:
            yield element("h3", title)
            yield chart(gains_figure(block.micro_gains), "Paired differences with 95% intervals.")
            yield folded("The same as a table", differences_table(block.micro_gains).html())


def _cases(cases: Sequence[CaseTable]) -> Iterable[Html]:
    for experiment, title in EXPERIMENTS.items():
        every = cases_of(experiment, cases)
        held = [case for case in every if case.rows]
        if every:
            yield element("h3", title)
        if held:
            yield CASE_TABLES[experiment](held).html()
        for case in every:
            if not case.rows:
                yield paragraph(f"{case.name}: in progress.", kind="note")
                continue
            order = "" if case.order is None else f", {FIRST_KEPT[case.order]} frequencies kept first"
            caption = f"{graph_title(case.graph)}{order}: mean and deviation over seeds."
            yield chart(case_figure(case), caption)
            if case.correlation is not None:
                yield paragraph(correlation_line(case))
        if held:
            yield folded("Settings", settings_table({"value": held[0].settings}, caption="Settings"))


def _sweeps(runs: Sequence[Run]) -> Iterable[Html]:
    for setting in SETTINGS.values():
        found = [sweep for sweep in sweeps(runs, setting) if sweep.is_compared]
        if found:
            yield element("h3", f"{setting.symbol} ({setting.name})")
            yield chart(sweep_figure(found), "Mean and deviation over seeds.")
            yield sweep_table(found).html()


def _costs(runs: Sequence[Run]) -> tuple[Html, ...]:
    families = _families(runs)
    groups: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        place = (run.spec.graph, run.name, families.get(run.key, "varied"))
        groups.setdefault(place, []).append(run)
    rows: list[Row] = []
    for (graph, name, family), held in groups.items():
        peaks = [run.peak_bytes for run in held if run.peak_bytes is not None]
        seconds, deviation = mean_and_std([run.seconds for run in held])
        rows.append(
            [
                graph,
                name,
                family,
                number(len(held)),
                number(mean_and_std([float(run.epochs) for run in held])[0], "{:.0f}"),
                number(seconds, "{:.1f}" + ("" if deviation is None else f" ± {deviation:.1f}")),
                number(megabytes(max(peaks, default=None)), "{:,.0f}"),
            ]
        )
    headings = ["graph", "method", "settings", "runs", "epochs", "seconds", "peak MB"]
    caption = "All runs of the ledger, sweeps and controls as varied: means, and the largest memory"
    table = Table(headings, rows, caption)
    return (folded(caption, table.html()),) if rows else ()


def _families(runs: Sequence[Run]) -> dict[str, str]:
    """Return the family of presets by the key of a run; runs with other settings are absent."""
    seeds = sorted({run.spec.seed for run in runs})
    return {
        spec.key: family
        for family, columns in {"paper": PUBLISHED_COLUMNS, "tuned": COLUMNS}.items()
        for spec in specs(GRAPHS, columns, seeds, family=family)
    }


def _settings(runs: Sequence[Run]) -> tuple[Html, ...]:
    if not runs:
        return ()
    counts = Counter(tuple(sorted(run.versions.items())) for run in runs).most_common()
    columns = {
        f"{count} runs (set {place})": dict(used) for place, (used, count) in enumerate(counts, start=1)
    }
    families = _families(runs)
    held = {
        (run.spec.graph, run.name, families[run.key]): run.spec.settings
        for run in runs
        if run.key in families
    }
    tables = [
        folded(f"{name} on {graph}, {family}", settings_table({"value": settings}, caption="Settings"))
        for (graph, name, family), settings in held.items()
    ]
    return (settings_table(columns, caption="Versions that the runs were made with"), *tables)
