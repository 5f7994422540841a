"""Measurements with a stated baseline, each a ratio taken in one run."""
