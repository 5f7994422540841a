"""A machine without datasets, and a local server that publishes files."""

from __future__ import annotations

import functools
import http.server
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No folder of graphs, no mirror, an empty cache, and no proxy between the tests and their server."""
    monkeypatch.delenv("SPCO_DATA", raising=False)
    monkeypatch.delenv("SPCO_MIRROR", raising=False)
    monkeypatch.setenv("SPCO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@dataclass
class Site:
    """A running server: where it is, what it serves, which files were asked for."""

    address: str
    folder: Path
    requests: list[str] = field(default_factory=list)


def serve(folder: Path) -> Iterator[Site]:
    """Serve a folder on a free port of this machine until the generator is closed."""
    site = Site("", folder)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            site.requests.append(self.path)

    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        site.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield site
        server.shutdown()
        thread.join()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server of an empty folder that the test fills."""
    folder = tmp_path / "site"
    folder.mkdir()
    yield from serve(folder)


@pytest.fixture
def raw_site(data_root: Path) -> Iterator[Site]:
    """A server of the files as published, or a skip."""
    raw = data_root.resolve().parent / "raw"
    if not raw.is_dir():
        pytest.skip("no folder 'raw' with the published files beside $SPCO_DATA")
    yield from serve(raw)


@pytest.fixture
def closed_address() -> Iterator[str]:
    """An address where nobody listens: the port is taken, but only by this test."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
