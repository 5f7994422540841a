"""A sample of the faults that ``make faults`` tries one by one."""

from __future__ import annotations

import pytest

from .scenarios import SCENARIOS
from .trial import ERRORS, reference, tried

FAULTS_EACH = {"train-report": 2, "reproduce": 4, "tune": 4}
USUAL = 5


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_fault_leaves_old_or_new_files_and_the_next_call_goes_on(name, tmp_path):
    known = reference(name, tmp_path)
    wanted, errors = FAULTS_EACH.get(name, USUAL), list(ERRORS)
    for turn in range(wanted):
        at = 1 + turn * (known.operations - 1) // (wanted - 1)
        hit, wrong = tried(name, known, at, errors[turn % len(errors)], tmp_path)
        assert hit
        assert not wrong, f"operation {at} ({hit}), {errors[turn % len(errors)]}"
