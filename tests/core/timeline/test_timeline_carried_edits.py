"""Edits of one part of a motion carried to the parts that are like it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from annotated_clips import annotated_clips
from made_motion import chain
from made_staggered import noisy_motion, unchanged_frames

from core.body import Axis, Body
from core.editing import PropagationWindow
from core.motion.motion import Motion
from core.numerics import quaternion
from core.timeline import EmptyWindowError, carry_offsets, match_web, propagation_windows

FRAMES = 200
OPERATION = (20.0, 50.0)
TURN = np.array([0.3, -0.5, 0.2])
JOINT = 2


def window(start: float, end: float, *, ticked: bool = True) -> PropagationWindow:
    """A part with straight correspondence to the operation window."""
    return PropagationWindow(start, end, np.array(OPERATION), np.array([start, end]), 0.05, ticked)


def made() -> Motion:
    return noisy_motion(frames=FRAMES)


def with_offset(motion: Motion, weights: Any, *, first: int = 20) -> Motion:
    """Joint 2 turned, moved and scaled and both scalars changed, by weights of the frames from `first` on."""
    rows = slice(first, first + len(weights))
    fields = {name: np.array(getattr(motion, name)) for name in ("rotations", "locations", "scales", "scalars")}
    weight = np.asarray(weights)[:, None]
    fields["rotations"][rows, JOINT] = quaternion.multiply(
        fields["rotations"][rows, JOINT], quaternion.exp(weight * TURN)
    )
    fields["locations"][rows, JOINT] += weight * [0.1, 0.2, 0.3]
    fields["scales"][rows, JOINT] += 0.2 * weight
    fields["scalars"][rows] += 0.4 * weight
    return replace(motion, **fields)


def bump() -> Any:
    """(31,) weights that begin and end with nothing."""
    return np.sin(np.linspace(0.0, np.pi, 31)) ** 2 * (np.arange(31) % 30 != 0)


def turns(before: Motion, after: Motion, joint: int = JOINT) -> Any:
    """(F, 3) offsets of a joint's rotation in its own axes."""
    return quaternion.log(
        quaternion.multiply(quaternion.conjugate(before.rotations[:, joint]), after.rotations[:, joint])
    )


def test_an_edit_of_nothing_changes_nothing() -> None:
    motion = made()
    assert unchanged_frames(carry_offsets(motion, motion, OPERATION, [window(90, 130)]), motion).all()


@pytest.mark.parametrize("part", [window(80.0, 110.0), window(90.4, 141.7), window(100.0, 118.0)])
def test_a_constant_offset_arrives_as_the_same_constant(part: PropagationWindow) -> None:
    motion = made()
    after = with_offset(motion, np.ones(31))
    carried = carry_offsets(motion, after, OPERATION, [part])
    middle = slice(int(part.start + 0.26 * part.length) + 1, int(part.end - 0.26 * part.length))
    assert turns(motion, carried)[middle] == pytest.approx(np.tile(TURN, (middle.stop - middle.start, 1)))
    moved = carried.locations[middle, JOINT] - motion.locations[middle, JOINT]
    assert moved == pytest.approx(np.tile([0.1, 0.2, 0.3], (len(moved), 1)))
    assert (carried.scales - motion.scales)[middle, JOINT] == pytest.approx(0.2)
    assert (carried.scalars - motion.scalars)[middle] == pytest.approx(0.4)


def test_an_offset_that_does_not_end_by_itself_is_eased() -> None:
    motion = made()
    carried = carry_offsets(motion, with_offset(motion, np.ones(31)), OPERATION, [window(80.0, 110.0)])
    sizes = np.linalg.norm(turns(motion, carried)[79:112], axis=1)
    assert sizes[[0, 1, -2, -1]] == pytest.approx(0.0, abs=1e-12)
    assert np.abs(np.diff(sizes)).max() < 0.25 * np.linalg.norm(TURN)


def test_an_offset_that_ends_by_itself_arrives_as_it_is() -> None:
    motion = made()
    carried = carry_offsets(motion, with_offset(motion, bump()), OPERATION, [window(80.0, 110.0)])
    assert turns(motion, carried)[80:111] == pytest.approx(bump()[:, None] * TURN, abs=1e-12)


def test_only_the_windows_and_the_edited_channels_change() -> None:
    motion = made()
    after = with_offset(motion, np.ones(31))
    carried = carry_offsets(motion, after, OPERATION, [window(80.0, 110.0), window(150.0, 170.0, ticked=False)])
    same = unchanged_frames(carried, after)
    assert same[:81].all()
    assert not same[85:105].any()
    assert same[111:].all()
    others = [joint for joint in range(4) if joint != JOINT]
    assert (carried.rotations[:, others] == after.rotations[:, others]).all()
    assert (carried.locations[:, others] == after.locations[:, others]).all()


def test_windows_that_touch_the_operation_window_leave_it_alone() -> None:
    motion = made()
    after = with_offset(motion, np.ones(31))
    carried = carry_offsets(motion, after, OPERATION, [window(40.0, 70.0)])
    assert unchanged_frames(carried, after)[20:51].all()


def test_adjoining_windows_look_alike_when_an_edit_reaches_from_one_into_the_next() -> None:
    motion = made()
    # A pose at the end of the window is edited: half of the edit lies beyond it.
    after = with_offset(motion, bump()[::2][:15], first=43)
    windows = [window(50.0, 80.0), window(80.0, 110.0), window(140.0, 170.0)]
    carried = turns(motion, carry_offsets(motion, after, OPERATION, windows))
    assert carried[70:91] == pytest.approx(turns(motion, after)[40:61], abs=1e-9)
    # Nothing adjoins the ends of the others: there it is faded within.
    assert carried[[110, 111, 139, 140, 170, 171]] == pytest.approx(0.0, abs=1e-12)
    steps = np.linalg.norm(np.diff(carried, axis=0), axis=1)
    assert steps.max() < 2.0 * np.linalg.norm(np.diff(turns(motion, after), axis=0), axis=1).max()


def test_joints_and_amount_limit_what_is_carried() -> None:
    motion = made()
    after = with_offset(motion, bump())
    part = [window(80.0, 110.0)]
    assert unchanged_frames(carry_offsets(motion, after, OPERATION, part, joints=[0, 1]), after).all()
    assert unchanged_frames(carry_offsets(motion, after, OPERATION, part, amount=0.0), after).all()
    flags = np.arange(4) == JOINT
    half = carry_offsets(motion, after, OPERATION, part, joints=flags, amount=0.5)
    assert turns(motion, half)[80:111] == pytest.approx(0.5 * bump()[:, None] * TURN, abs=1e-12)
    assert (half.scalars[80:111] == motion.scalars[80:111]).all()


def test_carrying_back_restores_the_operation_window() -> None:
    motion = made()
    after = with_offset(motion, bump())
    there = carry_offsets(motion, after, OPERATION, [window(80.0, 110.0)])
    only_there = there
    for name in ("rotations", "locations", "scales", "scalars"):
        values = np.array(getattr(there, name))
        values[20:51] = getattr(motion, name)[20:51]
        only_there = replace(only_there, **{name: values})
    back = PropagationWindow(20.0, 50.0, np.array([80.0, 110.0]), np.array([20.0, 50.0]), 0.05)
    again = carry_offsets(motion, only_there, (80.0, 110.0), [back])
    assert quaternion.angle_between(again.rotations, there.rotations).max() < 1e-9
    for name in ("locations", "scales", "scalars"):
        assert getattr(again, name) == pytest.approx(getattr(there, name), abs=1e-12)


def test_agrees_with_the_plain_loop_on_a_bent_correspondence() -> None:
    motion = made()
    after = with_offset(motion, bump())
    part = PropagationWindow(80.0, 130.0, np.array([20.0, 30.0, 50.0]), np.array([80.0, 118.0, 130.0]), 0.05)
    carried = carry_offsets(motion, after, OPERATION, [part])
    offsets = turns(motion, after)
    for frame in range(80, 131):
        place = float(part.operation_at(frame))
        low, share = int(place), place - int(place)
        wanted = quaternion.slerp(quaternion.exp(offsets[low]), quaternion.exp(offsets[low + 1]), share)
        turned = quaternion.multiply(motion.rotations[frame, JOINT], wanted)
        assert quaternion.angle_between(carried.rotations[frame, JOINT], turned) < 1e-9


def test_a_window_that_was_cut_is_eased_at_the_cut() -> None:
    motion = made()
    part = replace(window(80.0, 110.0), end=95.0)
    carried = carry_offsets(motion, with_offset(motion, bump()), OPERATION, [part])
    sizes = np.linalg.norm(turns(motion, carried), axis=1)
    assert sizes[95] == pytest.approx(0.0, abs=1e-12)
    assert sizes[85] == pytest.approx(bump()[5] * np.linalg.norm(TURN))


def test_the_end_of_the_motion_needs_no_ease() -> None:
    motion = made()
    carried = carry_offsets(motion, with_offset(motion, np.ones(31)), OPERATION, [window(169.0, 199.0)])
    assert turns(motion, carried)[199] == pytest.approx(TURN)


@pytest.mark.parametrize("up", ["+Z", "+Y"])
def test_the_character_is_shifted_in_its_own_direction(up: str) -> None:
    body = Body(chain(2), up=Axis(up))
    axis = np.array(body.require("up axis").vector)
    heading = np.where(np.arange(FRAMES) < 65, 0.4, 0.4 + np.pi / 2)[:, None]
    lean = 0.3 * np.sin(np.arange(FRAMES) / 9.0)[:, None] * np.array([1.0, 0.0, 0.0])
    rotations = quaternion.identity(FRAMES, 2)
    rotations[:, 0] = quaternion.multiply(quaternion.exp(heading * axis), quaternion.exp(lean))
    rotations[80:111] = quaternion.multiply(quaternion.exp(np.pi / 2 * axis), rotations[20:51])
    motion = Motion.build(chain(2), rotations, rate=30.0)
    shift = np.array([1.0, 0.2, -0.4])
    locations = np.array(motion.locations)
    locations[20:51, 0] += bump()[:, None] * shift
    after = motion.with_locations(locations)
    carried = carry_offsets(motion, after, OPERATION, [window(80.0, 110.0)], body=body)
    wanted = quaternion.rotate(quaternion.exp(np.pi / 2 * axis), shift)
    assert carried.locations[80:111, 0] == pytest.approx(bump()[:, None] * wanted, abs=1e-9)


@pytest.mark.parametrize("operation", [(30.0, 30.0), (-1.0, 5.0), (10.0, 500.0)])
def test_windows_outside_the_motion_are_refused(operation: tuple[float, float]) -> None:
    with pytest.raises(EmptyWindowError, match="no part of the motion's frames 0 to 199"):
        carry_offsets(made(), made(), operation, [])


@pytest.mark.clips
def test_edit_one_punch_change_all_punches(clips_folder: Path) -> None:
    clip = next(clip for clip in annotated_clips(clips_folder) if "punches" in clip.name)
    rate, motion = clip.motion.rate, clip.motion
    events = [row - clip.lead for row in clip.notes["punches"]["rows_of_full_extension"]]
    start, end = events[4] - 0.4 * rate, events[4] + 0.4 * rate
    elbow = motion.skeleton.index["RightForeArm"]
    rows = np.arange(int(np.ceil(start)), int(end) + 1)
    rotations = np.array(motion.rotations)
    weights = np.sin(np.pi * (rows - rows[0]) / (len(rows) - 1))[:, None] ** 0.25
    rotations[rows, elbow] = quaternion.multiply(rotations[rows, elbow], quaternion.exp(weights * TURN))
    after = motion.with_rotations(rotations)
    found = propagation_windows(match_web(motion, clip.body), start, end)
    carried = carry_offsets(motion, after, (start, end), found, body=clip.body)
    offsets = turns(motion, carried, elbow)
    for event in events:
        assert offsets[event] == pytest.approx(TURN, abs=0.05 * np.linalg.norm(TURN))
    others = [joint for joint in range(len(motion.skeleton)) if joint != elbow]
    assert (carried.rotations[:, others] == motion.rotations[:, others]).all()


def test_frames_without_edit_stay_although_windows_were_saved_in_single_precision() -> None:
    motion = made()
    weights = bump() * (np.arange(31) > 15)
    rough = PropagationWindow(80.0, 110.0, np.array(OPERATION), np.array([80.0, 110.0]) + 3e-4, 0.05)
    carried = carry_offsets(motion, with_offset(motion, weights), OPERATION, [rough])
    assert unchanged_frames(carried, motion)[80:95].all()
