"""Node classification in Markdown and LaTeX: three blocks side by side, and the compact tables."""

from __future__ import annotations

import pytest

from spco.paper.cells import classification
from spco.paper.checks import checks
from spco.paper.classification import specs
from spco.paper.pages.classification_tables import (
    blocks_table,
    outside_table,
    printed_settings_table,
    tuned_settings_table,
)
from spco.paper.pages.latex import latex
from spco.paper.pages.markdown import checks_markdown, classification_markdown

from ...made_runs import made_run
from ..made_up import evaluated_run

BY_AUTHORS = {"dgi": 0.82, "dgi+spco": 0.70}
TUNED = {"gcn": 0.8, "dgi": 0.9, "dgi+spco": 0.91}


@pytest.fixture(scope="module")
def found():
    """Two seeds of published settings, and two of ours."""
    runs = [
        *(
            evaluated_run(spec, BY_AUTHORS[spec.name] + spec.seed / 100)
            for spec in specs(["cora"], BY_AUTHORS, [0, 1], family="paper")
        ),
        *(made_run(spec, TUNED[spec.name] + spec.seed / 100) for spec in specs(["cora"], TUNED, [0, 1])),
    ]
    return classification(runs)


def rows(table):
    lines = table.markdown().splitlines()[2:]
    return [line.strip("| ").split(" | ") for line in lines]


def test_the_blocks_stand_side_by_side(found):
    assert rows(blocks_table(found, "train20", "micro_f1")) == [
        ["Cora", "GCN", "80.7 ± 0.6", "–", "–", "–", "–", "–", "80.5 ± 0.7 (2)", "–"],
        [
            "Cora",
            "DGI",
            "82.0 ± 0.5",
            "–",
            "82.5 ± 0.7 (2)",
            "+0.5 ●",
            "–",
            "77.5 ± 0.7 (2)",
            "90.5 ± 0.7 (2)",
            "–",
        ],
        [
            *("Cora", "DGI + SpCo", "82.8 ± 0.7", "+0.8"),
            *("70.5 ± 0.7 (2)", "−12.3 ▼", "−12.00", "65.5 ± 0.7 (2)"),
            *("91.5 ± 0.7 (2)", "+1.00"),
        ],
    ]


def test_there_is_a_table_for_each_label_rate_and_metric(found):
    text = classification_markdown(found)
    for rate in (5, 10, 20):
        for metric in ("macro-F1", "micro-F1"):
            assert text.count(f"**{rate} labels per class, {metric} in %**") == 1
    assert text.index("**5 labels") < text.index("**10 labels") < text.index("**20 labels")
    assert text.rstrip().endswith(found.summary())
    assert "MVGRL" not in text  # it was not run


def test_latex_has_the_same_cells_and_colours_verdicts_alone(found):
    source = latex(found)
    assert source.count(r"\begin{tabular}") == source.count(r"\end{tabular}") == 6
    micro = source[source.index("% 20 labels per class, micro-F1") :]
    assert r"82.5$\pm$0.7 (2) & \cellcolor{green!15}+0.5 & -- &" in micro
    assert r"70.5$\pm$0.7 (2) & \cellcolor{orange!25}$-$12.3 & $-$12.00 &" in micro
    assert source.count("cellcolor") == 2 * 6  # two published columns in six tables, nothing tuned
    for sign in "±●▼†–":
        assert sign not in micro.replace(f"% {found.summary()}", "")
    for line in source.splitlines():
        if line.endswith(r"\\") and "multicolumn" not in line:
            assert line.count("&") == 9


def test_the_compact_tables_show_one_family_each(found):
    assert rows(printed_settings_table(found)) == [
        ["Cora", "DGI", "82.5 ± 0.7 (2) ●", "70.5 ± 0.7 (2) ▼", "−12.00", "82.0 ± 0.5", "82.8 ± 0.7"]
    ]
    assert rows(tuned_settings_table(found)) == [
        ["Cora", "DGI", "90.5 ± 0.7 (2)", "91.5 ± 0.7 (2)", "+1.00", "+1.00", "+1.00"]
    ]


def test_what_is_outside_stands_beside_its_plain_method(found):
    *plain, spectral = checks(found)
    assert rows(outside_table(spectral, found))[-1] == [
        *("Cora", "DGI + SpCo", "20 per class", "micro-F1"),
        *("70.5 ± 0.7 (2)", "82.8 ± 0.7", "−12.3 ▼", "+0.5 ●"),
    ]
    text = checks_markdown(found)
    assert (
        "- Open. SpCo on all graphs, at all label rates, in both metrics, within 2σ of the print or above: "
        in text
    )
    assert "0 of 90, needed 72, 84 not run." in text
    assert "Outside: DGI on Cora, 5 per class, 82.5 (2 seeds) against 77.3 ± 0.5" in text
    assert [check.status for check in plain] == ["not met", "open", "open", "open"]
