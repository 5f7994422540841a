"""The two streams of the command line: results go to stdout, logs and progress to stderr."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console

out = Console(soft_wrap=True)
log = Console(stderr=True, soft_wrap=True)


def print_json(document: Any) -> None:
    """Write one JSON document to stdout, plain, for other programs to read."""
    print(json.dumps(document, indent=2))
