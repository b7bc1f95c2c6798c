"""Runs of true values, compared with counting."""

from __future__ import annotations

import numpy as np

from core.numerics import first_and_last, runs


def counted_runs(chosen) -> list[list[int]]:
    """Places of each run, one after the other."""
    found: list[list[int]] = []
    for place, value in enumerate(chosen):
        if value and (place == 0 or not chosen[place - 1]):
            found.append([])
        if value:
            found[-1].append(place)
    return found


def test_runs_are_those_that_counting_finds():
    chance = np.random.default_rng(4)
    for length in (0, 1, 2, 7, 40):
        for share in (0.0, 0.3, 0.8, 1.0):
            chosen = chance.random(length) < share
            places = np.arange(length)
            assert [places[run].tolist() for run in runs(chosen)] == counted_runs(chosen)
            assert first_and_last(chosen) == [(run[0], run[-1]) for run in counted_runs(chosen)]
