"""Plain edits of time as tools: keys can move through their time maps, and poses stay."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import chain, smooth_rotations

from core.editing import Take
from core.errors import MotionEditError
from core.guided_warp import Keytimes, ReverseTime, ShiftTime, WarpTime
from core.motion import Motion, Retimed, TimeMap

FRAMES, JOINTS, RATE = 31, 4, 30.0


@pytest.fixture
def motion() -> Motion:
    """Swinging joints."""
    return Motion.build(chain(JOINTS), smooth_rotations(FRAMES, JOINTS, 1), rate=RATE)


class SparseTake(Take):
    """A motion of few keys."""

    is_baked = False


def test_reversed_twice_is_as_before(motion):
    once = ReverseTime().apply(Take(motion)).motion
    assert isinstance(once, Retimed)
    np.testing.assert_allclose(once.whole().rotations, motion.rotations[::-1], atol=1e-12)
    twice = ReverseTime().apply(Take(once.whole())).motion.whole()
    np.testing.assert_allclose(twice.rotations, motion.rotations, atol=1e-12)


def test_shifted_poses_are_seen_later(motion):
    change = ShiftTime(offset=0.5).apply(Take(motion))
    later = change.motion.at(motion.times[:16] + 0.5)
    np.testing.assert_allclose(later.rotations, motion.rotations[:16], atol=1e-12)
    np.testing.assert_allclose(change.time_map.map_key_times([0.1]), [0.6])


def test_few_keys_are_shifted_by_whole_frames(motion):
    change = ShiftTime(offset=0.115).apply(SparseTake(motion))
    np.testing.assert_allclose(change.time_map.map_key_times([0.1]), [0.1 + 3.0 / RATE])


def test_what_leaves_at_one_end_comes_in_at_the_other(motion):
    change = ShiftTime(offset=10.0 / RATE, ends="CYCLE").apply(Take(motion))
    assert isinstance(change.motion, Motion)
    np.testing.assert_allclose(change.motion.rotations[10:30], motion.rotations[:20], atol=1e-9)
    np.testing.assert_allclose(change.motion.rotations[:10], motion.rotations[20:30], atol=1e-9)
    np.testing.assert_allclose(change.time_map([15.0 / RATE]), [5.0 / RATE], atol=1e-9)


def test_few_keys_do_not_cycle(motion):
    with pytest.raises(MotionEditError, match="key on every frame"):
        ShiftTime(ends="CYCLE").apply(SparseTake(motion))
    assert isinstance(ShiftTime().apply(SparseTake(motion)).motion, Retimed)


def test_some_joints_alone_are_retimed_where_they_are_looked_at(motion):
    joints = np.array([False, True, False, False])
    time_map = TimeMap.through([0.0, 0.4, 1.0], [0.0, 0.6, 1.0])
    seen = Retimed(motion, time_map, joints).at(motion.times)
    np.testing.assert_array_equal(seen.rotations[:, ~joints], motion.at(motion.times).rotations[:, ~joints])
    np.testing.assert_array_equal(seen.rotations[:, joints], motion.at(time_map(motion.times)).rotations[:, joints])
    assert len(Retimed(motion, time_map, joints).whole()) == FRAMES


class KeytimedTake(Take):
    """A prop with two keytimes, the second of them moved."""

    has_keytimes, figure, speeds, spans, is_cyclic, key_times = True, None, (), None, False, np.empty(0)
    partner_guides = ()
    frames = np.arange(FRAMES) + 1.0

    @property
    def keytimes(self) -> Keytimes:
        return Keytimes.from_lists([0.0, 0.5, 1.0], [0.0, 0.6, 1.0], [False, False])

    def other_action(self, _name: str) -> tuple[Motion, None, None]:
        return self.motion, None, None


def prop() -> Motion:
    """An object that swings, without a body."""
    return Motion.build(chain(1), smooth_rotations(FRAMES, 1, 2), rate=RATE)


@pytest.mark.parametrize("reference", ["SELF", "RANGE", "ACTION"])
def test_a_warp_hits_its_keytimes(reference):
    change = WarpTime(reference=reference, reference_start=3, reference_end=20).apply(KeytimedTake(prop()))
    assert isinstance(change.motion, Retimed)
    np.testing.assert_allclose(change.time_map.map_key_times([0.0, 0.5, 1.0]), [0.0, 0.6, 1.0], atol=1e-6)


def test_without_keytimes_the_length_counts_in_whole_frames():
    change = WarpTime(use_keytimes=False, length=0.78).apply(KeytimedTake(prop()))
    assert change.time_map.new_times[-1] == pytest.approx(23.0 / RATE)
    assert WarpTime().unused >= {"length", "reference_action", "keep_unlike"}
    assert "length" not in WarpTime(use_keytimes=False).unused


def test_a_reference_of_two_frames_is_refused():
    with pytest.raises(MotionEditError, match="2 to 3 has fewer than 3 frames"):
        WarpTime(reference="RANGE", reference_start=2, reference_end=3).apply(KeytimedTake(prop()))
