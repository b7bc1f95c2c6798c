"""Edits of a staggered pose carried to the poses that correspond to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from made_staggered import noisy_motion

from core.editing import PropagationWindow
from core.motion import Motion
from core.numerics import quaternion
from core.staggered import (
    carry_pose_edit,
    corresponding_poses,
    fit,
    non_staggered_pose,
    retime,
    with_extreme_pose,
    with_refinements,
)

FRAMES = 200
OPERATION = (20.0, 50.0)
TURN = np.array([0.3, -0.5, 0.2])
JOINT = 2


def window(start: float, end: float, *, ticked: bool = True) -> PropagationWindow:
    """A part with straight correspondence to the operation window."""
    return PropagationWindow(start, end, np.array(OPERATION), np.array([start, end]), 0.05, ticked)


def turns(before: Motion, after: Motion, joint: int = JOINT) -> Any:
    """(F, 3) offsets of a joint's rotation in its own axes."""
    return quaternion.log(
        quaternion.multiply(quaternion.conjugate(before.rotations[:, joint]), after.rotations[:, joint])
    )


def test_corresponding_poses_are_the_nearest_ones_within_reach() -> None:
    times = [25.0, 40.0, 86.0, 99.0, 151.0, 160.0]
    parts = [window(80.0, 110.0), window(140.0, 170.0), window(175.0, 195.0)]
    assert corresponding_poses(times, OPERATION, parts, 0) == [2, None, None]
    assert corresponding_poses(times, OPERATION, parts, 1) == [3, 5, None]


def test_a_pose_outside_the_operation_window_corresponds_to_none() -> None:
    assert corresponding_poses([5.0, 30.0, 90.0], OPERATION, [window(80.0, 110.0)], 0) == [None]


def test_the_change_of_a_pose_is_carried_to_its_fellows() -> None:
    motion = noisy_motion(frames=FRAMES)
    times = np.array([0.0, 35.0, 66.0, 94.0, 130.0, 199.0]) / motion.rate
    before = fit(motion, times, np.zeros((6, 4)))
    pose = non_staggered_pose(before, 1)
    rotations = np.array(pose.rotations)
    rotations[0, JOINT] = quaternion.multiply(rotations[0, JOINT], quaternion.exp(TURN))
    after = with_extreme_pose(before, 1, replace(pose, rotations=rotations))
    after = with_refinements(after, 0.1, poses=[1], joints=[3])
    carried = carry_pose_edit(before, after, 1, OPERATION, [window(80.0, 110.0), window(115.0, 145.0, ticked=False)])
    old, new = (non_staggered_pose(model, 3) for model in (before, carried))
    assert turns(old, new)[0] == pytest.approx(TURN, abs=1e-9)
    for joint in (0, 1):
        assert np.abs(turns(old, new, joint)).max() < 1e-9
    assert carried.joint_refinements[[1, 3], 3] == pytest.approx(0.1)
    assert (np.delete(carried.joint_refinements, [1, 3], axis=0) == 0.0).all()
    assert np.abs(turns(*(non_staggered_pose(model, 4) for model in (before, carried)))).max() < 1e-9


def test_the_time_of_a_pose_is_carried_along_the_correspondence() -> None:
    motion = noisy_motion(frames=FRAMES)
    frames = np.array([0.0, 35.0, 60.0, 95.0, 130.0, 199.0])
    before = fit(motion, frames / motion.rate, np.zeros((6, 4)))
    after = retime(before, 1, 38.0 / motion.rate)
    slower = PropagationWindow(80.0, 140.0, np.array(OPERATION), np.array([65.0, 125.0]), 0.05)
    carried = carry_pose_edit(before, after, 1, OPERATION, [slower])
    moved = (carried.pose_times - before.pose_times) * motion.rate
    assert moved == pytest.approx([0.0, 3.0, 0.0, 6.0, 0.0, 0.0], abs=1e-6)
    half = carry_pose_edit(before, after, 1, OPERATION, [slower], amount=0.5)
    assert (half.pose_times - before.pose_times)[3] * motion.rate == pytest.approx(3.0)


def test_a_pose_edit_of_nothing_or_without_fellows_changes_nothing() -> None:
    motion = noisy_motion(frames=FRAMES)
    model = fit(motion, np.array([0.0, 35.0, 95.0, 199.0]) / motion.rate, np.zeros((4, 4)))
    assert carry_pose_edit(model, model, 1, OPERATION, [window(80.0, 110.0)]) is model
    edited = with_refinements(model, 0.1, poses=[1], joints=[3])
    assert carry_pose_edit(model, edited, 1, OPERATION, [window(120.0, 150.0)]) is edited


def test_models_with_other_poses_are_a_mistake() -> None:
    motion = noisy_motion(frames=FRAMES)
    one, other = (fit(motion, times, np.zeros((len(times), 4))) for times in ([0.0, 2.0], [0.0, 1.0, 2.0]))
    with pytest.raises(ValueError, match="same poses"):
        carry_pose_edit(one, other, 0, OPERATION, [])
