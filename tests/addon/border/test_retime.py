"""Timing edits through time maps."""

import bpy
import numpy as np
import pytest
from motion_editing.core.errors import NotInvertibleError
from motion_editing.core.motion.time_maps.time_map import TimeMap
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from rigs import all_keys, chain_armature, key_bones

RATE = 24.0


def everything(clip):
    return np.ones(len(clip.motion.skeleton), dtype=bool)


def slower(clip, factor=2.0):
    """The clip played at a fraction of its speed, from its own first frame on."""
    start, end = clip.motion.times[[0, -1]]
    return TimeMap.through([start, start + (end - start) * factor], [start, end], smooth=False)


def test_sparse_keys_and_handles_move_and_stay_sparse():
    armature = chain_armature(2)
    key_bones(armature, [1, 11, 21])
    clip = action_io.read(armature, rate=RATE)
    curve = action_io.channelbag(armature).fcurves[0]
    handles = [tuple(key.handle_right) for key in curve.keyframe_points]
    action_io.retime(clip, slower(clip), everything(clip))
    assert [key.co[0] for key in curve.keyframe_points] == [1, 21, 41]
    middle = curve.keyframe_points[1].handle_right
    assert middle[0] - 21 == pytest.approx(2 * (handles[1][0] - 11), rel=1e-4)
    again = action_io.read(armature, rate=RATE).motion
    np.testing.assert_allclose(again.locations[::2], clip.motion.locations, atol=2e-3)


def test_baked_curves_are_resampled_by_slerp():
    armature = chain_armature(2)
    key_bones(armature, list(range(1, 31)))
    clip = action_io.read(armature, rate=RATE)
    time_map = slower(clip, 1.5)
    action_io.retime(clip, time_map, everything(clip))
    again = action_io.read(armature, rate=RATE)
    assert again.frames[0] == 1
    assert again.frames[-1] in (44, 45)
    expected = time_map.apply(clip.motion, again.motion.times)
    assert quaternion.angle_between(again.motion.rotations, expected.rotations).max() < 1e-5
    np.testing.assert_allclose(again.motion.locations, expected.locations, atol=1e-5)


def test_no_change_of_time_changes_nothing():
    for frames in ([1, 11, 21], list(range(1, 22))):
        armature = chain_armature(2, name=f"Rig{len(frames)}")
        action = key_bones(armature, frames)
        before = all_keys(action)
        clip = action_io.read(armature, rate=RATE)
        action_io.retime(clip, slower(clip, 1.0), everything(clip))
        after = all_keys(action)
        for identity, keys in before.items():
            for name in ("co", "interpolation", "type", "handle_left_type"):
                assert after[identity][name] == keys[name], (identity, name)


def test_only_chosen_joints_move():
    armature = chain_armature(3)
    action = key_bones(armature, list(range(1, 22)))
    before = all_keys(action)
    clip = action_io.read(armature, rate=RATE)
    joints = np.array([name == "bone1" for name in clip.motion.skeleton.names])
    action_io.retime(clip, slower(clip), joints)
    after = all_keys(action)
    assert {identity[1].split('"')[1] for identity in after if after[identity] != before[identity]} == {"bone1"}


def test_reversed_keys_play_backward():
    armature = chain_armature(2)
    key_bones(armature, [1, 6, 21])
    clip = action_io.read(armature, rate=RATE)
    start, end = clip.motion.times[[0, -1]]
    action_io.retime(clip, TimeMap.reverse(start, end), everything(clip))
    again = action_io.read(armature, rate=RATE).motion
    np.testing.assert_allclose(again.locations, clip.motion.locations[::-1], atol=2e-3)


def test_time_that_stands_still_is_refused_for_sparse_keys_and_nothing_changes():
    armature = chain_armature(2)
    action = key_bones(armature, [1, 11, 21])
    before = all_keys(action)
    clip = action_io.read(armature, rate=RATE)
    start, end = clip.motion.times[[0, -1]]
    stop = TimeMap.through(
        [start, start + 0.5, start + 1, end + 1], [start, start + 0.5, start + 0.5, end], smooth=False
    )
    with pytest.raises(NotInvertibleError):
        action_io.retime(clip, stop, everything(clip))
    assert all_keys(action) == before
    assert bpy.data.actions


def test_breakdown_keys_follow_an_uneven_warp():
    from motion_editing.motion_editing_addon.border.action_io import KeyOptions

    armature = chain_armature(1)
    bone = armature.pose.bones[0]
    for frame, value in ((1, 0.0), (41, 2.0), (81, 0.0)):
        bone.location[0] = value
        bone.keyframe_insert("location", index=0, frame=frame)
    clip = action_io.read(armature, rate=RATE)
    start = float(clip.motion.times[0])
    uneven = TimeMap.through(
        start + np.array([0, 1.0, 1.2, 3.0]), start + np.array([0, 0.4, 1.5, 80 / RATE]), smooth=False
    )
    report = action_io.retime(clip, uneven, everything(clip), options=KeyOptions(location_error=0.01), held=20)
    again = action_io.read(armature, rate=RATE)
    exact = uneven.apply(clip.motion, again.motion.times)
    np.testing.assert_allclose(again.motion.locations[:, 1, 0], exact.locations[:, 1, 0], atol=0.02)
    assert report.breakdown_keys > 0
    assert report.largest_miss <= 0.01
    kinds = [key.type for key in again.channels.of(again.channels.joints[1][0])[0].keyframe_points]
    assert kinds.count("BREAKDOWN") == report.breakdown_keys
    assert kinds.count("KEYFRAME") == 3


def test_few_keys_stay_few():
    """A tenth more at most, however uneven the warp; they are where they are needed most."""
    from motion_editing.motion_editing_addon.border.action_io import KeyOptions

    armature = chain_armature(3)
    key_bones(armature, list(range(1, 82, 8)))
    clip = action_io.read(armature, rate=RATE)
    start = float(clip.motion.times[0])
    uneven = TimeMap.through(start + np.array([0, 1.0, 1.2, 3.0]), start + np.array([0, 0.4, 1.5, 80 / RATE]))
    report = action_io.retime(clip, uneven, everything(clip), options=KeyOptions(rotation_error=1e-4), snap=True)
    assert 0 < report.breakdown_keys <= 0.1 * report.keys_before
    assert report.keys_after == report.keys_before + report.breakdown_keys
    again = action_io.read(armature, rate=RATE)
    frames = np.concatenate([keys[:, 0] for keys in again.keys.values()])
    np.testing.assert_array_equal(frames, np.round(frames))


@pytest.mark.parametrize("frames", [[1, 11, 21, 41], list(range(1, 42))])
def test_a_timing_that_shows_a_part_alone_is_refused_and_no_key_is_lost(frames):
    armature = chain_armature(2)
    action = key_bones(armature, frames)
    before = all_keys(action)
    clip = action_io.read(armature, rate=RATE)
    part = TimeMap.through([1 / RATE, 11 / RATE], [1 / RATE, 21 / RATE], smooth=False)
    with pytest.raises(NotInvertibleError, match="frames 1 to 21 of 1 to 41"):
        action_io.retime(clip, part, everything(clip))
    assert all_keys(action) == before
