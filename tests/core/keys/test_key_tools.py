"""Tools that change how a motion is keyed."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import chain, noisy_curves, smooth_rotations

from core.editing import Take
from core.keys import (
    ContinuousRotations,
    ConvertKeys,
    ReduceKeys,
    ReductionOptions,
    all_rounds,
    channels_of_motion,
    height_of,
    reduce_motion,
)
from core.motion import Motion

FRAMES, JOINTS = 60, 4


@pytest.fixture
def motion() -> Motion:
    """Swinging joints."""
    locations = noisy_curves(FRAMES, 3 * JOINTS, 3).reshape(FRAMES, JOINTS, 3)
    return Motion.build(chain(JOINTS), smooth_rotations(FRAMES, JOINTS, 1), rate=30.0, locations=locations)


def test_the_tool_gives_what_its_function_gives(motion):
    take = Take(motion, joints=np.array([False, True, True, False]))
    reduced = ReduceKeys(kind="FEWEST", keep_contacts=False, keep_extremes=False).apply(take)
    options = ReductionOptions(kind="FEWEST", distance=height_of(motion, take.body) / 300.0)
    same = reduce_motion(motion, channels_of_motion(motion, joints=take.joints), options=options)
    assert len(reduced.yardstick.channels.channels) == len(same.yardstick.channels.channels)
    for one, other in zip(reduced.keys, same.keys, strict=True):
        np.testing.assert_allclose(one.values, other.values, atol=1e-4)


def test_errors_stay_within_what_was_asked_for(motion):
    accuracy = ReduceKeys(rotation_error=0.02, location_error=0.05).apply(Take(motion)).accuracy
    assert accuracy.degrees <= np.rad2deg(0.02)
    assert accuracy.distance <= 0.05


def test_a_unit_of_the_scene_scales_distances_alone(motion):
    channels = channels_of_motion(motion)
    found = all_rounds(ReduceKeys(location_error=0.5).rounds(Take(motion), channels, unit=10.0))
    assert found.yardstick.options.distance == 0.05


@pytest.mark.parametrize("tool", [ConvertKeys(), ContinuousRotations()])
def test_the_motion_stays(tool, motion):
    after = tool.apply(Take(motion)).motion
    np.testing.assert_array_equal(after.rotations, motion.rotations)
    np.testing.assert_array_equal(after.locations, motion.locations)


def test_errors_count_only_where_keys_are_few():
    assert ConvertKeys().unused == frozenset()
    assert ConvertKeys(keying="EVERY_FRAME").unused == {"rotation_error", "location_error"}
