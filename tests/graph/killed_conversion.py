"""Kill conversions by SIGKILL at chosen effects on the disk, go on with a second call, and compare the bytes.

Prints how often it killed, and after which stages a later call went on. A script and not a test: it forks,
which is safe only before any library has started a thread.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path

from spco.graph.conversion import convert_graph, edges
from spco.graph.conversion.array_file import ArrayFile, StringFile

MOMENTS = 9


def counted(effect, counter):
    """Count the effects; the process ends before the one whose turn it is."""

    def run(*args, **kwargs):
        counter["left"] -= 1
        if counter["left"] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return effect(*args, **kwargs)

    return run


def convert_in_child(kill_at: int, *arguments, **options) -> tuple[bool, int]:
    """Return whether the child ended by itself, and how many effects it had."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        counter = {"left": kill_at}
        for owner, name in (
            (ArrayFile, "append"),
            (StringFile, "append"),
            (ArrayFile, "_write_header"),
            (os, "replace"),
            (shutil, "rmtree"),
            (Path, "write_bytes"),
            (Path, "write_text"),
        ):
            setattr(owner, name, counted(getattr(owner, name), counter))
        said: list[str] = []
        convert_graph(*arguments, **options, tell=said.append)
        os.write(writer, f"{kill_at - counter['left']}|{'|'.join(said)}".encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answers:
        answer = answers.read()
    status = os.waitpid(child, 0)[1]
    effects, _, said = answer.partition("|")
    if "going on after" in said:
        WENT_ON.add(said.split("'")[1])
    return os.waitstatus_to_exitcode(status) == 0, int(effects or 0)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def main(folder: Path) -> None:
    edges._SMALLEST_PIECE = 1
    lines = [f"n{k * k % 37},n{k * 7 % 41},{k % 9}" for k in range(600)]
    (folder / "e.csv").write_text("source,target,weight\n" + "\n".join(lines) + "\n")
    (folder / "y.csv").write_text("id,label\nn1,a\nn5,b\nx,a\n")
    arguments = (folder / "e.csv", folder / "graph")
    options = {"labels": folder / "y.csv", "memory": 40 * 300}
    done, effects = convert_in_child(10**9, *arguments, **options)
    expected = content(folder / "graph")
    assert done
    moments = sorted(
        {1 + at * (effects - 1) // (MOMENTS - 1) for at in range(MOMENTS)} | set(range(effects - 3, effects))
    )
    for moment in moments:
        shutil.rmtree(folder / "graph")
        assert not convert_in_child(moment, *arguments, **options)[0]
        if (folder / "graph").exists():
            assert content(folder / "graph") == expected
        assert convert_in_child(10**9, *arguments, **options)[0], moment
        assert content(folder / "graph") == expected
        assert sorted(os.listdir(folder)) == ["e.csv", "graph", "y.csv"], moment
    print(len(moments), *sorted(WENT_ON))


WENT_ON: set[str] = set()
if __name__ == "__main__":
    main(Path(sys.argv[1]))
