"""Key reduction where curves stand still and step, share key times, or have bounds that change along time."""

import itertools

import numpy as np
import pytest
from made_motion import noisy_curves, smooth_curves
from reduced_curves import KINDS, assert_inside, stepped_curves

from core.key_reduction import evaluate_keys, reduce_curves


@pytest.mark.parametrize("kind", KINDS)
def test_steps_stay_steps_with_constant_keys_and_without_error(kind):
    times, values, held = stepped_curves()
    keys = reduce_curves(times, values, 0.1, kind=kind, held=held)
    assert not keys[0].constant.any()
    assert list(keys[1].times) == [*range(0, 60, 6), 59]
    assert keys[1].constant[:-1].all()
    fine = np.linspace(0.0, 59.0, 1181)
    stood = evaluate_keys(keys, fine)
    np.testing.assert_array_equal(stood[:, 1], values[fine.astype(int), 1])
    np.testing.assert_array_equal(stood[600:, 2], values[fine[600:].astype(int), 2])
    assert (np.abs(evaluate_keys(keys, times) - values) <= 0.1).all()
    alone = reduce_curves(times[:31], values[:31, 2:], 0.1, kind=kind)
    np.testing.assert_array_equal(keys[2].times[: len(alone.times) - 1], alone.times[:-1])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [0.0, 0.5, 0.8, 1.0])
def test_columns_are_enough_for_their_share_of_the_curves(kind, share):
    times, values = np.arange(120.0), smooth_curves(120, 10, 2)
    values[:, 0] += noisy_curves(120, 1)[:, 0]
    keys = reduce_curves(times, values, 0.02, kind=kind, column_share=share)
    assert_inside(times, values, keys, 0.02)
    shared = set.intersection(*(set(curve.times) for curve in keys))
    at_once = [curve for curve in keys if set(curve.times) == shared]
    assert len(at_once) == 10 if share == 1.0 else len(keys[0].times) > len(shared)
    bounds = sorted(shared)
    for start, end in itertools.pairwise(bounds):
        single = [((curve.times > start) & (curve.times < end)).any() for curve in keys]
        assert np.mean(single) <= 1.0 - share + 1e-9 or end == start + 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_bound_may_change_along_time(kind):
    times, values = np.arange(200.0), smooth_curves(200, 4, 5)
    tolerance = np.where(times < 100.0, 0.1, 0.001)[:, None] * np.ones(4)
    keys = reduce_curves(times, values, tolerance, kind=kind)
    assert (np.abs(evaluate_keys(keys, times) - values) <= tolerance).all()
    early = sum((curve.times < 100.0).sum() for curve in keys)
    assert early < 0.6 * (len(keys.times) - early)
    same = reduce_curves(times, values, np.full((200, 4), 0.01), kind=kind)
    np.testing.assert_array_equal(same.times, reduce_curves(times, values, 0.01, kind=kind).times)
