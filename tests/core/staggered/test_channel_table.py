"""Shapes of a face among staggered poses: when each has its extreme is kept, follows edits and is saved."""

from dataclasses import replace

import numpy as np
import pytest
from made_motion import swinging_chain

from core.analysis import ExtractionOptions, extract_poses
from core.body import find_body
from core.errors import MotionEditError
from core.staggered import channels_of_shape, evaluate, mirrored_poses, restagger, retimed_poses, scale_stagger
from core.staggered import with_channel_refinements as with_late_shape
from core.staggered.poses.channel_table import ChannelTable
from core.staggered.poses.pose_table import PoseTable

NAMES = ('Key: key_blocks["blink.L"].value', 'Key: key_blocks["blink.R"].value', "switch")
PLAIN = swinging_chain(joints=3, frames=90)
TIMES = PLAIN.times


def talking():
    left, right = (0.5 + 0.5 * np.sin(7.0 * TIMES + late) for late in (0.0, 0.8))
    scalars = np.stack([left, right, (TIMES > 1.0).astype(float)], axis=1)
    return replace(PLAIN, scalars=scalars, scalar_names=NAMES, stepped=frozenset({"switch"}))


MOTION = talking()


def found(**options):
    return extract_poses(MOTION, find_body(MOTION.skeleton), options=ExtractionOptions(**options))


def table():
    poses = found()
    return PoseTable.of_candidates(poses), len(poses) // 2


def dragged():
    """The left eye of one pose closes two frames later."""
    plain, pose = table()
    model = with_late_shape(plain.fitted(MOTION), 2.0 / MOTION.rate, poses=[pose], channels=[0])
    return plain.following(model), model, pose


def test_without_the_face_nothing_is_said_of_it():
    plain, _pose = table()
    assert not plain.channels
    assert set(plain.to_arrays()) == set(PoseTable.of_candidates(found()).to_arrays())
    assert "channels" not in plain.to_arrays()


def test_with_the_face_its_extremes_are_those_of_the_shapes():
    poses = found(face_weight=0.5)
    late = poses.channel_refinements
    assert poses.channels == NAMES[:2]
    assert late.any(axis=0).all()
    for channel, pose in zip(*np.nonzero(late.T), strict=True):
        frame = round((poses.times[pose] + late[pose, channel]) * MOTION.rate)
        near = MOTION.scalars[max(0, frame - 4) : frame + 5, channel]
        assert min(near.max() - MOTION.scalars[frame, channel], MOTION.scalars[frame, channel] - near.min()) < 0.05


def test_a_late_shape_is_late_alone():
    _late, model, pose = dragged()
    shown, time = evaluate(model), model.pose_times[pose]
    assert model.channel_times(0)[pose] == pytest.approx(time + 2.0 / MOTION.rate)
    assert shown.at(time + 2.0 / MOTION.rate).scalars[0, 0] == pytest.approx(MOTION.at(time).scalars[0, 0], abs=1e-3)
    np.testing.assert_allclose(shown.scalars[:, 1:], MOTION.scalars[:, 1:], atol=1e-9)
    np.testing.assert_array_equal(shown.rotations, MOTION.rotations)


def test_what_is_late_is_saved_and_fitted_again():
    late, model, pose = dragged()
    again = PoseTable.from_arrays(late.to_arrays(), 3)
    assert again.channels.names == NAMES[:1]
    fitted = again.fitted(evaluate(model))
    np.testing.assert_allclose(fitted.channel_times(0), model.channel_times(0), atol=1e-9)
    assert again.channels.applied(NAMES, len(again))[pose] == pytest.approx([2.0 / MOTION.rate, 0.0, 0.0])


def test_it_is_taken_away_with_the_object_and_brought_back():
    plain, pose = table()
    skeleton = replace(MOTION.skeleton, has_placement=True)
    placed = plain.fitted(replace(MOTION, skeleton=skeleton))
    model = with_late_shape(placed, 2.0 / MOTION.rate, poses=[pose], channels=[0])
    only_bones, everything = ([False, True, True], [True, True, True])
    kept = scale_stagger(model, 0.0, joints=only_bones)
    np.testing.assert_array_equal(kept.channel_times(0), model.channel_times(0))
    gone = scale_stagger(model, 0.0, joints=everything)
    assert gone.channel_times(0)[pose] == pytest.approx(gone.pose_times[pose])
    np.testing.assert_allclose(restagger(gone, joints=everything).channel_times(0), model.channel_times(0))


def test_it_follows_a_new_timing_and_exchanged_sides():
    late, _model, pose = dragged()
    joints = np.ones(3, dtype=bool)
    slower = retimed_poses(late, lambda times: 2.0 * times, joints=joints)
    assert slower.channels.applied(NAMES, len(slower))[pose, 0] == pytest.approx(4.0 / MOTION.rate)
    all_poses = np.ones(len(late), dtype=bool)
    other = mirrored_poses(late, np.arange(3), joints=joints, poses=all_poses, names=NAMES)
    assert other.channels.applied(NAMES, len(other))[pose] == pytest.approx([0.0, 2.0 / MOTION.rate, 0.0])
    twice = mirrored_poses(other, np.arange(3), joints=joints, poses=all_poses, names=NAMES)
    np.testing.assert_array_equal(twice.channels.refinements, late.channels.refinements)


def test_a_pose_more_is_not_staggered():
    late, _model, pose = dragged()
    more = late.with_pose(float(late.times[pose] - 0.01))
    assert more.channels.applied(NAMES, len(more))[pose : pose + 2, 0] == pytest.approx([0.0, 2.0 / MOTION.rate])


def test_a_shape_is_found_by_its_name():
    _late, model, _pose = dragged()
    assert channels_of_shape(model, "blink.R") == [1]
    with pytest.raises(MotionEditError, match="no animated shape key 'frown'"):
        channels_of_shape(model, "frown")


def test_hand_set_keys_belong_to_the_nearest_pose_in_reach():
    poses, keys = np.array([0.0, 1.0, 2.0, 3.0]), {NAMES[0]: np.array([0.1, 0.9, 1.2, 1.5, 2.4, 3.0])}
    found = ChannelTable().on_keys(keys, poses, reach=0.25)
    assert found.applied(NAMES[:1], 4)[:, 0] == pytest.approx([0.1, -0.1, 0.0, 0.0])
    away = replace(found, collapsed=np.ones((4, 1), dtype=bool))
    again = away.on_keys({NAMES[0]: np.array([0.0, 1.2])}, poses, reach=0.25)
    late, gone = again.told(NAMES[:1], 4)
    assert late[:, 0] == pytest.approx([0.1, 0.2, 0.0, 0.0])
    assert gone[:2, 0].tolist() == [True, False]
