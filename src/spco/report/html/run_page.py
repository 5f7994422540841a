"""The report of training runs: scores, differences, training, spectra, settings."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from typing import Any

from ...evaluation import Comparison
from ...evaluation.results import METRICS, Metric
from ...methods.names import method_of, run_name
from ...runs.results import REFERENCE, RunResults, ViewSpectra
from ...runs.store import versions
from ...training import History
from ..sentences import run_sentences
from ..wording import megabytes, rate_title
from .charts import chart, grid, half_width
from .markup import Html, element, folded, joined, paragraph
from .page import Page, Section, render
from .run_figures import (
    class_figure,
    comparison_figure,
    contrast_figure,
    differences_figure,
    map_figure,
    spectrum_figure,
    training_figures,
)
from .tables import Row, Table, number, percent_value, points, settings_table

_TITLES: Mapping[Metric, str] = {"micro_f1": "Micro-F1", "macro_f1": "Macro-F1", "accuracy": "Accuracy"}


def run_report(results: RunResults) -> str:
    """Return the page of training runs as HTML; see :func:`spco.runs.results.run_results`.

    >>> from spco.report.html import run_report
    >>> from spco.runs import RunResults
    >>> page = run_report(RunResults({"graph": "<wine>", "method": "dgi"}))
    >>> "&lt;wine&gt;" in page, "<wine>" in page
    (True, False)
    """
    about = results.description
    methods = str(about.get("method", "methods")).replace(",", ", ")
    title = f"{methods} on {about.get('graph') or 'a graph'}"
    return render(
        Page(
            title,
            _lead(results),
            (
                Section("Scores", _scores(results)),
                Section("What SpCo changes", _differences(results)),
                Section("Embeddings", _maps(results)),
                Section("Classes", _classes(results)),
                Section("Spectra", _spectra(results.spectra)),
                Section("Training", _training(results.histories)),
                Section("Every run", _runs(results.comparison)),
                Section("Settings and versions", _settings(about)),
            ),
        )
    )


def _lead(results: RunResults) -> tuple[Html, ...]:
    """Return the answer in sentences, then in a few numbers, and how it was found."""
    result, tiles, notes = results.comparison, [], []
    if result is not None:
        rate = result.rates[-1]
        best = max((row for row in result.summary() if row.rate == rate), key=lambda row: row.mean)
        tiles += [
            (f"{100 * best.mean:.1f}%", f"best micro-F1, {rate_title(rate)}: {best.name}"),
            (str(len(result.seeds)), "seed" if len(result.seeds) == 1 else "seeds"),
        ]
        drawn = "" if result.split_seed is None else f" Splits were drawn with seed {result.split_seed}."
        notes.append(
            "One probe scores all methods: logistic regression on L2-normalised embeddings, its strength "
            f"chosen on validation nodes; test nodes are used once.{drawn}"
        )
    if results.spectra is not None:
        reports = results.spectra.reports
        tiles += [(f"{report.score:.2f}", f"GAME score: {name}") for name, report in reports.items()]
    return (
        *(paragraph(sentence, kind="answer") for sentence in run_sentences(results)),
        *([tiles_of(tiles)] if tiles else []),
        *(paragraph(note, kind="note") for note in notes),
    )


def tiles_of(numbers: Iterable[tuple[str, str]]) -> Html:
    """Return numbers in large type, each with a line about it."""
    tiles = (
        element("div", element("strong", value), element("span", about), attributes={"class": "tile"})
        for value, about in numbers
    )
    return element("div", *tiles, attributes={"class": "tiles"})


def _scores(results: RunResults) -> tuple[Html, ...]:
    result = results.comparison
    if result is None:
        return ()
    others = [_metric_table(result, metric) for metric in METRICS[1:]]
    return (
        chart(
            comparison_figure(result),
            f"Micro-F1 on {_graph(results)} with 95% intervals over {_seeds(result)}.",
        ),
        _metric_table(result, METRICS[0]),
        folded("Macro-F1 and accuracy", *others),
    )


def _metric_table(result: Comparison, metric: Metric) -> Html:
    summary = {(row.name, row.rate): row for row in result.summary(metric=metric)}
    costs = {cost.name: cost for cost in result.costs()}
    rows: list[Row] = []
    for name in result.names:
        found = (summary[name, rate] for rate in result.rates)
        rows.append(
            [
                name,
                *(percent_value(row.mean, half_width(row)) for row in found),
                number(costs[name].seconds, "{:.1f}"),
                number(megabytes(costs[name].peak_bytes), "{:,.0f}"),
            ]
        )
    headings = ["method", *(rate_title(rate, short=True) for rate in result.rates), "seconds", "peak MB"]
    caption = f"{_TITLES[metric]} in %, mean and 95% interval over {_seeds(result)}; cost of one run"
    return Table(headings, rows, caption).html()


def _seeds(result: Comparison) -> str:
    return "one seed" if len(result.seeds) == 1 else f"{len(result.seeds)} seeds"


def _differences(results: RunResults) -> tuple[Html, ...]:
    result = results.comparison
    if result is None or not result.pairs:
        return ()
    others = [_difference_table(result, metric) for metric in METRICS[1:]]
    return (
        chart(
            differences_figure(result),
            f"Paired differences in micro-F1 on {_graph(results)} with 95% intervals.",
        ),
        _difference_table(result, METRICS[0]),
        folded("Differences in macro-F1 and accuracy", *others),
    )


def _difference_table(result: Comparison, metric: Metric) -> Html:
    rows: list[Row] = [
        [
            f"{row.pair[1]} − {row.pair[0]}",
            rate_title(row.rate, short=True),
            points(row.mean, tone=_tone(row.low, row.high)),
            points(row.low),
            points(row.high),
            number(row.p, "{:.3f}"),
            row.note or "",
        ]
        for row in result.paired_differences(metric=metric)
    ]
    headings = ["pair", "labels", "difference", "95% from", "95% to", "Wilcoxon p", "note"]
    about = "in points, seed by seed; coloured where the 95% interval excludes 0"
    return Table(headings, rows, f"Differences in {_TITLES[metric]} {about}").html()


def _tone(low: float | None, high: float | None) -> str:
    if low is None or high is None or low <= 0 <= high:
        return ""
    return "above" if low > 0 else "below"


def _maps(results: RunResults) -> tuple[Html, ...]:
    if not results.maps or results.facts is None:
        return ()
    classes, graph = results.facts.classes, _graph(results)
    shown, nodes = len(results.maps[0].points), results.facts.nodes
    sample = f", {shown:,} of {nodes:,} nodes" if shown < nodes else ""
    about = paragraph(
        "Each point is a node; nodes that lie together have similar embeddings. The two axes are the "
        f"directions in which the embedding varies most{sample}."
    )
    drawn = (
        chart(map_figure(found, classes), f"{found.name} on {graph}, seed {found.seed}, coloured by class.")
        for found in results.maps
    )
    return about, grid(drawn)


def _classes(results: RunResults) -> tuple[Html, ...]:
    maps = [found for found in results.maps if found.accuracy is not None]
    if not maps or results.facts is None:
        return ()
    classes, first = results.facts.classes, maps[0].accuracy
    rate, seed = rate_title(maps[0].rate or ""), maps[0].seed
    names = [found.name for found in maps]
    about = f"Accuracy per class on {_graph(results)} with {rate}, seed {seed}"
    shares = {found.name: found.accuracy.shares for found in maps if found.accuracy is not None}
    counts = [] if first is None else list(zip(first.classes.tolist(), first.counts.tolist(), strict=True))
    rows: list[Row] = [
        [classes[which], number(count), *(percent_value(shares[name][place]) for name in names)]
        for place, (which, count) in enumerate(counts)
    ]
    table = Table(["class", "test nodes", *names], rows, f"{about}, in %").html()
    return chart(class_figure(maps, classes), f"{about}."), folded("The same as a table", table)


def _graph(results: RunResults) -> str:
    return str(results.description.get("graph") or "the graph")


def _training(histories: Mapping[str, Mapping[str, History]]) -> tuple[Html, ...]:
    parts = []
    # Losses can be compared between a method with SpCo and without, but not between methods.
    for method in dict.fromkeys(map(method_of, histories)):
        both = (run_name(method, spectral=spectral) for spectral in (False, True))
        held = {name: histories[name] for name in both if name in histories}
        drawn = training_figures(held).items()
        parts.append(grid(chart(figure, _about_training(name, held[name])) for name, figure in drawn))
    return (*parts, *_training_tables(histories)) if parts else ()


def _about_training(name: str, runs: Mapping[str, History]) -> str:
    refreshed = any(history.refreshes for history in runs.values())
    marks = " Diamonds mark refreshes of A_." if refreshed else ""
    return f"Training loss of {name}, a line per run.{marks}"


def _training_tables(histories: Mapping[str, Mapping[str, History]]) -> Iterable[Html]:
    made = [(name, run, history) for name, runs in histories.items() for run, history in runs.items()]
    rows: list[Row] = [
        [
            name,
            run,
            number(len(history.losses)),
            number(history.best_epoch),
            "yes" if history.stopped_early else "no",
            number(history.losses[-1] if history.losses else None, "{:.4g}"),
            number(sum(history.seconds), "{:.2f}"),
            number(len(history.refreshes)),
            number(100 * history.refresh_share, "{:.1f}"),
        ]
        for name, run, history in made
    ]
    headings = ["method", "run", "epochs", "best epoch", "stopped early", "last loss", "seconds"]
    headings += ["refreshes", "of the time, %"]
    yield Table(headings, rows, "Training, run by run").html()
    rows = [
        [
            name,
            run,
            number(record.epoch),
            number(record.theta),
            number(record.scale_plus, "{:.3g}"),
            number(record.scale_minus, "{:.3g}"),
            number(record.marginal_error_plus, "{:.1e}"),
            number(record.marginal_error_minus, "{:.1e}"),
            "yes" if record.log_domain else "no",
            number(1000 * record.seconds, "{:.1f}"),
        ]
        for name, run, history in made
        for record in history.refreshes
    ]
    headings = ["method", "run", "epoch", "θ", "s+", "s−", "marginal error +", "marginal error −"]
    headings += ["log domain", "ms"]
    if rows:
        table = Table(headings, rows, "Refreshes of the learnt view A_")
        yield folded("Every refresh of A_", table.html())


def _spectra(spectra: ViewSpectra | None) -> tuple[Html, ...]:
    if spectra is None:
        return ()
    rows: list[Row] = [
        [
            name,
            number(report.score, "{:.3f}"),
            "–" if report.interval is None else f"{report.interval[0]:.3f} … {report.interval[1]:.3f}",
            number(report.low_mean, "{:.4f}"),
            number(report.high_mean, "{:.4f}"),
            report.method,
        ]
        for name, report in spectra.reports.items()
    ]
    headings = ["view", "GAME score", "95% interval", "mean |Δφ|, low", "mean |Δφ|, high", "method"]
    rule = (
        "The GAME score is the share of pairs of a high and a low frequency where the view differs more "
        "from A at the high one. At 1 the paper's rule holds for every pair; 0.5 means no structure."
    )
    return (
        chart(
            spectrum_figure(spectra.responses),
            "Response φ of A and of the learnt views at each frequency. A jump at λ = 1 belongs to nodes "
            "without edges.",
        ),
        chart(
            contrast_figure(spectra.responses, reference=REFERENCE),
            "How much each learnt view differs from A, frequency by frequency.",
        ),
        paragraph(rule),
        Table(headings, rows, "GAME scores against A").html(),
    )


def _runs(result: Comparison | None) -> tuple[Html, ...]:
    if result is None:
        return ()
    rows: list[Row] = [
        [
            run.name,
            number(run.seed),
            rate_title(run.rate, short=True),
            *(percent_value(value) for value in (run.micro_f1, run.macro_f1, run.val_accuracy)),
            number(run.C, "{:.3g}"),
            number(run.seconds, "{:.2f}"),
        ]
        for run in result.runs
    ]
    headings = ["method", "seed", "labels", "micro-F1", "macro-F1", "validation accuracy", "C", "seconds"]
    table = Table(headings, rows, "Scores in %; C is the probe's strength").html()
    return (folded(f"{len(rows)} scores", table),)


def _settings(about: Mapping[str, Any]) -> tuple[Html, ...]:
    asked = {name: value for name, value in about.items() if name != "settings"}
    parts = [settings_table({"value": asked}, caption="What was asked for")] if asked else []
    settings = about.get("settings")
    if isinstance(settings, Mapping) and settings:
        presets = about.get("preset")
        columns = settings if isinstance(presets, Mapping) else {"value": settings}
        parts.append(settings_table(columns, caption="Settings, those of SpCo under spectral"))
    held = {**versions(), "system": f"{platform.system()} {platform.machine()}"}
    parts.append(settings_table({"version": held}, caption="Versions, when this page was written"))
    return (folded("Settings and versions", joined(parts)),)
