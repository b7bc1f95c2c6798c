"""A smooth timing through an alignment of frames."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import noisy_curves, smooth_curves

from core.analysis.alignment import align
from core.analysis.timing import sample_count, smooth_timing
from core.motion.time_maps.time_map import TimeMap

PLACES = np.arange(121.0)
KNOWN = TimeMap.through([0.0, 50.0, 120.0], [0.0, 62.0, 120.0])


def read(curves: np.ndarray, places: np.ndarray) -> np.ndarray:
    return np.stack([np.interp(places, PLACES, column) for column in curves.T], axis=1)


@pytest.mark.parametrize("seed", range(5))
def test_a_known_timing_is_found(seed: int):
    curves = smooth_curves(121, 6, seed)
    found = smooth_timing(read(curves, KNOWN(PLACES)), curves)
    assert np.abs(found(PLACES) - KNOWN(PLACES)).max() < 1.0


def test_the_staircase_of_the_alignment_is_gone():
    curves = smooth_curves(121, 6)
    shown = read(curves, KNOWN(PLACES))
    found = smooth_timing(shown, curves)
    plain = np.interp(PLACES, *align(shown, curves).path.T)
    jumps, stairs = (np.abs(np.diff(old, n=2)).max() for old in (found(PLACES), plain))
    assert stairs >= 0.5
    assert jumps < 0.1


def test_equal_curves_keep_their_time():
    curves = smooth_curves(121, 3)
    assert np.abs(smooth_timing(curves, curves)(PLACES) - PLACES).max() < 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_noise_never_turns_time_round(seed: int):
    first, second = noisy_curves(121, 2, seed, noise=0.5), noisy_curves(90, 2, seed + 50, noise=0.5)
    found = smooth_timing(first, second)
    assert (np.diff(found(np.linspace(0.0, 120.0, 1000))) > 0.0).all()
    assert found(np.array([0.0, 120.0])).tolist() == [0.0, 89.0]


def test_where_nothing_moves_time_goes_on_smoothly():
    """Between two bumps that tell the time the shift changes from one to the other without a corner."""
    bumps = [np.exp(-0.5 * ((PLACES[:, None] - places) / 4.0) ** 2) for places in ([30, 90], [36, 84])]
    found = smooth_timing(*bumps)
    assert found(np.array([30.0, 90.0])) == pytest.approx([36.0, 84.0], abs=0.5)
    assert found(60.0) == pytest.approx(60.0, abs=1.5)
    assert found.speed(np.linspace(40.0, 80.0, 50)).min() > 0.5


def test_short_windows_are_compared_at_several_samples_a_frame():
    assert [sample_count(frames) for frames in (10, 60, 500)] == [41, 121, 501]
