"""Load a dataset by name: generate it, or find it in a folder, in the cache or on the network."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Literal

from numpy.random import Generator

from .._random import RandomState, as_generator
from .._validation import invalid, unknown_name
from ..errors import InvalidInputError, InvalidParameterError, MissingFileError
from ..graph import Graph
from ..graph.files import read_graph, write_graph
from .catalog import DATASETS, DownloadedDataset, EmbeddedDataset, FolderDataset
from .download import DATA_VARIABLE, data_folder, fetch, parsed_folder, raw_folder

Availability = Literal["embedded", "folder", "cached", "download"]
_OWNER = "load_dataset"


def load_dataset(
    name: str,
    *,
    root: str | os.PathLike[str] | None = None,
    random_state: RandomState = 0,
    mirror: str | None = None,
    progress: bool = True,
) -> Graph:
    """Load a graph by name; :data:`spco.datasets.DATASETS` and ``spco datasets`` list the names.

    The graph comes from the first of these places that has it:

    1. the embedded graphs (``digits``, ``wine``, ``breast_cancer``, and the generated ``hubs``, ``sbm``,
       ``sbm-homo`` and ``sbm-hetero``), which need no file, and the graphs added by
       :func:`spco.register_dataset`;
    2. the folder ``root/name``, if ``root`` is given; then no other place is searched;
    3. the folder ``name`` in ``$SPCO_DATA``;
    4. the cache: ``$SPCO_CACHE``, else the user's cache folder;
    5. a download into that cache, every file checked against its published SHA-256.

    Places 2 and 3 may hold your own graphs: any folder with ``adj.npz`` and, optionally, ``feat.npz``,
    ``label.npy`` and one ``.npy`` file of node numbers per split.

    Parameters
    ----------
    name : str
    root : path, optional
        A folder that holds the folder ``name``.
    random_state : int or Generator
        Seeds the splits of embedded graphs and everything in generated ones. The other graphs have published
        splits.
    mirror : str, optional
        An http or https address that serves the published files under their own names, for machines that
        cannot reach the original one. Default: ``$SPCO_MIRROR``, else the original address.
    progress : bool
        Show a bar on stderr while downloading.

    Raises
    ------
    UnknownNameError
        No dataset has this name; the closest one is in the message.
    MissingFileError
        ``root`` does not hold the dataset.
    DatasetUnavailableError
        The download failed.
    HashMismatchError
        A downloaded file differs from the published one.

    Examples
    --------
    >>> import spco
    >>> spco.load_dataset("wine")
    Graph(wine: 178 nodes, 1231 edges, 13 dense features, 3 classes, splits train5/train10/train20/val/test)
    """
    generator = as_generator(random_state, _OWNER)
    graph = _load(name, None if root is None else Path(root), generator, mirror, progress)
    return graph if graph.name == name else replace(graph, name=name)


def _load(name: str, root: Path | None, rng: Generator, mirror: str | None, progress: bool) -> Graph:
    if not isinstance(name, str):
        raise _unknown(name, data_folder())
    dataset = DATASETS.get(name)
    if isinstance(dataset, EmbeddedDataset):
        return _made(dataset, rng)
    if isinstance(dataset, FolderDataset):
        return read_graph(dataset.path)
    folder = _folder_of(name, data_folder()) if root is None else _in_root(name, root)
    if folder is not None:
        return read_graph(folder)
    if not isinstance(dataset, DownloadedDataset):
        raise _unknown(name, data_folder())
    return _from_cache(dataset, mirror, progress)


def availability(name: str) -> Availability:
    """Return where :func:`load_dataset`, without ``root``, would now find a registered dataset.

    >>> availability("digits")
    'embedded'
    """
    dataset = DATASETS.resolve(name, owner="availability")
    if isinstance(dataset, EmbeddedDataset):
        return "embedded"
    if isinstance(dataset, FolderDataset) or _folder_of(name, data_folder()) is not None:
        return "folder"
    return "cached" if os.path.isdir(parsed_folder(name)) else "download"


def _in_root(name: str, root: Path) -> Path:
    if not os.path.isdir(root):
        raise invalid("root", _OWNER, "be a folder that exists", f"{str(root)!r}", error=MissingFileError)
    folder = _folder_of(name, root)
    if folder is not None:
        return folder
    if name not in DATASETS:
        raise _unknown(name, root)
    got = f"{str(root)!r} with {', '.join(map(repr, _folders(root))) or 'no folders'}"
    hint = f"without root=..., spco looks for {name!r} in ${DATA_VARIABLE} and the cache, then downloads it"
    raise invalid("root", _OWNER, f"hold a folder {name!r}", got, hint=hint, error=MissingFileError)


def _folder_of(name: str, root: Path | None) -> Path | None:
    # A name is one plain component of a path, so it cannot lead out of the folder.
    is_plain = re.fullmatch(r"\w[\w.-]*", name) is not None
    return root / name if root is not None and is_plain and os.path.isdir(root / name) else None


def _folders(root: Path | None) -> list[str]:
    if root is None or not os.path.isdir(root):
        return []
    return sorted(folder.name for folder in root.iterdir() if folder.is_dir())


def _unknown(name: object, root: Path | None) -> InvalidInputError:
    return unknown_name("name", _OWNER, name, {*DATASETS, *_folders(root)})


def _made(dataset: EmbeddedDataset, generator: Generator) -> Graph:
    graph: object = dataset.make(generator)
    if not isinstance(graph, Graph):
        must = f"return a Graph for {dataset.name!r}"
        raise invalid("make", "register_dataset", must, type(graph).__name__)
    return graph


def _from_cache(dataset: DownloadedDataset, mirror: str | None, progress: bool) -> Graph:
    """Return the parsed graph in the cache; the first time, download and parse it."""
    folder = parsed_folder(dataset.name)
    if not folder.is_dir():
        files = fetch(dataset.name, raw_folder(), mirror=mirror, progress=progress)
        graph = dataset.read(files, dataset.name)
        folder.parent.mkdir(parents=True, exist_ok=True)
        try:
            write_graph(graph, folder)
        except (OSError, InvalidParameterError):
            # Another process may have stored the same graph in the meantime.
            if not folder.is_dir():
                raise
    return read_graph(folder)
