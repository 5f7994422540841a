"""Downloads from a real server on this machine: hashes, retries, mirrors, the bar, the errors."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path

import pooch
import pytest

from spco.datasets import download
from spco.datasets.download import RemoteFile, fetch, sources
from spco.errors import DatasetUnavailableError, HashMismatchError, InvalidParameterError, SpcoError

from .conftest import Site

CONTENT = {"one.txt": b"one " * 70_000, "two.txt": b"two"}


@pytest.fixture
def published(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A dataset 'tiny' of two files, on the server and in the table of sources."""
    for name, content in CONTENT.items():
        (site.folder / name).write_bytes(content)
    table = {
        "tiny": {
            name: RemoteFile(f"{site.address}/{name}", hashlib.sha256(content).hexdigest(), len(content))
            for name, content in CONTENT.items()
        }
    }
    monkeypatch.setattr(download, "sources", lambda: table)
    return site


def _get(folder: Path, *, mirror: str | None = None, progress: bool = False) -> dict[str, Path]:
    return fetch("tiny", folder, mirror=mirror, progress=progress)


def test_files_arrive_whole_and_only_once(published: Site, tmp_path: Path) -> None:
    files = _get(tmp_path / "raw")
    assert {name: path.read_bytes() for name, path in files.items()} == CONTENT
    assert len(published.requests) == 2
    assert _get(tmp_path / "raw") == files
    assert len(published.requests) == 2


@pytest.mark.parametrize("damage", [b"", b"tw", b"two!", b"<html>Log in to the network</html>"])
def test_other_content_is_refused_and_removed(published: Site, tmp_path: Path, damage: bytes) -> None:
    (published.folder / "two.txt").write_bytes(damage)
    with pytest.raises(HashMismatchError, match=r"two\.txt is not the one that was published(.|\n)*hint:"):
        _get(tmp_path / "raw")
    assert [path.name for path in (tmp_path / "raw").iterdir()] == ["one.txt"]
    # What was right is kept, and the next try asks only for the rest.
    (published.folder / "two.txt").write_bytes(CONTENT["two.txt"])
    published.requests.clear()
    assert _get(tmp_path / "raw")["two.txt"].read_bytes() == b"two"
    assert published.requests == ["/two.txt"]


def test_a_server_that_does_not_stop_is_left(published: Site, tmp_path: Path) -> None:
    (published.folder / "two.txt").write_bytes(b"two" * 10_000_000)
    written = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            download._AtMost,
            "flush",
            lambda self: written.append(self._file.tell()),
        )
        with pytest.raises(HashMismatchError):
            _get(tmp_path / "raw")
    assert max(written, default=0) <= len(CONTENT["one.txt"])
    assert [path.name for path in (tmp_path / "raw").iterdir()] == ["one.txt"]


def test_damaged_file_of_an_earlier_time_is_replaced_or_removed(published: Site, tmp_path: Path) -> None:
    files = _get(tmp_path / "raw")
    files["two.txt"].write_bytes(b"damaged on disk")
    assert _get(tmp_path / "raw")["two.txt"].read_bytes() == b"two"
    files["two.txt"].write_bytes(b"damaged on disk")
    (published.folder / "two.txt").write_bytes(b"damaged there too")
    with pytest.raises(HashMismatchError):
        _get(tmp_path / "raw")
    assert not files["two.txt"].exists()


def test_offline_says_what_to_do(published: Site, tmp_path: Path, closed_address: str) -> None:
    with pytest.raises(DatasetUnavailableError) as caught:
        _get(tmp_path / "raw", mirror=closed_address)
    message = str(caught.value)
    assert "'tiny' is not on this machine" in message
    assert f"{closed_address}/one.txt" in message
    for advice in ("hint:", "root=", "SPCO_DATA", "mirror=", "SPCO_MIRROR", "'digits'"):
        assert advice in message
    assert isinstance(caught.value, OSError)
    assert isinstance(caught.value, SpcoError)
    assert published.requests == []
    assert list((tmp_path / "raw").glob("*")) == []


def test_missing_file_and_unwritable_folder_are_unavailable(published: Site, tmp_path: Path) -> None:
    (published.folder / "two.txt").unlink()
    with pytest.raises(DatasetUnavailableError, match="404"):
        _get(tmp_path / "raw")
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DatasetUnavailableError):
        _get(tmp_path / "file")


def test_mirror_argument_comes_before_the_variable_and_the_origin(
    published: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed_address: str
) -> None:
    (published.folder / "copy").mkdir()
    for name, content in CONTENT.items():
        (published.folder / "copy" / name).write_bytes(content)
    monkeypatch.setenv("SPCO_MIRROR", f"{published.address}/copy/")
    _get(tmp_path / "first")
    assert published.requests == ["/copy/one.txt", "/copy/two.txt"]
    published.requests.clear()
    _get(tmp_path / "second", mirror=published.address)
    assert published.requests == ["/one.txt", "/two.txt"]
    monkeypatch.setenv("SPCO_MIRROR", closed_address)
    with pytest.raises(DatasetUnavailableError):
        _get(tmp_path / "third")


def test_mirror_is_held_to_the_same_hashes(published: Site, tmp_path: Path) -> None:
    (published.folder / "copy").mkdir()
    for name in CONTENT:
        (published.folder / "copy" / name).write_bytes(b"something else")
    with pytest.raises(HashMismatchError, match=r"copy/one\.txt"):
        _get(tmp_path / "raw", mirror=f"{published.address}/copy")


@pytest.mark.parametrize("mirror", ["ftp://example.org", "example.org/data", "/data", " "])
def test_mirror_must_be_an_http_address(
    published: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mirror: str
) -> None:
    with pytest.raises(
        InvalidParameterError, match="The 'mirror' parameter of load_dataset must be an address"
    ):
        _get(tmp_path / "raw", mirror=mirror)
    monkeypatch.setenv("SPCO_MIRROR", mirror)
    with pytest.raises(
        InvalidParameterError, match="hint: it comes from the environment variable SPCO_MIRROR"
    ):
        _get(tmp_path / "raw")
    assert published.requests == []


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("mirror", ["", 3, Path("data")])
def test_mirror_of_another_kind_is_a_named_error(tmp_path: Path, mirror: object) -> None:
    with pytest.raises(InvalidParameterError, match="The 'mirror' parameter of load_dataset"):
        _get(tmp_path / "raw", mirror=mirror)


@pytest.mark.usefixtures("published")
def test_bar_goes_to_stderr_and_ends_full(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _get(tmp_path / "raw", progress=True)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "tiny: 100%" in captured.err
    assert "280k/280k" in captured.err
    assert "one.txt" not in captured.err  # pooch's own lines are held back


@pytest.mark.usefixtures("published")
def test_bar_is_full_too_when_files_were_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = _get(tmp_path / "raw")
    files["two.txt"].unlink()
    _get(tmp_path / "raw", progress=True)
    assert "280k/280k" in capsys.readouterr().err


@pytest.mark.usefixtures("published")
def test_no_progress_is_silent_and_the_logger_keeps_its_level(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logger = pooch.get_logger()
    logger.setLevel(logging.DEBUG)
    try:
        _get(tmp_path / "raw")
        assert logger.level == logging.DEBUG
        assert capsys.readouterr() == ("", "")
    finally:
        logger.setLevel(logging.NOTSET)


def test_sources_are_complete_and_well_formed() -> None:
    assert set(sources()) == {"cora", "citeseer", "pubmed", "blogcatalog", "flickr"}
    for files in sources().values():
        for name, file in files.items():
            assert file.address.startswith("https://")
            assert file.address.endswith(f"/{name}")
            assert len(bytes.fromhex(file.sha256)) == 32
            assert file.size > 0
            # A commit in the address: what it serves cannot change.
            assert any(len(part) == 40 for part in file.address.split("/"))
