"""The two streams of the command line: results go to stdout, logs and progress to stderr."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console

# A pipe has no width; tables are not cut or folded for it.
_PIPE_WIDTH = 200

out = Console(soft_wrap=True, width=None if sys.stdout.isatty() else _PIPE_WIDTH)
log = Console(stderr=True, soft_wrap=True)


def print_json(document: Any) -> None:
    """Write one JSON document to stdout, plain, for other programs to read."""
    print(json.dumps(document, indent=2))
