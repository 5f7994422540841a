"""Checks against the print: which cells count, how near they must be, and when a check is open."""

from __future__ import annotations

import pytest

from spco.paper.cells import Block, Cell, Classification
from spco.paper.checks import checks
from spco.paper.classification import GRAPHS, METRICS, PUBLISHED_COLUMNS, RATES, printed_score

NOTHING = Block((), ())


def found_with(shift, *, missing=()):
    """All cells at the printed mean plus ``shift``, in printed deviations or as a function of the cell."""
    cells = []
    for graph in GRAPHS:
        for rate in RATES:
            for metric in METRICS:
                for column in PUBLISHED_COLUMNS:
                    paper = printed_score(graph, rate, metric, column)
                    moved = shift(graph, column, paper) if callable(shift) else shift * paper.std
                    n = 0 if (graph, column) in missing else 3
                    mean = paper.mean + moved if n else None
                    cells.append(Cell(graph, rate, metric, column, mean, None, n, paper))
    return Classification(Block(tuple(cells), ()), NOTHING, NOTHING)


def test_numbers_as_printed_meet_every_check():
    made = checks(found_with(0.0))
    assert [(check.total, check.needed, len(check.held)) for check in made] == [
        (6, 6, 6),
        (12, 10, 12),
        (6, 6, 6),
        (12, 10, 12),
        (90, 72, 90),
    ]
    assert {check.status for check in made} == {"met"}


def test_twenty_labels_need_one_deviation_or_six_tenths_of_a_point():
    def shift(graph, column, paper):
        return max(1.01 * paper.std, 0.0061) if (graph, column) == ("cora", "dgi") else 1.0 * paper.std

    full, fewer, *_ = checks(found_with(shift))
    assert [(cell.graph, cell.column, cell.rate) for cell in full.outside] == [("cora", "dgi", "train20")]
    assert full.status == "not met"
    assert fewer.status == "met"


@pytest.mark.parametrize(("deviations", "held"), [(-2.0, 90), (-2.01, 0), (2.01, 90)])
def test_spco_counts_above_as_well_as_within(deviations, held):
    *_, spectral = checks(found_with(deviations))
    assert len(spectral.held) == held
    assert len(spectral.outside) == 90 - held
    assert spectral.status == ("met" if held else "not met")


def test_a_check_is_open_while_missing_cells_can_decide_it():
    three = [("flickr", column) for column in PUBLISHED_COLUMNS if "+" in column]
    *_, spectral = checks(found_with(0.0, missing=three))
    assert (len(spectral.missing), spectral.status) == (18, "met")  # 72 of the rest are enough
    *_, spectral = checks(found_with(0.0, missing=[*three, ("cora", "dgi+spco")]))
    assert (len(spectral.missing), spectral.status) == (24, "open")
    full, *_ = checks(found_with(0.0, missing=[("citeseer", "grace")]))
    assert (full.status, len(full.missing), full.outside) == ("open", 1, ())
