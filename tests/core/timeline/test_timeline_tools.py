"""Tools of the timeline as plain objects: which windows, which joints, and whether keys move or get values."""

from __future__ import annotations

import subprocess
import sys
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest

from core.editing import PropagationWindow, Take, options_of
from core.errors import MotionEditError
from core.motion import Motion, Retimed
from core.sample_motion import sample_motion
from core.timeline import (
    AlignWindows,
    ChangedDurationError,
    MovePose,
    NoWindowError,
    PropagateEdit,
    Reference,
    Segment,
    SnapToBeats,
    StretchWindows,
    TransferCoordination,
    TransferMean,
    TransferTrajectory,
    TransferVariance,
    Windows,
    carry_offsets,
    move_pose_map,
    painting_of,
    retime_effector,
    snap_map,
    stretch_map,
    transfer_mean_rotation,
)

PROJECT = Path(__file__).resolve().parents[3]
MOTION = sample_motion(30.0)
OPERATION, OTHER, LEFT_OUT = (100.0, 130.0), (150.0, 190.0), (212.0, 240.0)
TIMING = (StretchWindows(), MovePose(), AlignWindows(), SnapToBeats())
FEATURES = (TransferMean(), TransferVariance(), TransferTrajectory(), TransferCoordination())


def window(start: float, end: float, *, ticked: bool = True) -> PropagationWindow:
    return PropagationWindow(start, end, np.array(OPERATION), np.array([start, end]), 0.05, ticked)


class MadeTake(Take):
    """Two windows that are edited, one that is not; scene frames are samples."""

    has_windows, icon_count = True, 24
    windows = Windows(window(*OPERATION), (window(*OTHER), window(*LEFT_OUT, ticked=False)))
    names: tuple[str, ...] = ()

    @cached_property
    def painted(self) -> np.ndarray:
        return np.isin(self.motion.skeleton.names, self.names)

    @cached_property
    def painting(self) -> object:
        return painting_of(self.body, self.painted)

    @property
    def remembered(self) -> Motion:
        return sample_motion(30.0)

    def sample_at(self, scene_frame: float) -> float:
        return scene_frame

    def samples_at(self, times: np.ndarray) -> np.ndarray:
        return times * self.motion.rate

    def beats(self, _sound: str) -> np.ndarray:
        return np.array([98.0, 133.0, 152.0, 187.0])

    def other_reference(self, _kind: str, _name: str, start: float, end: float) -> Reference:
        return Reference(Segment(self.motion, start, end), self.body)


def take_with(*roles: str) -> MadeTake:
    """A take in which the ends of some limbs are painted, or joints by their names."""
    take = MadeTake(MOTION)
    ends = {role: take.body.get(role).chain[-1] for role in roles if role.endswith((" arm", " leg"))}
    take.names = tuple(MOTION.skeleton.names[ends[role]] if role in ends else role for role in roles)
    return take


def upper_arm() -> str:
    return str(MOTION.skeleton.names[MadeTake(MOTION).body.get("left arm").chain[0]])


def test_enabled_windows_are_stretched_and_keys_move():
    change = StretchWindows(factor=1.5).apply(take_with())
    wanted = stretch_map(MOTION, [OPERATION, OTHER], 1.5)
    np.testing.assert_array_equal(change.time_map(MOTION.times), wanted(MOTION.times))
    assert isinstance(change.motion, Retimed)
    assert change.joints.all()
    assert len(change.whole) > len(MOTION)


def test_a_windows_end_gives_the_factor():
    by_frame = StretchWindows(end_frame=145.0, factor=9.0).apply(take_with())
    np.testing.assert_array_equal(by_frame.time_map.new_times, stretch_map(MOTION, [OPERATION, OTHER], 1.5).new_times)
    assert StretchWindows(end_frame=145.0).unused == {"factor"}
    with pytest.raises(MotionEditError, match="disabled"):
        StretchWindows(end_frame=250.0, window=1).apply(take_with())
    with pytest.raises(MotionEditError, match="before it starts"):
        StretchWindows(end_frame=90.0).apply(take_with())


def test_a_pose_moves_with_its_like():
    change = MovePose(frame=115.0, to_frame=118.0).apply(take_with())
    wanted = move_pose_map(MOTION, [(100.0, 115.0, 130.0), (150.0, 170.0, 190.0)], 1.2)
    np.testing.assert_allclose(change.time_map(MOTION.times), wanted(MOTION.times), atol=1e-12)
    with pytest.raises(MotionEditError, match="new frame"):
        MovePose(frame=115.0).apply(take_with())


def test_painted_joints_alone_have_the_new_timing():
    change = MovePose(frame=115.0, to_frame=118.0).apply(take_with(upper_arm()))
    assert isinstance(change.motion, Retimed)
    assert [MOTION.skeleton.names[joint] for joint in np.flatnonzero(change.joints)] == [upper_arm()]
    np.testing.assert_array_equal(change.whole.rotations[:, ~change.joints], MOTION.rotations[:, ~change.joints])
    with pytest.raises(ChangedDurationError):
        StretchWindows().apply(take_with(upper_arm()))


def test_a_painted_hand_is_led_along_its_path_by_values():
    take = take_with("left arm")
    change = MovePose(frame=115.0, to_frame=118.0).apply(take)
    limb = take.painting.effectors[0]
    np.testing.assert_array_equal(change.motion.rotations, retime_effector(MOTION, change.time_map, limb).rotations)
    assert change.led[limb.end]
    assert not change.joints.any()


def test_what_keeps_its_times_moves_no_key():
    assert not StretchWindows(factor=1.0).apply(take_with()).joints.any()


def test_windows_get_the_timing_of_one_of_them_whatever_is_painted():
    change = AlignWindows().apply(take_with("left arm"))
    assert change.joints.all()
    new = change.time_map.map_key_times(np.array(OTHER) / 30.0) * 30.0
    assert new[1] - new[0] == pytest.approx(OPERATION[1] - OPERATION[0])


def test_window_ends_go_to_beats():
    change = SnapToBeats(events="WINDOWS").apply(take_with())
    wanted = snap_map(MOTION, [100.0, 130.0, 150.0, 190.0], [98.0, 133.0, 152.0, 187.0])
    np.testing.assert_array_equal(change.time_map(MOTION.times), wanted(MOTION.times))


@pytest.mark.parametrize("reference", ["WINDOW", "ACTION"])
def test_a_feature_goes_to_every_enabled_window_but_its_source(reference):
    take = take_with(upper_arm())
    change = TransferMean(reference=reference, reference_start=100.0, reference_end=130.0).apply(take)
    wanted, segment = MOTION, Segment(MOTION, *OPERATION)
    for part in [OTHER] if reference == "WINDOW" else [OPERATION, OTHER]:
        up = take.body.require("up axis").vector
        wanted = transfer_mean_rotation(wanted, part, segment, take.painted, amount=1.0, ease=0.25, up=up)
    np.testing.assert_array_equal(change.motion.rotations, wanted.rotations)
    assert change.time_map is None


def test_features_need_their_painting():
    for tool in FEATURES[:2] + FEATURES[3:]:
        with pytest.raises(MotionEditError, match="Paint the bones"):
            tool.apply(take_with())
    with pytest.raises(MotionEditError, match="hand or a foot alone"):
        TransferTrajectory().apply(take_with(upper_arm()))
    with pytest.raises(MotionEditError, match="needs other painting"):
        TransferCoordination(shift="LIMB_COORDINATION").apply(take_with(upper_arm()))


def test_an_edit_is_carried_to_enabled_windows():
    joints = np.zeros(len(MOTION.skeleton), dtype=bool)
    joints[3] = True
    change = PropagateEdit(amount=0.5).apply(MadeTake(MOTION, joints=joints))
    wanted = carry_offsets(sample_motion(30.0), MOTION, OPERATION, MadeTake.windows.ticked(), joints=joints, amount=0.5)
    np.testing.assert_array_equal(change.motion.rotations, wanted.rotations)

    class Alone(MadeTake):
        windows = Windows(window(*OPERATION), (window(*OTHER, ticked=False),))

    with pytest.raises(NoWindowError, match="No window is enabled"):
        PropagateEdit().apply(Alone(MOTION))


@pytest.mark.parametrize("tool", [*TIMING, *FEATURES, PropagateEdit()], ids=lambda tool: type(tool).__name__)
def test_options_are_told(tool):
    options = options_of(tool)
    assert tool.unused <= set(options)
    assert all(option.tooltip and not option.tooltip.endswith(".") for option in options.values())
    assert tool.key_moves == ({"soften", "snap"} if tool in TIMING else set())


def test_tools_are_known_before_numpy_is_loaded():
    asked = (
        "import sys; from core.timeline import StretchWindows, TransferMean, PropagateEdit;"
        "from core.guided_warp import ShiftTime; from core.editing import options_of;"
        "[options_of(each) for each in (StretchWindows, TransferMean, PropagateEdit, ShiftTime)];"
        "print('numpy' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", asked], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"
