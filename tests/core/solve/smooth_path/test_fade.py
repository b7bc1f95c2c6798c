"""Corrections that come and go beside the frames that need them."""

from __future__ import annotations

import numpy as np
import pytest

from core.solve.smooth_path import Fading

TIMES = np.arange(200) / 30.0
ACTIVE = (TIMES > 2.0) & (TIMES < 2.5)
WAYS = np.where(ACTIVE[:, None], [[0.3, 0.0, -0.1]], 0.0)


def test_corrections_are_kept_and_die_away_within_three_times_the_fade():
    carried = Fading(TIMES, 0.2).carried(WAYS, ACTIVE)
    np.testing.assert_array_equal(carried[ACTIVE], WAYS[ACTIVE])
    far = (TIMES < 2.0 - 0.6) | (TIMES > 2.5 + 0.6)
    assert not carried[far].any()
    beside = carried[~ACTIVE & ~far, 0]
    assert ((beside >= -1e-4) & (beside < 0.3)).all()
    later = carried[(TIMES > 2.5) & ~far, 0]
    assert (np.diff(later) < 1e-4).all()
    assert later[int(0.2 * 30)] == pytest.approx(0.1, abs=0.03)


def test_nothing_is_carried_of_nothing_and_no_fade_carries_nothing():
    assert not Fading(TIMES, 0.2).carried(np.zeros_like(WAYS), ACTIVE).any()
    np.testing.assert_array_equal(Fading(TIMES, 0.0).carried(WAYS, ACTIVE), WAYS)


def test_fixed_frames_stay():
    fixed = np.zeros(200, dtype=bool)
    fixed[[80, 0]] = True
    carried = Fading(TIMES, 0.2, fixed).carried(WAYS, ACTIVE)
    assert not carried[80].any()
    assert carried[79].any()


def test_a_lift_is_at_least_what_is_needed_and_smooth():
    up = np.array([0.0, 0.0, 1.0])
    need = np.where((TIMES > 4.0) & (TIMES < 4.2), 0.2, -1.0)
    lifted = Fading(TIMES, 0.1).lifted(WAYS, ACTIVE, up, need)
    assert (lifted[~ACTIVE] @ up >= need[~ACTIVE] - 2e-3 * 0.2).all()
    np.testing.assert_array_equal(lifted[ACTIVE], WAYS[ACTIVE])
    assert np.abs(np.diff(lifted[100:], axis=0)).max() < 0.1
    assert not lifted[TIMES > 4.2 + 0.3].any()


def test_where_nothing_is_too_low_nothing_is_lifted():
    fade, up = Fading(TIMES, 0.1), np.array([0.0, 0.0, 1.0])
    plain = fade.carried(WAYS, ACTIVE)
    for need in (np.full(200, -np.inf), np.full(200, -1.0), np.where(ACTIVE, 5.0, -1.0)):
        np.testing.assert_array_equal(fade.lifted(WAYS, ACTIVE, up, need), plain)
