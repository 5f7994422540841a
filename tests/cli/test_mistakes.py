"""A user's mistakes: what a message says of the option, and that nothing is left behind."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import typer
from packaging.version import Version

IDS = [f"c{number}" for number in range(60)]
CLASSES = ("honest", "fraud", "b2b")
OWN = "--edges edges.csv --features feats.csv"
QUICK = "--method cca_ssg --epochs 1"


@pytest.fixture
def messy_files(tmp_path):
    def write(name, header, cell):
        rows = (f"{node},{cell(row)}\n" for row, node in enumerate(IDS))
        (tmp_path / name).write_text(f"{header}\n{''.join(rows)}")

    write("edges.csv", "source,target", lambda row: IDS[(7 * row + 1) % 60])
    write("feats.csv", "id,x,y", lambda row: f"{row % 7},{row % 5}")
    write("labels.csv", "id,label", lambda row: CLASSES[row % 3])
    write("one.csv", "id,label", lambda row: "fraud" if row < 30 else "")
    write("few.csv", "id,label", lambda row: "fraud" if row < 3 else "honest")
    write("gaps.csv", "id,label", lambda row: CLASSES[row % 3] if row else "")
    write("some.csv", "id,split", lambda row: ("train", "val", "test")[row // 20])
    write("leak.csv", "id,split", lambda row: f"train\n{IDS[row]},val\n{IDS[row]},test")
    write("emb.csv", "node_id,d0", lambda row: row)
    (tmp_path / "column.csv").write_text("source\na\nb\n")
    (tmp_path / "odd.csv").write_text("foo,bar,baz,qux\na,b,1,2\n")
    (tmp_path / "preset.toml").write_text("[spectral]\netta = 1\n")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("precious")
    broken = np.zeros((178, 4))
    broken[3, 1] = np.nan
    np.save(tmp_path / "nan.npy", broken)
    sp.save_npz(tmp_path / "small.npz", sp.eye_array(2, format="csr"))


MISTAKES = [
    (
        "advise --edges column.csv",
        "'--edges' parameter of spco advise must have two columns",
        "Got one column.",
    ),
    ("advise --edges odd.csv", "'--column source' parameter", "Got none, with the columns 'foo'"),
    ("advise --dataset wine --features feats.csv", "'--features' parameter", "Got 'feats.csv'."),
    (
        f"embed {OWN} --features-from degree --out z.npy",
        "'--features-from' parameter of spco embed must be given without --features.",
        "Got 'degree' beside 'feats.csv'.",
    ),
    ("advise --dataset cora --root full", "'--root' parameter", "without --root"),
    ("train --dataset wine --method all,dgi", "'--method' parameter", "Got 'all,dgi'."),
    ("train --dataset wine --method ,", "must be names separated by commas, or all, or auto", "Got ','."),
    ("train --dataset wine --rates 100", "must be one of '10', '20', '5'. Got '100'.", "did you mean '10'?"),
    ("train --dataset wine --preset cora", "must be 'auto' with --method auto", "Got 'cora'"),
    (
        "train --dataset wine --method dgi --preset preset.toml",
        "'--preset' parameter of spco train must hold settings of 'dgi'. Got 'preset.toml', where 'etta'",
        "did you mean 'eta'?",
    ),
    (f"train {OWN} --method gcn", "the graph has none. Got 'gcn'.", "hint: --labels names a file"),
    (
        f"train {OWN} --labels one.csv {QUICK}",
        "The graph must have labels of at least two classes.",
        "Got 30 labelled nodes, all of class 'fraud'.",
    ),
    (
        f"train {OWN} --labels few.csv {QUICK}",
        "'--labels' parameter of spco train",
        "Got 3 in class 'fraud'.",
    ),
    (
        f"train {OWN} --labels gaps.csv --splits some.csv {QUICK}",
        "The split 'train' must name nodes whose class is known.",
        "Got node 'c0' without one, 1 of 20 nodes in all.",
    ),
    (
        f"train {OWN} --labels labels.csv --splits leak.csv {QUICK}",
        "The split 'val' must share no node with the split 'train'.",
        "Got node 'c0' in both, 60 shared in all.",
    ),
    (
        "tune --dataset wine --method dgi --vary etta=1,2",
        "such as 'spectral.eta'. Got 'etta'.",
        "did you mean",
    ),
    (f"tune {OWN} --method dgi", "'--labels' parameter of spco tune must name a file of node labels", ""),
    ("evaluate --embeddings nan.npy --dataset wine", "'--embeddings' parameter", "Got nan in row 3"),
    (
        "evaluate --embeddings feats.csv --labels labels.csv",
        "which has 'id', 'x', 'y'",
        "has to be called node_id",
    ),
    ("evaluate --embeddings emb.csv --labels one.csv", "labels of at least two classes", "'fraud'"),
    ("predict --embeddings emb.csv --labels one.csv --out p.csv", "'--labels' parameter", "of 1 class"),
    ("neighbors --embeddings emb.csv --node C7", "'--node' parameter", "did you mean 'c7'?"),
    ("spectrum --dataset wine --view-file small.npz", "'--view-file' parameter", "Got 'small.npz', where"),
    ("convert edges.csv full", "'GRAPH' parameter", "hint: --overwrite replaces it"),
    (
        "verify missing",
        "'PATH' parameter of spco verify must name a file or folder that exists",
        "Got 'missing'.",
    ),
    ("embed --dataset wine --out z.npy --dim many", "'--dim'", "'many'"),
    ("embed --dataset wine --out z.npy --dim 8 --dim many", "'--dim'", "'many'"),
]
if Version(typer.__version__) >= Version("0.29"):  # earlier ones have a sentence of their own
    MISTAKES.append(("train --dataset wine --jobs 0", "'--jobs' parameter of spco train", "Got '0'."))


@pytest.mark.usefixtures("messy_files")
@pytest.mark.parametrize(("command", "must", "got"), MISTAKES, ids=[one[0] for one in MISTAKES])
def test_a_mistake_is_told_in_words_of_the_command_line(spco_command, tmp_path, command, must, got):
    before = sorted(tmp_path.rglob("*"))
    done = spco_command(*command.split(), code=2)
    told = " ".join(done.stderr.replace("│", " ").split())
    assert must in told
    assert got in told
    assert "Traceback" not in done.stdout + done.stderr
    assert sorted(tmp_path.rglob("*")) == before
