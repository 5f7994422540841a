"""The parser of the social graphs' text files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from spco.datasets.attributed import read_attributed
from spco.errors import FileFormatError


def _files(folder: Path, edge: str, node: str, label: str) -> dict[str, Path]:
    files = {f"Tiny.{kind}": folder / f"Tiny.{kind}" for kind in ("edge", "node", "label")}
    for path, content in zip(files.values(), (edge, node, label), strict=True):
        path.write_text(content)
    return files


def test_pairs_become_matrices_and_classes_start_at_zero(tmp_path: Path) -> None:
    files = _files(
        tmp_path,
        "#Nodes\t4\n#Edges\t4\n0\t1\n1\t0\n1\t2\n2\t1\n",
        "#Nodes\t4\n#Attributes\t5\n0\t4\n2\t0\n2\t1\n",
        "3\n1\n1\n2\n",
    )
    graph = read_attributed(files, "tiny")
    adjacency = np.zeros((4, 4))
    adjacency[[0, 1, 1, 2], [1, 0, 2, 1]] = 1
    features = np.zeros((4, 5))
    features[[0, 2, 2], [4, 0, 1]] = 1
    np.testing.assert_array_equal(graph.adjacency.toarray(), adjacency)
    np.testing.assert_array_equal(graph.features.toarray(), features)
    assert graph.labels.tolist() == [2, 0, 0, 1]
    assert graph.name == "tiny"


@pytest.mark.parametrize(
    "edge", ["", "#Nodes\t4\n", "#Nodes\t4\n#Edges\t1\n0\tx\n", "#Nodes\tmany\n#Edges\t1\n0\t1\n"]
)
def test_damaged_file_is_a_named_error(tmp_path: Path, edge: str) -> None:
    files = _files(tmp_path, edge, "#Nodes\t4\n#Attributes\t5\n0\t4\n", "1\n1\n1\n1\n")
    with pytest.raises(FileFormatError, match=r"Tiny\.edge"):
        read_attributed(files, "tiny")
