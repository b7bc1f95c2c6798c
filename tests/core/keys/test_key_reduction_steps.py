"""Key reduction where curves stand still and step, share key times, or have bounds that change along time."""

import itertools

import numpy as np
import pytest
from made_motion import noisy_curves, smooth_curves
from reduced_curves import KINDS, assert_inside, stepped_curves

from core.keys import choose_columns, evaluate_keys, reduce_curves


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
    chosen = choose_columns(times, values, 0.02, kind=kind, share=share)
    keys = reduce_curves(times, values, 0.02, kind=kind, fixed=[np.flatnonzero(each) for each in chosen])
    assert_inside(times, values, keys, 0.02)
    columns = times[chosen.any(axis=0)]
    assert (set(keys.times) == set(columns)) == (share == 1.0)
    for start, end in itertools.pairwise(columns):
        single = [((curve.times > start) & (curve.times < end)).any() for curve in keys]
        assert np.mean(single) <= 1.0 - share + 1e-9 or end == start + 1.0


def columns_told(values, tolerance, columns):
    """Columns of one curve by a plain loop: not those within a stretch over which it stands still."""
    told, start = [columns[0]], columns[0]
    for column, following in itertools.pairwise(columns[1:]):
        stretch = slice(start, following + 1)
        if np.ptp(values[stretch]) > tolerance[start:following].min():
            told.append(column)
            start = column
    return [*told, columns[-1]]


def test_curves_that_stand_still_have_keys_at_the_ends_of_the_stretch_alone():
    times, values = np.arange(150.0), smooth_curves(150, 12, 3)
    values[:, 0] = 0.5
    values[40:100, 1] = values[40, 1]
    values[:60, 2] = values[60, 2]
    tolerance = 0.02 + 0.01 * np.sin(times)[:, None] * np.ones(12)
    chosen = choose_columns(times, values, tolerance, fixed=[17], share=0.9)
    columns = np.flatnonzero(chosen.any(axis=0))
    assert 17 in columns
    for curve, samples in enumerate(chosen):
        expected = columns_told(values[:, curve], tolerance[:, curve], columns.tolist())
        assert set(expected) <= set(np.flatnonzero(samples).tolist()) <= set(columns.tolist())
    keys = reduce_curves(times, values, tolerance, fixed=[np.flatnonzero(each) for each in chosen])
    assert keys[0].times.tolist() == [0, 149]
    assert not ((keys[1].times > 60) & (keys[1].times < 80)).any()
    assert not ((keys[2].times > 0) & (keys[2].times < 40)).any()
    assert chosen[3].sum() > 5


def test_one_sample_and_no_curves_have_columns_too():
    assert choose_columns([0.0], np.ones((1, 3)), 0.1, share=0.9).tolist() == [[True]] * 3
    assert choose_columns([0.0, 1.0], np.ones((2, 0)), 0.1, share=0.9).shape == (0, 2)


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
