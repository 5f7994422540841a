"""The ``spco`` command: one file per command, data to stdout, everything else to stderr."""

from .app import main

__all__ = ["main"]
