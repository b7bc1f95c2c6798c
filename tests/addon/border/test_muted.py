"""Muted channels: edits of values leave them out and tell it, edits of time take them along."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.core.motion.time_maps.time_map import TimeMap
from motion_editing.core.solve.contact_lock import foot_slide
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.contacts.saved_contacts import contacts_of
from rigs import all_keys, chain_armature, key_bones, mute, unmute

BAKED, SPARSE = list(range(1, 41)), [1, 9, 20, 34, 40]
RATE = 24.0


# Values


@pytest.mark.parametrize("index", [None, 2])
@pytest.mark.parametrize(
    ("operator", "options"),
    [
        ("smooth", {"radius": 0.2}),
        ("low_pass", {}),
        ("convert_keys", {"keying": "REDUCED", "rotation_error": 0.1}),
        ("reduce_keys", {}),
    ],
)
def test_edits_of_values_leave_muted_channels_out_and_tell_it(capsys, operator, options, index):
    armature = chain_armature(3)
    action = key_bones(armature, BAKED)
    mute(armature, "bone1", "rotation", index=index)
    before = all_keys(action)
    whole = [key for key in before if "bone1" in key[1] and "rotation" in key[1]]
    assert getattr(bpy.ops.motion_editing, operator)(**options) == {"FINISHED"}
    after = all_keys(armature.animation_data.action)
    assert {key: after[key] for key in whole} == {key: before[key] for key in whole}
    assert after != before
    assert "1 muted channel was left out: 'rotation quaternion of bone1'" in capsys.readouterr().out


def test_channels_out_of_scope_are_not_spoken_of(capsys):
    armature = chain_armature(3)
    key_bones(armature, BAKED)
    mute(armature, "bone1", "rotation")
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.select_all(action="DESELECT")
    select(armature.pose.bones["bone2"], True)
    bpy.ops.motion_editing.smooth(radius=0.2)
    told = capsys.readouterr().out
    assert "Smoothed 1 bone" in told
    assert "muted" not in told


def test_where_all_is_muted_nothing_changes_and_the_reason_is_told(capsys):
    armature = chain_armature(2)
    action = key_bones(armature, BAKED)
    mute(armature, "pose.bones")
    action_io.channelbag(armature).fcurves.new("location").keyframe_points.insert(1, 0.0)
    before = all_keys(action)
    bpy.ops.motion_editing.smooth(radius=0.2)
    assert all_keys(action) == before
    told = capsys.readouterr().out
    assert "changed nothing. 6 muted channels were left out: 'location of bone0'" in told
    assert "and 3 more" in told


def test_mirroring_leaves_a_muted_arm_as_it_is_and_mirrors_what_is_seen(capsys):
    bpy.ops.motion_editing.load_sample_motion()
    armature = bpy.context.object
    bpy.context.scene.frame_set(60)
    muted = mute(armature, '"upper_arm.L"', "rotation")
    before, seen = all_keys(armature.animation_data.action), scope.read_clip(bpy.context, armature).motion
    assert bpy.ops.motion_editing.mirror_motion(about="REST") == {"FINISHED"}
    after, now = all_keys(armature.animation_data.action), scope.read_clip(bpy.context, armature).motion
    assert {key: after[key] for key in muted} == {key: before[key] for key in muted}
    assert "1 muted channel was left out: 'rotation quaternion of upper_arm.L'" in capsys.readouterr().out
    right, leg = seen.skeleton.index["upper_arm.R"], seen.skeleton.index["shin.R"]
    assert np.ptp(now.rotations[:, right], axis=0).max() < 1e-6 < np.ptp(seen.rotations[:, right], axis=0).max()
    assert np.abs(now.rotations[:, leg] - seen.rotations[:, leg]).max() > 0.1


def test_a_loop_is_made_without_the_muted_channel(capsys):
    bpy.ops.motion_editing.load_sample_motion()
    armature = bpy.context.object
    muted = mute(armature, '"upper_arm.L"', "rotation")
    before = all_keys(armature.animation_data.action)
    assert bpy.ops.motion_editing.make_loop() == {"FINISHED"}
    after = all_keys(armature.animation_data.action)
    assert {key: after[key] for key in muted} == {key: before[key] for key in muted}
    assert "1 muted channel was left out" in capsys.readouterr().out


def sliding_walk():
    """The sample motion with feet that slide, and its contacts."""
    bpy.ops.motion_editing.load_sample_motion()
    armature = bpy.context.object
    bpy.ops.motion_editing.find_contacts()
    root = action_io.channelbag(armature).fcurves.find('pose.bones["hips"].location', index=0)
    for key in root.keyframe_points:
        key.co.y += 0.04 * np.sin(key.co.x / 15.0)
    root.update()
    return armature


def slides(armature):
    clip = scope.read_clip(bpy.context, armature)
    return {foot: max(own) for foot, own in foot_slide(clip.motion, contacts_of(clip)).items() if len(own)}


def test_a_leg_with_a_muted_joint_is_not_locked_and_the_other_one_is(capsys):
    armature = sliding_walk()
    mute(armature, '"shin.L"', "rotation")
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.lock_feet()
    after = all_keys(armature.animation_data.action)
    left = [key for key in before if any(f'"{name}.L"' in key[1] for name in ("thigh", "shin", "foot"))]
    assert {key: after[key] for key in left} == {key: before[key] for key in left}
    assert "1 muted channel was left out: 'rotation quaternion of shin.L'" in capsys.readouterr().out
    found = slides(armature)
    assert found["foot.R"] < 1e-4 < 0.01 < found["foot.L"]


def test_a_muted_arm_is_no_word_worth_where_feet_are_locked(capsys):
    armature = sliding_walk()
    mute(armature, '"forearm.L"', "rotation")
    bpy.ops.motion_editing.lock_feet()
    assert "muted" not in capsys.readouterr().out
    assert max(slides(armature).values()) < 1e-4


def test_a_root_that_is_muted_is_not_lowered_and_feet_are_locked_as_far_as_legs_reach(capsys):
    armature = sliding_walk()
    bpy.context.scene.frame_set(1)
    muted = mute(armature, '"hips"', "location", index=2)
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.lock_feet()
    after = all_keys(armature.animation_data.action)
    assert {key: after[key] for key in muted} == {key: before[key] for key in muted}
    told = capsys.readouterr().out
    assert "1 muted channel was left out: 'location of hips'" in told
    assert "root lowered" not in told


def test_an_edited_pose_tells_what_is_muted(capsys):
    bpy.ops.motion_editing.load_sample_motion()
    armature = bpy.context.object
    muted = mute(armature, '"hand.L"', "rotation")
    bpy.ops.motion_editing.extract_poses(share=0.3)
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.edit_staggered_pose(pose=2)
    for name in ("hand.L", "hand.R"):
        armature.pose.bones[name].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    capsys.readouterr()
    assert bpy.ops.motion_editing.apply_staggered_pose() == {"FINISHED"}
    assert "1 muted channel was left out: 'rotation quaternion of hand.L'" in capsys.readouterr().out
    after = all_keys(armature.animation_data.action)
    assert {key: after[key] for key in muted} == {key: before[key] for key in muted}
    assert after != before


def test_without_a_leg_that_can_be_bent_feet_are_refused():
    armature = sliding_walk()
    mute(armature, "thigh", "rotation")
    with pytest.raises(RuntimeError, match=r"'rotation quaternion of thigh\.L' is muted: unmute it"):
        bpy.ops.motion_editing.lock_feet()


# Time


def slower(clip):
    start, end = clip.motion.times[[0, -1]]
    return TimeMap.through([start, start + 0.3 * (end - start), end + 1.0], [start, 0.5 * (start + end), end])


@pytest.mark.parametrize("frames", [BAKED, SPARSE])
def test_muted_curves_get_the_timing_that_they_would_have_got(frames):
    """Locations: components do not depend on each other, so the muted ones go exactly as they would otherwise."""
    outcomes = []
    for muted in (False, True):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        armature = chain_armature(3, connected=False)
        action = key_bones(armature, frames)
        if muted:
            mute(armature, "bone1", "location")
        clip = action_io.read(armature, rate=RATE)
        report = action_io.retime(clip, slower(clip), np.ones(len(clip.motion.skeleton), dtype=bool))
        assert not report.muted
        unmute(armature)
        curve = action_io.channelbag(armature).fcurves.find('pose.bones["bone1"].location', index=1)
        outcomes.append([tuple(key.co) for key in curve.keyframe_points])
        assert len(all_keys(action)) == 30
    np.testing.assert_allclose(*outcomes, atol=1e-5)


def test_warping_and_shifting_take_muted_curves_along_without_a_word(capsys):
    armature = chain_armature(3)
    action = key_bones(armature, SPARSE)
    mute(armature, "bone1", "rotation", index=0)
    mute(armature, "bone2", "scale")
    bpy.ops.motion_editing.shift_time(offset=5 / RATE)
    curves = action_io.channelbag(armature).fcurves
    assert {tuple(round(key.co.x, 3) for key in curve.keyframe_points) for curve in curves} == {
        tuple(frame + 5.0 for frame in SPARSE)
    }
    bpy.ops.motion_editing.warp_time(length=1.5, breakdowns=False)
    bpy.ops.motion_editing.reverse_time()
    assert len({tuple(key.co.x for key in curve.keyframe_points) for curve in curves}) == 1, "all still in step"
    assert len(all_keys(action)) == 30
    assert "muted" not in capsys.readouterr().out


def test_a_muted_curve_that_is_locked_stays():
    armature = chain_armature(2)
    action = key_bones(armature, SPARSE)
    muted = mute(armature, "bone1", "location", index=0)
    action_io.channelbag(armature).fcurves.find(muted[0][1], index=0).lock = True
    before = all_keys(action)
    bpy.ops.motion_editing.shift_time(offset=5 / RATE)
    after = all_keys(action)
    assert [key for key in before if after[key] == before[key]] == muted


def test_muted_custom_properties_go_along():
    armature = chain_armature(2)
    armature["mood"] = 0.0
    key_bones(armature, SPARSE)
    for frame in SPARSE:
        armature["mood"] = frame / 10.0
        armature.keyframe_insert('["mood"]', frame=frame)
    mute(armature, "mood")
    bpy.ops.motion_editing.shift_time(offset=5 / RATE)
    curve = action_io.channelbag(armature).fcurves.find('["mood"]')
    assert [key.co.x for key in curve.keyframe_points] == [frame + 5 for frame in SPARSE]
    assert [key.co.y for key in curve.keyframe_points] == pytest.approx([frame / 10.0 for frame in SPARSE])
