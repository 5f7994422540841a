"""What all commands have: examples, quiet and verbose, options from a file; errors that speak of options."""

from __future__ import annotations

import shlex

import pytest
import typer

import spco
from spco.cli import console
from spco.cli.app import app

COMMANDS = {
    name: command
    for name, command in typer.main.get_command(app).commands.items()
    if not hasattr(command, "commands")
}
WINE = ("--dataset", "wine")
QUICK = ("--method", "cca_ssg", "--epochs", "2", "--set", "method.widths=[8]", "--plain")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_is_a_command_that_can_be_parsed(name):
    command = COMMANDS[name]
    examples = [line.strip() for line in command.epilog.splitlines() if line.strip().startswith("spco ")]
    assert examples
    for example in examples:
        _, called, *arguments = shlex.split(example.partition(" > ")[0])
        assert called == name
        if "--config" not in arguments:  # whose file would be read
            command.make_context(name, arguments)


@pytest.mark.parametrize("name", [*COMMANDS, "bench pair", ""])
def test_help_fits_80_columns_and_shows_no_type_of_a_flag(name, spco_command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = spco_command(*name.split(), "-h").stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "bool" not in text
    assert not name or "Examples" in text


def test_quiet_says_nothing_and_verbose_says_more(spco_command):
    quiet, usual, verbose = (
        spco_command("train", *WINE, *QUICK, *more).stderr for more in (["-q"], [], ["--verbose"])
    )
    assert quiet == ""
    assert "cca_ssg, seed 0: " in usual
    assert "with 20 labels per class, 1 of 1 runs, 100%" in usual
    assert "learning_rate = " in verbose
    assert "  5 labels per class: micro-F1 " in verbose
    assert "both" in spco_command("datasets", "-q", "-v", code=2).stderr
    console.set_level(console.USUAL)


def test_options_go_to_a_file_and_come_back(spco_command, tmp_path):
    given = ["train", *WINE, *QUICK, "--seeds", "0-1", "--rates", "train5"]
    held = spco_command(*given, "--print-config").stdout
    assert 'set = ["method.widths=[8]"]' in held
    (tmp_path / "run.toml").write_text(held)
    assert spco_command("train", "--config", "run.toml", "--print-config").stdout == held
    other = spco_command("train", "--config", "run.toml", "--seeds", "3", "--print-config").stdout
    assert 'seeds = "3"' in other
    assert "seed 1" in spco_command("train", "--config", "run.toml").stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sedes = 1\n", "did you mean 'seeds'?"),
        ("seeds = \n", "'--config' parameter of spco train must be a TOML file"),
        (None, "'--config' parameter of spco train must be a file that exists"),
    ],
)
def test_bad_files_of_options(text, message, spco_command, tmp_path):
    if text is not None:
        (tmp_path / "run.toml").write_text(text)
    assert message in spco_command("train", "--config", "run.toml", code=2).stderr


MISTAKES = [
    (["embed", "--edges", "nope.csv", "--out", "z.npy"], "The '--edges' parameter of spco embed must name"),
    (["embed", "--edges", "e.csv", "--out", "z.npy"], "hint: --features-from degree or --features-from one"),
    (["embed", "--edges", "e.csv", "--fill", "x", "--out", "z.npy"], "'--fill' parameter of spco embed"),
    (
        ["embed", "--edges", "e.csv", "--features", "x.csv", "--out", "z.npy"],
        "hint: --drop-column colour leaves a column out, --encode-column colour makes",
    ),
    (["embed", "--edges", "e3.csv", "--out", "z.npy"], "'--column source' parameter of spco embed"),
    (["embed", "--edges", "e3.csv", "--out", "z.npy"], "hint: --column source=… and --column target=…"),
    (
        ["advise", "--edges", "e3.csv", "--features", "x.csv"],
        "takes it for the labels\nerror: The '--column source' parameter of spco advise must name",
    ),
    (["advise", "--edges", "e.csv", "--features-from", "degre"], "hint: did you mean 'degree'?"),
    (["convert", "nope.csv", "g"], "The 'EDGES' parameter of spco convert must name a file or folder"),
    (["convert", "one.csv", "g"], "The 'EDGES' parameter of spco convert must have two columns"),
    (["advise", "--edges", "one.csv"], "'--edges' parameter of spco advise must have two columns"),
    (["verify", "e.csv"], "The 'PATH' parameter of spco verify must be a model folder"),
    (["embed", *WINE, "--dim", "500", "--out", "z.npz"], "'--dim' parameter of spco embed must be at most"),
    (["embed", *WINE, "--method", "dgi", "--epochs", "1", "--set", "embedding_size=170", "--set",
      "method.widths=[8]", "--out", "z.npz"], "'--dim' parameter of spco embed must be at most 8"),
    (["train", "--edges", "e3.csv", "--column", "source=0", "--column", "target=1", "--features", "n.csv",
      "--labels", "y.csv", "--method", "dgi", "--rates", "50"], "smaller training sets: --rates 2"),
    (["train", "--dataset", "wien"], "The '--dataset' parameter of spco train must be one of"),
    (["train", *WINE, "--method", "dgi", "--preset", "cra"], "'--preset' parameter of spco train"),
    (["train", *WINE, "--epochs", "0"], "'--epochs' parameter of spco train"),
    (["reproduce", "table2", "--datasets", "coraa", "--budget", "0"], "'--datasets' parameter of"),
    (["spectrum", *WINE, "--view", "drop-egdes"], "'--view' parameter of spco spectrum must be one of"),
    (["spectrum", *WINE, "--view", "drop-edges:2"], "'--view drop-edges:p' parameter of spco spectrum must"),
    (["embed", *WINE, "--method", "gcn", "--out", "z.npz"], "hint: spco train --method gcn"),
    (["settings", "dgii"], "The 'METHOD' parameter of spco settings must be one of"),
    (["train", *WINE, "--track", "tensorbord"], "'--track' parameter of spco train must be one of"),
    (["embed", *WINE, "--out", "z.npz", "--track", "csv:"], "'--track' parameter of spco embed must"),
    (["train", *WINE, "--method", "dgi", "--set", "eta=0.3"], "hint: did you mean 'spectral.eta'?"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), MISTAKES)
def test_errors_speak_of_options(arguments, message, spco_command, tmp_path):
    (tmp_path / "e.csv").write_text("a,b\nb,c\n")
    (tmp_path / "one.csv").write_text("only\nx\n")
    (tmp_path / "n.csv").write_text("id,size\na,1\nb,2\nc,3\n")
    (tmp_path / "y.csv").write_text("id,label\na,u\nb,v\nc,u\n")
    (tmp_path / "e3.csv").write_text("who,whom,when\na,b,1\nb,c,2\n")
    (tmp_path / "x.csv").write_text("id,size,colour\na,1,red\nb,2,red\nc,3,blue\n")
    said = spco_command(*arguments, code=2).stderr
    assert message in said
    for word in (
        "read_graph",
        "Embedder",
        "NodeClassifier",
        "load_dataset",
        "convert_graph",
        "per_class",
        "source=,",
        "Traceback",
    ):
        assert word not in said


def test_a_preset_is_read_from_a_file(spco_command, tmp_path):
    found = spco.presets.load_preset("dgi", "cora")
    (tmp_path / "mine.toml").write_text(spco.tuning.search.preset_toml(found, "mine"))
    assert spco.presets.load_preset("dgi", str(tmp_path / "mine.toml")) == found
    (tmp_path / "flat.toml").write_text('scaling = "rows"\n[spectral]\neta = 0.25\n')
    listed = spco_command("settings", "dgi", "--preset", "flat.toml").stdout
    assert "spectral.eta = 0.25" in listed
    assert "scaling = rows" in listed


@pytest.mark.parametrize("method", list(spco.methods.LEARNERS))
def test_every_setting_has_a_range_and_a_meaning(method):
    from spco.presets.described import described_settings

    for setting in described_settings(method):
        assert setting.kind, setting.key
        assert setting.meaning, setting.key
