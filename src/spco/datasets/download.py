"""The folders of datasets on this machine, and the download of published files, checked by SHA-256."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

from .._validation import invalid, shown
from ..errors import DatasetUnavailableError, HashMismatchError

DATA_VARIABLE = "SPCO_DATA"
CACHE_VARIABLE = "SPCO_CACHE"
MIRROR_VARIABLE = "SPCO_MIRROR"
# The number goes up when the parsers change, so that the cache never returns what an older parser made.
_PARSED_FOLDER = "graphs-1"
_CHUNK = 1 << 16
_SECONDS_BETWEEN_LINES = 10.0

Downloader = Callable[[str, Any, Any], None]
"""Takes an address, a path or file to write to, and pooch's fetcher."""


def data_folder() -> Path | None:
    """Return the folder of datasets in ``$SPCO_DATA``, if it is set."""
    chosen = os.environ.get(DATA_VARIABLE)
    return Path(chosen) if chosen else None


def cache_folder() -> Path:
    """Return the folder of downloads: ``$SPCO_CACHE``, else the user's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    import pooch

    return Path(pooch.os_cache("spco"))


def raw_folder() -> Path:
    """Return the folder of the files as published."""
    return cache_folder() / "raw"


def parsed_folder(name: str) -> Path:
    """Return the folder of a downloaded graph after parsing."""
    return cache_folder() / _PARSED_FOLDER / name


@dataclass(frozen=True)
class RemoteFile:
    """A published file."""

    address: str
    sha256: str
    size: int


@cache
def sources() -> Mapping[str, Mapping[str, RemoteFile]]:
    """Return the published files of every downloadable dataset, by dataset and file name."""
    table = json.loads((files(__package__) / "sources.json").read_text(encoding="utf-8"))
    return {
        dataset: {
            name: RemoteFile(f"{group['address']}/{name}", file["sha256"], file["bytes"])
            for name, file in group["files"].items()
        }
        for dataset, group in table.items()
    }


def fetch(dataset: str, folder: Path, *, mirror: str | None, progress: bool) -> dict[str, Path]:
    """Download the files of a dataset that ``folder`` lacks; return the path of each file.

    Every file is checked against its published SHA-256, whatever its address.
    """
    import pooch

    wanted = sources()[dataset]
    addresses = {name: _address(name, file, mirror) for name, file in wanted.items()}
    registry = {name: f"sha256:{file.sha256}" for name, file in wanted.items()}
    fetcher = pooch.Pooch(path=folder, base_url="", registry=registry, urls=addresses)
    found = {}
    size = sum(file.size for file in wanted.values())
    with _bar(dataset, size, progress) as bar, _quiet(pooch.get_logger()):
        for name, file in wanted.items():
            share = _Share(bar, file.size)
            downloader = _bounded(pooch.HTTPDownloader(progressbar=share, chunk_size=_CHUNK), file.size)
            try:
                found[name] = Path(fetcher.fetch(name, downloader=downloader))
            # All errors of requests are OSErrors; some are ValueErrors as well.
            except OSError as error:
                raise _unavailable(dataset, addresses[name], error) from error
            except ValueError as error:
                # pooch removes what it has just fetched, but not a file that was damaged before.
                (folder / name).unlink(missing_ok=True)
                raise _wrong_hash(addresses[name], file) from error
            share.close()
    return found


def _address(name: str, file: RemoteFile, mirror: str | None) -> str:
    base = mirror if mirror is not None else os.environ.get(MIRROR_VARIABLE) or None
    if base is None:
        return file.address
    if not isinstance(base, str) or not base.startswith(("http://", "https://")):
        must = "be an address that starts with http:// or https://"
        hint = f"it comes from the environment variable {MIRROR_VARIABLE}" if mirror is None else None
        raise invalid("mirror", "load_dataset", must, shown(base), hint=hint)
    return f"{base.rstrip('/')}/{name}"


def _unavailable(dataset: str, address: str, error: OSError) -> DatasetUnavailableError:
    return DatasetUnavailableError(
        f"The dataset {dataset!r} is not on this machine and could not be fetched from {address}: {error}\n"
        f"hint: offline, put adj.npz, feat.npz, label.npy, train20.npy, ... into a folder {dataset}/ "
        f"and give its parent folder as root=... or in the environment variable {DATA_VARIABLE}\n"
        f"hint: behind a firewall, give another address of the files as mirror=... or in {MIRROR_VARIABLE}\n"
        "hint: 'digits', 'wine', 'breast_cancer', 'sbm' and 'hubs' need no download"
    )


def _wrong_hash(address: str, file: RemoteFile) -> HashMismatchError:
    return HashMismatchError(
        f"The file from {address} is not the one that was published: its SHA-256 is not {file.sha256}. "
        "It has been removed.\n"
        "hint: try again; if the error persists, the server or a proxy has changed the file"
    )


def _bounded(download: Downloader, size: int) -> Downloader:
    """Return a downloader that stops as soon as it has more than ``size`` bytes, whatever the server says."""

    def run(address: str, path: str, fetcher: Any) -> None:
        with open(path, "wb") as file:
            download(address, _AtMost(file, size), fetcher)

    return run


class _AtMost:
    """A file that refuses to grow beyond a size, with the methods that pooch calls."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file = file
        self._left = size

    def write(self, block: bytes) -> None:
        self._left -= len(block)
        if self._left < 0:
            raise ValueError("more bytes than were published")
        self._file.write(block)

    def flush(self) -> None:
        self._file.flush()


class _Share:
    """One file's share of a dataset's progress bar, with the methods that pooch calls."""

    def __init__(self, bar: Any, size: int) -> None:
        self.total = size
        self._bar = bar
        self._left = size

    def update(self, amount: int) -> None:
        step = min(amount, self._left)
        self._left -= step
        self._bar.update(step)

    def reset(self) -> None:
        """Do nothing: pooch counts whole chunks and has to start again, but ``update`` never overshoots."""

    def close(self) -> None:
        self.update(self._left)


def _bar(title: str, size: int, wanted: bool) -> Any:
    from tqdm import tqdm

    # A log file needs only the first and the last state of a short download.
    pause = 0.1 if sys.stderr.isatty() else _SECONDS_BETWEEN_LINES
    return tqdm(total=size, desc=title, unit="B", unit_scale=True, disable=not wanted, mininterval=pause)


@contextmanager
def _quiet(logger: logging.Logger) -> Iterator[None]:
    """Suppress pooch's line for each file, which would break the bar."""
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)
