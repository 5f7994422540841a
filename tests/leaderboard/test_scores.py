"""What a board concludes from a ledger."""

from __future__ import annotations

import numpy as np
import pytest

from spco.leaderboard.entries import DROP_RATES, board_entries, control_name
from spco.leaderboard.scores import read_board
from spco.runs import RunSpec

from ..made_runs import made_run
from .made_board import FREE, GRAPHS, SCORES, entries, runs


def board(made, **changes):
    return read_board(made, entries(), **{"graphs": GRAPHS, "seeds": (0, 1), **changes})


def by_name(found):
    return {one.entry.name: one for one in found.standings()}


def test_scores_are_means_over_seeds_and_label_rates():
    found = board(runs())
    for name, values in {**SCORES, **FREE}.items():
        entry = next(entry for entry in found.entries if entry.name == name)
        assert [found.score(graph, entry) for graph in GRAPHS] == pytest.approx(values)
    assert [found.best_free(graph) for graph in GRAPHS] == pytest.approx([0.79, 0.71, 0.62])
    assert found.num_missing == 0


def test_standings_by_hand():
    one = by_name(board(runs()))["dgi+spco"]
    # Ranks: wine 1, digits 4 (after cca_ssg .72, sgc .71, dgi .70), cora 1.
    assert one.mean_rank == pytest.approx((1 + 4 + 1) / 3)
    assert one.wins == 2
    assert one.mean_difference == pytest.approx((0.03 - 0.02 + 0.04) / 3)
    assert one.real_difference == pytest.approx(0.04)  # cora alone was collected
    assert one.worst_difference == pytest.approx(-0.02)
    assert one.worst_graph == "digits"
    assert one.median_seconds == 10.5
    assert one.num_graphs == 3
    free = by_name(board(runs()))["sgc"]
    assert free.worst_difference == pytest.approx(-0.08)
    assert free.wins == 0


def test_the_test_is_of_the_table_of_scores():
    found = board(runs())
    table = np.array(list({**SCORES, **FREE}.values())).T
    order = [entry.name for entry in found.entries]
    columns = [list({**SCORES, **FREE}).index(name) for name in order]
    assert found.test.num_graphs == 3
    from scipy.stats import friedmanchisquare

    assert found.test.statistic == pytest.approx(friedmanchisquare(*table[:, columns].T).statistic)


def test_missing_runs_are_counted_and_leave_their_graph_out_of_the_ranks():
    made = [run for run in runs() if (run.name, run.spec.graph) != ("dgi", "digits")]
    found = board(made)
    assert found.complete == ("wine", "cora")
    assert found.num_missing == 2
    standings = by_name(found)
    assert standings["dgi"].missing == 2
    assert standings["dgi"].num_graphs == 2
    assert standings["dgi+spco"].num_graphs == 3
    assert standings["dgi+spco"].mean_rank == 1
    dgi = found.entries[0]
    assert found.score("digits", dgi) is None
    assert found.difference("digits", dgi) is None


def test_an_interrupted_board_compares_equal_seeds():
    made = [run for run in runs() if not (run.name == "dgi" and run.spec.seed == 1)]
    found = board(made)
    assert found.common_seeds("wine") == (0,)
    spectral = found.entries[1]
    assert found.score("wine", spectral) == pytest.approx(0.82)
    assert found.score("wine", spectral, found.common_seeds("wine")) == pytest.approx(0.82 - 0.005)
    assert found.gain("wine", found.entries[0], spectral) == pytest.approx(0.02)
    assert found.difference("wine", spectral) == pytest.approx(0.03)
    assert found.complete == GRAPHS


def test_differences_are_over_the_seeds_that_both_have():
    """The untrained encoder leads by its second seed alone, which dgi does not have."""
    made = [run for run in runs() if not (run.name == "dgi" and run.spec.seed == 1)]
    lucky = made_run(RunSpec("untrained", "wine", 1), 0.99)
    found = board([*made, lucky])
    dgi, spectral = found.entries[:2]
    assert found.difference("wine", dgi) == pytest.approx(0.795 - 0.79)
    assert found.difference("wine", spectral) == pytest.approx(0.82 - (0.735 + 0.99) / 2)
    assert found.gain("wine", dgi, spectral) == pytest.approx(0.815 - 0.795)


def test_an_entry_that_was_never_run_does_not_spoil_the_ranks():
    found = read_board(runs(), board_entries([*SCORES, "grace"]), graphs=GRAPHS, seeds=(0, 1))
    assert found.complete == GRAPHS
    standings = by_name(found)
    assert standings["grace"].mean_rank is None
    assert standings["grace"].missing == 6
    assert [one.entry.name for one in found.standings()][-1] == "grace"
    assert standings["dgi+spco"].mean_rank == pytest.approx(2)


def test_without_a_free_baseline_there_is_no_difference():
    made = [run for run in runs() if not (run.name == "sgc3" and run.spec.graph == "wine")]
    found = board(made)
    assert found.best_free("wine") is None
    assert by_name(found)["dgi"].num_graphs == 2


def test_settings_are_never_mixed():
    old = [made_run(RunSpec("dgi", "wine", seed, settings={"scaling": "rows"}), 0.1) for seed in (0, 1)]
    dgi = entries()[0]
    assert board([*old, *runs()]).score("wine", dgi) == pytest.approx(0.80)
    later = made_run(RunSpec("dgi", "wine", 0, settings={"scaling": "rows"}), 0.9)
    found = board([*runs(), later])
    assert found.score("wine", dgi) == pytest.approx(0.9)
    assert found.held_of("wine", dgi) == "1/2"


def test_a_run_without_all_label_rates_does_not_count():
    made = runs()
    made[0] = made_run(made[0].spec, 0.8, rates=["train20"])
    assert board(made).num_missing == 1


def control_runs(validated, tested, seeds=(0, 1), skip=()):
    found = []
    for rate in DROP_RATES:
        for seed in seeds:
            if (rate, seed) in skip:
                continue
            run = made_run(RunSpec("grace", "wine", seed, label=control_name(rate)), tested[rate])
            for name, scores in run.scores.items():
                object.__setattr__(scores, "val_accuracy", validated[rate] + 0.01 * len(name))
            found.append(run)
    return found


def test_the_control_chooses_by_validation_and_not_by_test_nodes():
    validated = {0.1: 0.5, 0.3: 0.8, 0.5: 0.7, 0.7: 0.6}
    tested = {0.1: 0.9, 0.3: 0.6, 0.5: 0.8, 0.7: 0.7}
    names = board_entries(["edge-dropping"])
    found = read_board(control_runs(validated, tested), names, graphs=["wine"], seeds=(0, 1))
    assert found.choice("wine", names[0]) == "0.3"
    assert found.score("wine", names[0]) == pytest.approx(0.6)
    assert found.missing(names[0]) == 0


def test_a_seed_of_the_control_counts_once_all_rates_have_it():
    same = dict.fromkeys(DROP_RATES, 0.5)
    names = board_entries(["edge-dropping"])
    made = control_runs(same, same, skip=[(0.7, 1)])
    found = read_board(made, names, graphs=["wine"], seeds=(0, 1))
    assert dict(found.cells["wine", "edge-dropping"].scores) == {0: 0.5}
    assert found.missing(names[0]) == 1


def test_auto_says_what_it_chose():
    made = [made_run(RunSpec("cca_ssg", "wine", 0, spectral=True, label="auto"), 0.7)]
    names = board_entries(["auto"])
    found = read_board(made, names, graphs=["wine"], seeds=(0,))
    assert found.choice("wine", names[0]) == "cca_ssg+spco"
    assert found.score("wine", names[0]) == pytest.approx(0.7)


def test_an_empty_ledger_is_an_empty_board():
    found = board([])
    assert found.complete == ()
    assert found.test is None
    assert found.num_missing == found.num_wanted == 3 * (3 * 2 + 5 + 2)
