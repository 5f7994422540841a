"""A file or folder is whole, old or new, and on the disk; what fails has a name."""

from __future__ import annotations

import errno
import multiprocessing
import os
from pathlib import Path

import pytest

from spco._atomic import whole_file, whole_folder
from spco._locking import only_writer
from spco.errors import DiskFullError, InUseError, WriteError


@pytest.fixture
def synced(monkeypatch):
    """The inodes that were waited for, in order, with what took a new name in between."""
    order = []
    fsync, replace = os.fsync, os.replace

    def noting_fsync(handle):
        order.append(os.fstat(handle).st_ino)
        fsync(handle)

    def noting_replace(old, new):
        order.append("renamed")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", noting_fsync)
    monkeypatch.setattr(os, "replace", noting_replace)
    return order


def test_a_file_is_on_the_disk_before_its_name_is_and_then_the_name(tmp_path, synced):
    with whole_file(tmp_path / "a" / "b.txt") as part:
        part.write_text("new")
    assert synced == [(tmp_path / "a" / "b.txt").stat().st_ino, "renamed", (tmp_path / "a").stat().st_ino]


def test_a_folder_is_on_the_disk_before_its_name_is(tmp_path, synced):
    with whole_folder(tmp_path / "a") as part:
        (part / "b").write_text("new")
    inside = [path.stat().st_ino for path in (tmp_path / "a" / "b", tmp_path / "a")]
    assert synced == [*inside, "renamed", tmp_path.stat().st_ino]


@pytest.mark.parametrize(("number", "error"), [(errno.ENOSPC, DiskFullError), (errno.EIO, WriteError)])
@pytest.mark.parametrize("whole", [whole_file, whole_folder])
def test_a_disk_that_fails_leaves_what_was_there(tmp_path, monkeypatch, whole, number, error):
    target = tmp_path / "a"
    with whole(target) as part:
        (part if whole is whole_file else part / "b").write_text("old")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(number, "failed")))
    with pytest.raises(error, match=r"a.*: failed") as caught, whole(target) as part:
        (part if whole is whole_file else part / "b").write_text("new")
    assert type(caught.value) is error
    assert (target if whole is whole_file else target / "b").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def _hold(lock, taken, done):
    with only_writer(lock, Path("it"), wait=False):
        taken.set()
        done.wait(60)


def test_one_process_writes_at_a_time_and_a_killed_one_no_more(tmp_path):
    context = multiprocessing.get_context("spawn")
    taken, done = context.Event(), context.Event()
    other = context.Process(target=_hold, args=(tmp_path / ".lock", taken, done))
    other.start()
    assert taken.wait(60)
    with (
        pytest.raises(InUseError, match="Another process is writing to the folder here"),
        only_writer(tmp_path / ".lock", Path("here"), wait=False, kind="the folder "),
    ):
        pass
    other.kill()
    other.join()
    with only_writer(tmp_path / ".lock", Path("here"), wait=False, kind="the folder "):
        pass
