"""The first Ctrl-C lets an epoch end, the second one ends the program at once, and none is lost."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from dataclasses import dataclass, field

import pytest

import spco
from spco.training.checkpoint import InterruptGuard

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C there")


@pytest.fixture(autouse=True)
def handler():
    """The handler that Python starts with, whatever the process that runs the tests was given."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def press_ctrl_c():
    """Return once Python has heard it."""
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)


def test_the_first_is_a_request_and_the_second_interrupts_at_once(handler):
    with InterruptGuard() as guard:
        assert not guard.requested
        press_ctrl_c()
        assert guard.requested
        with pytest.raises(KeyboardInterrupt):
            press_ctrl_c()
    assert signal.getsignal(signal.SIGINT) is handler
    with pytest.raises(KeyboardInterrupt):
        press_ctrl_c()


def test_a_request_in_an_inner_block_is_one_of_the_outer_block_too():
    with InterruptGuard() as outer:
        with InterruptGuard() as inner:
            press_ctrl_c()
            assert inner.requested
        assert outer.requested
        with InterruptGuard() as later:
            assert later.requested
            with pytest.raises(KeyboardInterrupt):
                press_ctrl_c()


def test_a_request_ends_with_its_outermost_block():
    with InterruptGuard():
        press_ctrl_c()
    with InterruptGuard() as guard:
        assert not guard.requested


def test_another_thread_takes_no_signal(handler):
    found = []

    def guarded():
        with InterruptGuard() as guard:
            found.append((guard.requested, signal.getsignal(signal.SIGINT) is handler))

    thread = threading.Thread(target=guarded)
    thread.start()
    thread.join()
    assert found == [(False, True)]


@dataclass
class _Pressed(spco.training.Callback):
    """Ctrl-C so many times after the second epoch."""

    times: int
    after: list[int] = field(default_factory=list)

    def on_epoch(self, moment):
        self.after.append(moment.epoch)
        if moment.epoch == 2:
            for _ in range(self.times):
                press_ctrl_c()


@pytest.mark.parametrize("times", [1, 2])
def test_training_ends_after_the_epoch_with_one_and_within_it_with_two(tmp_path, times):
    pressed = _Pressed(times)
    small = {"method": {"widths": (4,)}}
    emb = spco.Embedder("cca_ssg", spectral=False, epochs=9, settings=small, callbacks=[pressed])
    checkpoint = tmp_path / "checkpoint.safetensors"
    with pytest.raises(KeyboardInterrupt) as caught:
        emb.fit(spco.load_dataset("wine"), checkpoint=checkpoint)
    assert pressed.after == [1, 2]
    assert isinstance(caught.value, spco.errors.TrainingInterrupted) is (times == 1)
    assert checkpoint.exists() is (times == 1)
