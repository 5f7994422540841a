"""Tests of tuning need scores that differ between settings, not good ones."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def few_strengths(monkeypatch):
    """Let the probe choose between three strengths, not thirteen."""
    monkeypatch.setattr("spco.evaluation.probe.STRENGTHS", (0.1, 1.0, 10.0))
