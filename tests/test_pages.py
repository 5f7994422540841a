"""The pages of the documentation run as they stand, and their commands exist."""

from __future__ import annotations

import pytest
from typer.main import get_command

from spco.cli.app import app

from .pages import DOCS, README, commands, named_commands, python_blocks, require_alike, run_page, title

PROGRAM = get_command(app)
PAGES = [README, *DOCS]


def options(command):
    """All options of a command, or of all commands of a group."""
    inner = getattr(command, "commands", {})
    own = {flag for parameter in command.params for flag in (*parameter.opts, *parameter.secondary_opts)}
    return own.union(*map(options, inner.values())) | {"--help", "-h"}


def parsed(words):
    """Parse a command as the program would, short of carrying it out; return what it leaves over."""
    command, name, *rest = PROGRAM, *words
    while hasattr(command, "commands") and rest and not rest[0].startswith("-"):
        name, *rest = rest
        assert name in command.commands, f"there is no command {name!r} in {' '.join(words)!r}"
        command = command.commands[name]
    context = command.context_class(command, info_name=name)
    return command.make_parser(context).parse_args(args=list(rest))[1]


@pytest.mark.parametrize("page", [page for page in DOCS if python_blocks(page)], ids=title)
@pytest.mark.filterwarnings("error::spco.errors.UnreliableResultWarning")
@pytest.mark.filterwarnings("error::spco.errors.IneffectiveSettingsWarning")
def test_the_python_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_page(page, tmp_path)


def test_every_guide_of_code_is_tested():
    assert {page.stem for page in DOCS if python_blocks(page)} >= {
        "quickstart", "your_graph", "advice", "methods", "spectrum", "loop", "large_graphs", "exact",
    }  # fmt: skip


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=title)
def test_shown_commands_can_be_parsed(page):
    for words in commands(page):
        end = words.index(">") if ">" in words else len(words)
        assert parsed(words[:end]) == [], words


@pytest.mark.parametrize("page", [page for page in PAGES if named_commands(page)], ids=title)
def test_named_commands_and_their_options_exist(page):
    for _, name, *rest in named_commands(page):
        assert name in PROGRAM.commands, f"there is no command {name!r}"
        unknown = {word for word in rest if word.startswith("-")} - options(PROGRAM.commands[name])
        assert not unknown, f"spco {name} has no {unknown}"


def test_a_wrong_output_is_found():
    require_alike("score 0.93\n", "score   0.95")
    for printed in ("score 0.73", "scores 0.93", "score 0.93 0.1"):
        with pytest.raises(AssertionError):
            require_alike(printed, "score 0.95")


@pytest.mark.parametrize("line", ["spco trian --dataset wine", "spco train --datset wine", "spco bench none"])
def test_a_wrong_command_is_found(line):
    with pytest.raises(Exception, match=r"no command|No such option"):
        parsed(line.split())
