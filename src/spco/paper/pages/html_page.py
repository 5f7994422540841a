"""The HTML page of the reproduction: the paper's tables and figures beside its printed numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..._validation import invalid
from ...errors import MissingFileError
from ...evaluation.statistics import mean_and_std, tally
from ...report.html.charts import chart
from ...report.html.markup import Html, element, folded, paragraph
from ...report.html.page import Page, Section, render
from ...report.html.run_page import tiles_of
from ...report.html.tables import Row, Table, number, settings_table
from ...report.wording import megabytes
from ...runs import Ledger, Run
from ..case_study import CaseTable, read_case_tables
from ..cells import Classification, Gain, classification
from ..classification import COLUMNS, GRAPHS, runs_by_seed, specs
from ..evaluators import Evaluated, read_evaluated
from ..sensitivity import SETTINGS, sweeps
from .html_figures import VERDICTS, case_figure, cells_figure, gains_figure, sweep_figure
from .markdown import correlation_line
from .tables import (
    CASE_TABLES,
    EVALUATORS_NOTE,
    EXPERIMENTS,
    FIRST_KEPT,
    LEGEND,
    cases_of,
    differences_table,
    evaluators_table,
    graph_title,
    rate_table,
    sweep_table,
)


def reproduction_report(folder: Path) -> str:
    """Return the page of a folder of results, such as ``results/``, as HTML."""
    if not folder.is_dir():
        must, got = "be a folder of results", f"no folder {str(folder)!r}"
        raise invalid("folder", "reproduction_report", must, got, error=MissingFileError)
    runs = Ledger(folder / "ledger.jsonl").runs()
    found = classification(runs)
    return render(
        Page(
            "The paper's tables and figures, reproduced",
            _lead(found),
            (
                Section("Against the paper", _against_paper(found)),
                Section("What SpCo changes", _gains(found.gains)),
                Section("By the paper's evaluators", _evaluators(read_evaluated(folder))),
                Section("Case study", tuple(_cases(read_case_tables(folder)))),
                Section("Sensitivity", tuple(_sweeps(runs))),
                Section("Costs", _costs(runs)),
                Section("Settings and versions", _settings(runs)),
            ),
        )
    )


def _lead(found: Classification) -> tuple[Html, ...]:
    tiles = [
        (str(found.count(verdict)), f"cells {verdict} the paper's ±\N{NO-BREAK SPACE}2σ")
        for verdict in VERDICTS
    ]
    tiles.append((str(found.count("not run")), "cells not run"))
    if found.gains:
        better = tally(gain.paired for gain in found.gains).at_or_above
        tiles.append((f"{better} of {len(found.gains)}", "combinations with SpCo at or above plain"))
    return tiles_of(tiles), paragraph(found.summary(), kind="lead")


def _against_paper(found: Classification) -> tuple[Html, ...]:
    run = [cell for cell in found.cells if cell.n]
    if not run:
        return ()
    rates = list(dict.fromkeys(cell.rate for cell in run))
    caption = "Every cell that was run: our mean minus the paper's, with our deviation over seeds."
    return (
        chart(cells_figure(run), caption),
        paragraph(LEGEND, kind="note"),
        # 20 labels per class is Table 2 and comes first.
        *(rate_table(found, rate).html() for rate in reversed(rates)),
    )


def _gains(gains: Sequence[Gain]) -> tuple[Html, ...]:
    if not gains:
        return ()
    return (
        chart(gains_figure(gains), "Paired differences with 95% intervals."),
        differences_table(gains).html(),
    )


def _evaluators(found: Sequence[Evaluated]) -> tuple[Html, ...]:
    if not found:
        return ()
    rates = dict.fromkeys(rate for one in found for rate in reversed(tuple(one.scores)))
    return (paragraph(EVALUATORS_NOTE, kind="note"), evaluators_table(found, rates).html())


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
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.spec.graph, run.name), []).append(run)
    rows: list[Row] = []
    for (graph, name), held in groups.items():
        peaks = [run.peak_bytes for run in held if run.peak_bytes is not None]
        seconds, deviation = mean_and_std([run.seconds for run in held])
        rows.append(
            [
                graph,
                name,
                number(len(held)),
                number(mean_and_std([float(run.epochs) for run in held])[0], "{:.0f}"),
                number(seconds, "{:.1f}" + ("" if deviation is None else f" ± {deviation:.1f}")),
                number(megabytes(max(peaks, default=None)), "{:,.0f}"),
            ]
        )
    headings = ["graph", "method", "runs", "epochs", "seconds", "peak MB"]
    caption = "All runs of the ledger, including sweeps and controls: means, and the largest memory"
    return (Table(headings, rows, caption).html(),) if rows else ()


def _settings(runs: Sequence[Run]) -> tuple[Html, ...]:
    if not runs:
        return ()
    counts = Counter(tuple(sorted(run.versions.items())) for run in runs).most_common()
    columns = {
        f"{count} runs (set {place})": dict(used) for place, (used, count) in enumerate(counts, start=1)
    }
    seeds = sorted({run.spec.seed for run in runs})
    tables = [
        folded(
            f"{name} on {graph}",
            settings_table({"value": next(iter(held.values())).spec.settings}, caption="Settings"),
        )
        for (graph, name), held in runs_by_seed(runs, specs(GRAPHS, COLUMNS, seeds)).items()
    ]
    return (settings_table(columns, caption="Versions that the runs were made with"), *tables)
