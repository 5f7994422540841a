"""The report of the reproduction: the paper's tables and figures beside its printed numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...evaluation.statistics import mean_and_std, tally
from ...paper.cells import Cell, Classification, Gain
from ...paper.classification import COLUMNS, GRAPHS, specs
from ...paper.evaluators import SCORERS, Evaluated
from ...paper.sensitivity import Sweep
from ...runs.spec import Run, run_name
from ..case_files import EXPERIMENTS, CaseFile
from ..evaluators import EVALUATORS_NOTE
from ..tables import GRAPH_TITLES, LEGEND, column_title, graph_title
from ..wording import megabytes, rate_title
from .charts import chart
from .markup import Html, element, folded, paragraph
from .page import Page, Section, render
from .reproduction_figures import VERDICTS, case_figure, cells_figure, gains_figure, sweep_figure
from .results_contents import ResultsContents
from .run_page import tile
from .tables import NOTHING, Value, number, percent_value, settings_table, sortable_table

_MARKS = {"within": "●", "above": "▲", "below": "▼"}
_METRICS = {"macro_f1": "macro-F1", "micro_f1": "micro-F1"}
_DEVIATIONS = 2


def reproduction_report(contents: ResultsContents) -> str:
    """Return the page of a folder of results as HTML; see :func:`spco.report.html.read_results`."""
    return render(
        Page(
            "The paper's tables and figures, reproduced",
            _lead(contents),
            (
                Section("Against the paper", _against_paper(contents.found)),
                Section("What SpCo changes", _gains(contents.found.gains)),
                Section("By the paper's evaluators", _evaluators(contents.evaluated)),
                Section("Case study", tuple(_cases(contents.cases))),
                Section("Sensitivity", tuple(_sweeps(contents.sweeps.values()))),
                Section("Costs", _costs(contents.runs)),
                Section("Settings and versions", _settings(contents.runs)),
            ),
        )
    )


def _lead(contents: ResultsContents) -> tuple[Html, ...]:
    found = contents.found
    tiles = [
        tile(str(found.count(verdict)), f"cells {verdict} the paper's ±\N{NO-BREAK SPACE}2σ")
        for verdict in VERDICTS
    ]
    tiles.append(tile(str(found.count("not run")), "cells not run"))
    if found.gains:
        better = tally(gain.paired for gain in found.gains).at_or_above
        tiles.append(tile(f"{better} of {len(found.gains)}", "combinations with SpCo at or above plain"))
    return (
        element("div", *tiles, attributes={"class": "tiles"}),
        paragraph(found.summary(), kind="lead"),
    )


def _against_paper(found: Classification) -> tuple[Html, ...]:
    run = [cell for cell in found.cells if cell.n]
    if not run:
        return ()
    gains = {(gain.graph, gain.rate, run_name(gain.method, spectral=True)): gain for gain in found.gains}
    rates = list(dict.fromkeys(cell.rate for cell in run))
    caption = "Every cell that was run: our mean less the paper's, with our deviation over seeds."
    return (
        chart(cells_figure(run), caption),
        paragraph(LEGEND, kind="note"),
        # 20 labels per class is Table 2 and comes first.
        *(_rate_table([cell for cell in run if cell.rate == rate], rate, gains) for rate in reversed(rates)),
    )


def _rate_table(cells: Sequence[Cell], rate: str, gains: dict[tuple[str, str, str], Gain]) -> Html:
    by_row: dict[tuple[str, str], dict[str, Cell]] = {}
    for cell in cells:
        by_row.setdefault((cell.graph, cell.column), {})[cell.metric] = cell
    rows = []
    for (graph, column), held in by_row.items():
        row: list[Value | str] = [GRAPH_TITLES[graph], column_title(column)]
        for metric in _METRICS:
            row += _cell_values(held[metric]) if metric in held else [NOTHING] * 3
        rows.append([*row, _gain_value(gains.get((graph, rate, column)))])
    headings = ["graph", "method"]
    for title in _METRICS.values():
        headings += [title, "paper", "difference"]
    return sortable_table([*headings, "SpCo − plain"], rows, caption=f"{rate_title(rate)}, in %")


def _cell_values(cell: Cell) -> list[Value]:
    ours = percent_value(cell.mean, cell.std)
    paper = NOTHING if cell.paper is None else percent_value(cell.paper.mean, cell.paper.std)
    difference = NOTHING
    if cell.difference is not None:
        difference = number(
            100 * cell.difference, f"{{:+.1f}} {_MARKS.get(cell.verdict, '')}", tone=cell.verdict
        )
    return [Value(f"{ours.text} ({cell.n}){cell.mark}", ours.key), paper, difference]


def _gain_value(gain: Gain | None) -> Value:
    if gain is None:
        return NOTHING
    star = "*" if gain.paired.is_significant else ""
    return number(100 * gain.paired.mean, f"{{:+.2f}}{star}", tone=_gain_tone(gain))


def _gain_tone(gain: Gain) -> str:
    if not gain.paired.is_significant:
        return ""
    return "above" if gain.paired.mean > 0 else "below"


def _gains(gains: Sequence[Gain]) -> tuple[Html, ...]:
    if not gains:
        return ()
    rows: list[list[Value | str]] = [
        [
            GRAPH_TITLES[gain.graph],
            column_title(gain.method),
            rate_title(gain.rate, short=True),
            number(100 * gain.paired.mean, "{:+.2f}", tone=_gain_tone(gain)),
            number(None if gain.paired.low is None else 100 * gain.paired.low, "{:+.2f}"),
            number(None if gain.paired.high is None else 100 * gain.paired.high, "{:+.2f}"),
            number(gain.paired.p, "{:.3f}"),
            number(gain.paired.n),
        ]
        for gain in gains
    ]
    headings = ["graph", "method", "labels", "difference", "95% from", "95% to", "Wilcoxon p", "seeds"]
    caption = "Micro-F1 with SpCo less without, in points, seed by seed; coloured where p < 0.05"
    return (
        chart(gains_figure(gains), "Paired differences with 95% intervals."),
        sortable_table(headings, rows, caption=caption),
    )


def _evaluators(found: Sequence[Evaluated]) -> tuple[Html, ...]:
    if not found:
        return ()
    rows: list[list[Value | str]] = []
    for one in found:
        for rate in reversed(tuple(one.scores)):
            printed = one.printed(rate)
            rows.append(
                [
                    graph_title(str(one.graph)),
                    column_title(one.column),
                    rate_title(rate, short=True),
                    NOTHING if printed is None else percent_value(printed.mean, printed.std),
                    *(percent_value(*one.mean_and_std(rate, scorer)) for scorer in SCORERS),
                    number(len(one.seeds)),
                ]
            )
    headings = ["graph", "method", "labels", "printed", *SCORERS.values(), "seeds"]
    return (
        paragraph(EVALUATORS_NOTE, kind="note"),
        sortable_table(headings, rows, caption="Micro-F1 in % of the same embeddings, mean ± deviation"),
    )


def _cases(cases: Iterable[CaseFile]) -> Iterable[Html]:
    for case in cases:
        order = "" if case.order is None else f", {case.order}"
        title = f"{EXPERIMENTS.get(case.experiment, case.experiment)}: {case.graph}{order}"
        yield element("h3", title)
        if not case.rows:
            yield paragraph(f"{case.name}: under way, {case.runs} runs are there.", kind="note")
            continue
        yield chart(case_figure(case), f"{case.name}: mean and deviation over seeds.")
        yield _case_table(case)
        if case.correlation is not None and case.p_value is not None:
            found = f"{case.correlation:.2f} (p = {case.p_value:.2g})"
            yield paragraph(f"Spearman's correlation of accuracy and GAME score: {found}.")
        yield folded(f"Settings of {case.name}", settings_table({"value": case.settings}, caption="Settings"))


def _case_table(case: CaseFile) -> Html:
    scored = any(row.game_score is not None for row in case.rows)
    rows: list[list[Value | str]] = []
    for row in case.rows:
        difference = None if row.paper_mean is None else 100 * (row.mean - row.paper_mean)
        rows.append(
            [
                row.name,
                percent_value(row.mean, row.std),
                number(row.n),
                percent_value(row.paper_mean, row.paper_std),
                number(difference, "{:+.1f}", tone=_case_tone(row.mean, row.paper_mean, row.paper_std)),
                *([number(row.game_score, "{:.3f}")] if scored else []),
            ]
        )
    headings = ["views", "accuracy, %", "seeds", "paper", "difference", *(["GAME score"] if scored else [])]
    return sortable_table(headings, rows, caption=f"{case.name}: mean ± deviation over seeds")


def _case_tone(mean: float, paper: float | None, deviation: float | None) -> str:
    if paper is None or deviation is None:
        return ""
    if abs(mean - paper) <= _DEVIATIONS * deviation + 1e-12:
        return "within"
    return "above" if mean > paper else "below"


def _sweeps(found: Iterable[Sequence[Sweep]]) -> Iterable[Html]:
    for sweeps in found:
        setting = sweeps[0].setting
        yield element("h3", f"{setting.symbol} ({setting.name})")
        caption = f"Micro-F1 at 20 labels per class over {setting.symbol}, mean and deviation over seeds"
        yield chart(sweep_figure(sweeps), f"{caption}.")
        rows: list[list[Value | str]] = [
            [
                GRAPH_TITLES[sweep.graph],
                column_title(run_name(sweep.method, spectral=True)),
                *(_sweep_value(sweep, place) for place in range(len(setting.values))),
            ]
            for sweep in sweeps
        ]
        headings = ["graph", "method", *map(str, setting.values)]
        yield sortable_table(headings, rows, caption=f"{caption} (number of seeds); ★ the best")


def _sweep_value(sweep: Sweep, place: int) -> Value:
    if not sweep.counts[place]:
        return NOTHING
    star = " ★" if place == sweep.best else ""
    return number(sweep.means[place], f"{100 * sweep.means[place]:.1f} ({sweep.counts[place]}){star}")


def _costs(runs: Sequence[Run]) -> tuple[Html, ...]:
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.spec.graph, run.name), []).append(run)
    rows: list[list[Value | str]] = []
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
    caption = "All runs of the ledger, those of sweeps and controls too: means, and the largest memory"
    return (sortable_table(headings, rows, caption=caption),) if rows else ()


def _settings_of_tables(runs: Sequence[Run]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """Return settings by graph and column: the presets', not those of a sweep or a control beside them."""
    of_presets = {spec.key for spec in specs(GRAPHS, COLUMNS, {run.spec.seed for run in runs})}
    found: dict[tuple[str, str], Mapping[str, Any]] = {}
    for run in runs:
        place = (run.spec.graph, run.name)
        if place not in found or run.key in of_presets:
            found[place] = run.spec.settings
    return found


def _settings(runs: Sequence[Run]) -> tuple[Html, ...]:
    if not runs:
        return ()
    counts = Counter(tuple(sorted(run.versions.items())) for run in runs)
    columns = {f"{count} runs": dict(versions) for versions, count in counts.most_common()}
    if len(columns) < len(counts):  # two sets of versions with equally many runs
        columns = {
            f"{count} runs, set {index}": dict(versions)
            for index, (versions, count) in enumerate(counts.most_common(), start=1)
        }
    tables = [
        folded(f"{name} on {graph}", settings_table({"value": settings}, caption="Settings"))
        for (graph, name), settings in _settings_of_tables(runs).items()
    ]
    return (settings_table(columns, caption="Versions that the runs were made with"), *tables)
