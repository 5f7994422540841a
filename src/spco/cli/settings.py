"""``spco settings``: everything that ``--set`` can change for a method."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.padding import Padding
from rich.text import Text

from . import options
from .console import out, print_json

EXAMPLES = ("spco settings grace", "spco settings cca_ssg --preset cora --json")
_OWNER = "settings"


def settings(
    method: Annotated[
        str, typer.Argument(help="A method: its name or module:Class.", autocompletion=options.method_names)
    ],
    preset: options.Preset = None,
    as_json: options.Json = False,
) -> None:
    """List every setting of a method: its key for --set, its range, its meaning and its value.

    The values are the defaults, or those of --preset.
    """
    from ..presets import load_preset
    from ..presets.described import described_settings

    name = options.known_method(method, _OWNER)
    chosen = None if preset in (None, "auto") else load_preset(name, str(preset), owner=f"spco {_OWNER}")
    found = described_settings(name, preset=chosen, owner=f"spco {_OWNER}")
    if as_json:
        print_json([vars(setting) for setting in found])
        return
    for setting in found:
        out.print(f"[bold]{setting.key}[/] = {_text(setting.value)}", highlight=False, markup=True)
        about = Text(f"{setting.kind}: {setting.meaning}")
        out.print(Padding(about, (0, 0, 0, 4)), soft_wrap=False)


def _text(value: Any) -> str:
    """Return a value as ``--set`` takes it."""
    return value if isinstance(value, str) else json.dumps(value).replace("[", "\\[")
