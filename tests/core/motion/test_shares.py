"""Motions and timings between two: the ends are met, and between them everything goes a part of the way."""

import numpy as np
import pytest
from made_motion import swinging_chain

from core.errors import NotInvertibleError
from core.motion import Ends, TimeMap
from core.numerics import quaternion


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
def test_rotations_turn_a_part_of_the_angle(weight):
    one, other = swinging_chain(seed=1), swinging_chain(seed=2)
    found = one.mixed(other, weight)
    whole = quaternion.angle_between(one.rotations, other.rotations)
    np.testing.assert_allclose(quaternion.angle_between(one.rotations, found.rotations), weight * whole, atol=1e-7)
    np.testing.assert_allclose(found.locations, (1 - weight) * one.locations + weight * other.locations)


def test_the_ends_are_the_very_motions():
    one, other = swinging_chain(seed=1), swinging_chain(seed=2)
    assert one.mixed(other, 0.0) is one
    assert one.mixed(other, 1.0) is other


@pytest.mark.parametrize("weight", [0.0, 0.25, 0.5, 1.0])
@pytest.mark.parametrize("ends", [Ends.HOLD, Ends.EXTEND])
def test_each_moment_is_seen_on_the_way_between_its_times(weight, ends):
    chance = np.random.default_rng(3)
    new, old = np.cumsum(chance.uniform(0.1, 1.0, 8)), np.cumsum(chance.uniform(0.1, 1.0, 8))
    whole = TimeMap.through(new, old, ends=ends)
    part = whole.weakened(weight, old[0], old[-1], step=0.01)
    moments = np.linspace(old[0], old[-1], 50)
    expected = (1 - weight) * moments + weight * whole.map_key_times(moments)
    np.testing.assert_allclose(part.map_key_times(moments), expected, atol=1e-4)
    np.testing.assert_allclose(part.map_key_times(old), (1 - weight) * old + weight * new, atol=1e-9)


def test_time_that_runs_backward_has_no_part():
    with pytest.raises(NotInvertibleError, match="backward"):
        TimeMap.reverse(0.0, 2.0).weakened(0.5, 0.0, 2.0, step=0.1)
