"""Culling extracted poses: the most important stay, with the ends and what the animator pins."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.extremes.candidates import PoseCandidates, cull
from core.analysis.extremes.options import ExtractionOptions


def candidates(priorities) -> PoseCandidates:
    count = len(priorities)
    return PoseCandidates(
        times=np.arange(count) * 0.5,
        frames=np.arange(count),
        priorities=np.array(priorities, dtype=float),
        refinements=np.zeros((count, 1)),
        root_refinements=np.zeros(count),
        probability=np.zeros(count),
    )


TEN = candidates([0, 5, 1, 9, 2, 8, 3, 7, 4, 0])


def test_culling_keeps_the_highest_priorities_and_the_ends():
    assert cull(TEN, share=0.5).tolist() == [0, 3, 5, 7, 9]
    assert cull(TEN, count=4).tolist() == [0, 3, 5, 9]
    assert cull(TEN, share=0.0).tolist() == [0, 9]
    assert cull(TEN, share=1.0).tolist() == list(range(10))
    assert cull(TEN).tolist() == [0, 3, 9]
    assert cull(candidates([0, 1, 0]), share=0.2).tolist() == [0, 1, 2]


def test_pinned_and_removed_poses_are_obeyed():
    assert cull(TEN, count=4, pinned=[2]).tolist() == [0, 2, 3, 9]
    assert cull(TEN, count=4, removed=[3]).tolist() == [0, 5, 7, 9]
    assert cull(TEN, count=2, pinned=[2, 4]).tolist() == [0, 2, 4, 9]
    assert cull(TEN, share=1.0, removed=[0, 1, 9]).tolist() == [0, *range(2, 10)]


def test_an_interval_limits_the_choice():
    assert cull(TEN, count=2, interval=(0.4, 2.1)).tolist() == [0, 1, 3, 9]
    assert cull(TEN, share=0.5, interval=(0.4, 2.1)).tolist() == [0, 1, 3, 9]


def test_impossible_choices_are_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        cull(TEN, share=1.5)
    with pytest.raises(ValueError, match="10 candidates, none with number 10"):
        cull(TEN, pinned=[10])
    with pytest.raises(ValueError, match="smoothing must not be below zero"):
        ExtractionOptions(smoothing=-1.0)
