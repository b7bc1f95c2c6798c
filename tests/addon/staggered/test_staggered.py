"""Staggered poses through the operators: extracting, staggering, editing poses, saving."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.core.staggered.edits.pose_edits import non_staggered_pose
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.border.saved_state import STAGGERED
from motion_editing.motion_editing_addon.document import watched_keys
from motion_editing.motion_editing_addon.staggered import refit, session
from rigs import all_keys
from staggered_motions import extracted_sample, motion_of, poses_of


@pytest.fixture
def sample(empty_scene):
    return extracted_sample()


def test_extracting_changes_no_key(empty_scene):
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    armature = bpy.context.object
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.extract_poses()
    assert all_keys(armature.animation_data.action) == before
    listed = poses_of(armature).poses
    assert 10 < len(listed) < 80
    assert [pose.frame for pose in listed] == sorted(pose.frame for pose in listed)


def test_culling_shows_fewer_poses_and_changes_no_key(sample):
    before, count = all_keys(sample.animation_data.action), len(poses_of(sample).poses)
    poses_of(sample).share = 0.3
    assert len(poses_of(sample).poses) == pytest.approx(0.3 * count, abs=1.5)
    poses_of(sample).share = 1.0
    assert len(poses_of(sample).poses) == count
    assert all_keys(sample.animation_data.action) == before


def test_picking_a_pose_moves_the_playhead(sample):
    poses_of(sample).active = 5
    assert bpy.context.scene.frame_current == round(poses_of(sample).poses[5].frame)


def test_unstagger_and_restagger_bring_back_every_key(sample):
    before = all_keys(sample.animation_data.action)
    motion = motion_of(sample)
    assert bpy.ops.motion_editing.unstagger(all_poses=True) == {"FINISHED"}
    assert quaternion.angle_between(motion.rotations, motion_of(sample).rotations).max() > 0.01
    assert bpy.ops.motion_editing.restagger(all_poses=True) == {"FINISHED"}
    after = all_keys(sample.animation_data.action)
    for identity, keys in before.items():
        old, new = (np.frombuffer(each["co"], dtype=np.float32) for each in (keys, after[identity]))
        np.testing.assert_allclose(new, old, atol=2e-6)


def test_succession_touches_only_what_is_below_the_bone(sample):
    before = motion_of(sample)
    assert bpy.ops.motion_editing.succession(bone="upper_arm.L", offset=0.05, all_poses=True) == {"FINISHED"}
    after = motion_of(sample)
    names = before.skeleton.names
    changed = (before.rotations != after.rotations).any(axis=(0, 2))
    assert {names[joint] for joint in np.flatnonzero(changed)} == {"forearm.L", "hand.L", "fingers.L"}
    np.testing.assert_array_equal(before.locations, after.locations)


def test_only_selected_bones_are_staggered(sample):
    bpy.ops.object.mode_set(mode="POSE")
    for bone in sample.pose.bones:
        select(bone, bone.name == "hand.R")
    before = motion_of(sample)
    bpy.ops.motion_editing.random_stagger(reach=0.08, all_poses=True)
    changed = (before.rotations != motion_of(sample).rotations).any(axis=(0, 2))
    assert {before.skeleton.names[joint] for joint in np.flatnonzero(changed)} == {"hand.R"}


def test_an_edited_extreme_pose_is_met_and_the_rest_stays(sample):
    poses_of(sample).share = 0.5
    pose = len(poses_of(sample).poses) // 2
    before = motion_of(sample)
    old = refit.require(bpy.context, sample).model
    assert bpy.ops.motion_editing.edit_staggered_pose(kind="EXTREME", pose=pose) == {"FINISHED"}
    shown = [quaternion.normalize(bone.rotation_quaternion) for bone in sample.pose.bones]
    expected = non_staggered_pose(old, pose).rotations[0, 1:]
    assert quaternion.angle_between(np.array(shown), expected).max() < 1e-5
    bone = sample.pose.bones["upper_arm.R"]
    bone.rotation_quaternion = quaternion.multiply(
        np.array(bone.rotation_quaternion), quaternion.from_axis_angle([1.0, 0, 0], 0.5)
    )
    wanted = np.array(bone.rotation_quaternion)
    assert bpy.ops.motion_editing.apply_staggered_pose() == {"FINISHED"}
    after, new = motion_of(sample), refit.require(bpy.context, sample).model
    joint = before.skeleton.index["upper_arm.R"]
    assert quaternion.angle_between(non_staggered_pose(new, pose).rotations[0, joint], wanted) < 1e-5
    changed = (before.rotations != after.rotations).any(axis=2)
    assert set(np.flatnonzero(changed.any(axis=0))) == {joint}
    neighbours = old.timing.extreme_times[[pose - 1, pose + 1], joint]
    moving = before.times[changed[:, joint]]
    assert moving.min() > neighbours[0]
    assert moving.max() < neighbours[1]
    assert len(bpy.data.actions) == 2, "the posing action must be gone; the original is kept"


def test_cancelling_a_pose_leaves_everything(sample):
    before = all_keys(sample.animation_data.action)
    action = sample.animation_data.action
    bpy.ops.motion_editing.edit_staggered_pose(kind="TRUE", pose=3)
    sample.pose.bones["head"].rotation_quaternion = (0, 1, 0, 0)
    bpy.ops.motion_editing.cancel_staggered_pose()
    assert sample.animation_data.action == action
    assert all_keys(action) == before
    assert len(bpy.data.actions) == 1
    assert not sample.motion_editing_posing.action


def test_poses_survive_saving_and_loading(sample, tmp_path):
    bpy.ops.motion_editing.unstagger(all_poses=True)
    frames = [pose.frame for pose in poses_of(sample).poses]
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "poses.blend"))
    session.forget()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "poses.blend"))
    armature = bpy.data.objects["Sample"]
    bpy.context.view_layer.objects.active = armature
    assert [pose.frame for pose in poses_of(armature).poses] == frames
    before = motion_of(armature)
    assert bpy.ops.motion_editing.restagger(all_poses=True) == {"FINISHED"}
    assert quaternion.angle_between(before.rotations, motion_of(armature).rotations).max() > 0.01


def test_keys_changed_from_outside_are_noticed_and_taken_up(sample):
    curve = action_io.channelbag(sample).fcurves[3]
    curve.keyframe_points[40].co[1] += 0.2
    curve.update()
    assert watched_keys.state(sample, STAGGERED, exact=True) is watched_keys.State.CHANGED
    assert bpy.ops.motion_editing.succession(bone="upper_arm.L") == {"FINISHED"}


def test_removing_leaves_plain_curves(sample):
    before = all_keys(sample.animation_data.action)
    bpy.ops.motion_editing.remove_poses()
    assert all_keys(sample.animation_data.action) == before
    assert session.load(sample) is None
    assert not poses_of(sample).poses


@pytest.mark.clips
def test_captured_motion_with_noise_is_warned_about_and_can_be_smoothed(clips_folder):
    bpy.ops.motion_editing.import_bvh(filepath=str(clips_folder / "dev" / "cmu_09_01_run.bvh"))
    armature = bpy.context.object
    bpy.ops.motion_editing.extract_poses()
    before = motion_of(armature)
    assert bpy.ops.motion_editing.succession(bone="LowerBack", offset=0.02, all_poses=True) == {"FINISHED"}
    rough = motion_of(armature)
    bpy.ops.motion_editing.restore_original()
    bpy.ops.motion_editing.extract_poses()
    bpy.ops.motion_editing.succession(bone="LowerBack", offset=0.02, all_poses=True, smooth_first=True)
    from motion_editing.core.staggered.edits.noise import high_frequency_energy

    head = before.skeleton.index["Head"]
    assert high_frequency_energy(motion_of(armature))[head] < high_frequency_energy(rough)[head]


@pytest.mark.parametrize(
    ("operator", "properties"),
    [
        ("set_tangents", {"shape": "AUTO", "leaving": 2.0}),
        ("succession", {"bone": "spine", "offset": 0.03}),
        ("random_stagger", {"reach": 0.05, "seed": 3}),
        ("scale_stagger", {"factor": 2.0}),
        ("exaggerate_pose", {"weight": 0.5}),
        ("detail_strength", {"strength": 0.0}),
        ("copy_stagger", {"mirror": True}),
    ],
)
def test_every_edit_is_one_undo_step_and_undoes_exactly(sample, operator, properties):
    bpy.ops.ed.undo_push(message="set up")
    before, frames = all_keys(sample.animation_data.action), [pose.frame for pose in poses_of(sample).poses]
    getattr(bpy.ops.motion_editing, operator)(all_poses=True, **properties)
    bpy.ops.ed.undo_push(message=operator)
    assert all_keys(bpy.data.objects["Sample"].animation_data.action) != before
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Sample"]
    assert all_keys(armature.animation_data.action) == before
    assert [pose.frame for pose in poses_of(armature).poses] == frames
    assert bpy.ops.motion_editing.unstagger(all_poses=True) == {"FINISHED"}, "the poses must fit the keys after undo"
