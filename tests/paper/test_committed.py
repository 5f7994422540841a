"""The committed results: complete, well formed, and those that the tables are about."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

import spco
from spco.paper import table_pairs
from spco.paper.case_study import CaseSettings, read_case_tables
from spco.paper.case_study.experiments import VIEWS, described
from spco.paper.classification import specs
from spco.paper.evaluators import EVALUATED_COLUMNS, EVALUATED_GRAPHS, read_evaluated
from spco.presets import load_preset
from spco.runs import Ledger
from spco.runs.spec import is_spectral, method_of

RESULTS = Path(__file__).parents[2] / "results"

if not (RESULTS / "ledger.jsonl").exists():
    pytest.skip("the results are not part of this distribution", allow_module_level=True)


def test_every_experiment_of_the_case_study_has_three_seeds_and_the_settings_of_the_paper():
    tables = read_case_tables(RESULTS)
    assert {path.stem for path in (RESULTS / "case_study").glob("*.json")} == {one.name for one in tables}
    for table in tables:
        assert table.settings == vars(CaseSettings())
        assert table.rows, f"{table.name} is under way"
        assert len(table.rows[0].seeds) >= 3  # fewer say nothing about the spread
        assert bool(table.game_scores) == (table.experiment == "table1")


def test_the_evaluators_scored_what_the_tables_have():
    """Ten seeds, with the settings of the preset, and our probe said what the ledger says."""
    runs = {run.key: run for run in Ledger(RESULTS / "ledger.jsonl").runs()}
    found = {(one.column, one.graph): one for one in read_evaluated(RESULTS)}
    assert set(found) == {(column, graph) for column in EVALUATED_COLUMNS for graph in EVALUATED_GRAPHS}
    for (column, graph), one in found.items():
        held = json.loads((RESULTS / "evaluators" / f"{column}-{graph}.json").read_text())
        preset = json.loads(json.dumps(load_preset(method_of(column), graph).to_dict()))
        used = {name: value for name, value in preset.items() if is_spectral(column) or name != "spectral"}
        assert held["description"]["settings"] == used
        assert one.seeds == tuple(range(10))
        ours = [runs[spec.key].scores["train20"].micro_f1 for spec in specs([graph], [column])]
        assert np.mean(one.scores["train20"]["probe"]) == pytest.approx(np.mean(ours), abs=2e-3)


@pytest.mark.parametrize("graph", ["cora", "citeseer"])
def test_table_1_names_the_views_as_they_are_called_now(graph):
    held = json.loads((RESULTS / "case_study" / f"table1-{graph}.json").read_text())
    assert held["description"]["cases"] == {name: described(name) for name in VIEWS}


@pytest.mark.skipif("SPCO_DATA" not in os.environ, reason="SPCO_DATA names no folder of graphs")
def test_the_files_are_those_of_the_graphs_of_their_names(tmp_path):
    copy = Path(shutil.copy(RESULTS / "case_study" / "pairs-cora.json", tmp_path))
    (held,) = (table for table in read_case_tables(RESULTS) if table.name == "pairs-cora")
    seeds = held.rows[0].seeds
    assert table_pairs(spco.load_dataset("cora"), seeds=seeds, path=copy, go_on=lambda: False) == held
