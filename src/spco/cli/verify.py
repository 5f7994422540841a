"""``spco verify``: whether stored results are whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import options
from .console import out, print_json

if TYPE_CHECKING:
    from ..runs.checking import CheckedFile


EXAMPLES = (
    "spco verify runs",
    "spco verify results/ledger.jsonl --json",
)


def verify(
    path: Annotated[Path, typer.Argument(help="A model folder, a folder of runs, or a ledger (.jsonl).")],
    as_json: options.Json = False,
) -> None:
    """Check that a saved model, a folder of runs or a ledger is whole.

    Every file is read: models and checkpoints against the SHA-256 within them, arrays and documents for
    damage, an embedding against the model beside it. Prints what was found; exit code 1 if anything is wrong.
    """
    from ..runs.checking import check_results

    found = check_results(path)
    if as_json:
        print_json([{"path": str(f.path), "contents": f.contents, "fault": f.fault} for f in found])
    else:
        for file in found:
            out.print(_line(file), highlight=False, markup=False)
    if any(file.fault is not None for file in found):
        raise typer.Exit(1)


def _line(file: CheckedFile) -> str:
    state, said = ("ok", file.contents) if file.fault is None else ("WRONG", f"{file.contents}: {file.fault}")
    return f"{state:5}  {file.path}  {said}"
