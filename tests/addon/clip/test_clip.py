"""Operators on the clip: sample motion, BVH files, source rate, the original keys."""

import bpy
import numpy as np
import pytest
from motion_editing.core.files.bvh import read_bvh
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from rigs import all_keys, chain_armature, key_bones


def test_sample_motion_is_loaded_with_its_rate():
    assert bpy.ops.motion_editing.load_sample_motion(rate=30) == {"FINISHED"}
    armature = bpy.context.object
    action = armature.animation_data.action
    assert action.motion_editing.source_rate == 30.0
    clip = action_io.read(armature, rate=30.0)
    from motion_editing.core.sample_motion import sample_motion

    made = sample_motion(rate=30)
    joints = [clip.motion.skeleton.index[name] for name in made.skeleton.names]
    np.testing.assert_allclose(clip.motion.poses.positions[:, joints], made.poses.positions, atol=1e-5)
    np.testing.assert_allclose(clip.motion.poses.tips[:, joints], made.poses.tips, atol=1e-4)


def test_bvh_export_and_import_give_the_motion_again(tmp_path):
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    before = action_io.read(bpy.context.object, rate=30.0).motion
    path = tmp_path / "sample.bvh"
    assert bpy.ops.motion_editing.export_bvh(filepath=str(path)) == {"FINISHED"}
    written = read_bvh(path).to_motion()
    assert written.rate == pytest.approx(30.0)
    # The object, which does nothing, is no joint: else each round would add one.
    assert set(written.skeleton.names) == set(before.skeleton.names[1:])
    assert bpy.ops.motion_editing.import_bvh(filepath=str(path)) == {"FINISHED"}
    armature = bpy.context.object
    assert armature.animation_data.action.motion_editing.source_rate == pytest.approx(30.0)
    after = action_io.read(armature, rate=30.0).motion
    joints = [after.skeleton.index[name] for name in before.skeleton.names[1:]]
    np.testing.assert_allclose(after.poses.positions[:, joints], before.poses.positions[:, 1:], atol=1e-4)


@pytest.mark.parametrize(("up", "axis"), [("Y", 1), ("Z", 2)])
def test_the_chosen_axis_points_up_in_the_file(tmp_path, up, axis):
    bpy.ops.motion_editing.load_sample_motion(rate=10)
    path = tmp_path / "up.bvh"
    assert bpy.ops.motion_editing.export_bvh(filepath=str(path), up=up) == {"FINISHED"}
    written = read_bvh(path).to_motion()
    extent = np.ptp(written.poses.positions[0], axis=0)
    assert int(extent.argmax()) == axis


@pytest.mark.parametrize("moved", [False, True])
def test_export_and_batches_write_the_same_file(tmp_path, moved):
    from motion_editing.motion_editing_addon.batch.formats import clip_files

    bpy.ops.motion_editing.load_sample_motion(rate=10)
    if moved:
        bpy.context.object.location, bpy.context.object.rotation_euler = (1.0, 2.0, 3.0), (0.1, 0.2, 0.3)
    one, other = tmp_path / "export.bvh", tmp_path / "batch.bvh"
    bpy.ops.motion_editing.export_bvh(filepath=str(one))
    clip_files.save(other, like=tmp_path / "from.fbx")
    assert one.read_bytes() == other.read_bytes()


def test_a_broken_file_is_refused_in_one_line_and_leaves_nothing(tmp_path):
    path = tmp_path / "broken.bvh"
    path.write_text("HIERARCHY\nROOT Hips\n{\nOFSET 0 0 0\n")
    with pytest.raises(RuntimeError, match=r"broken\.bvh, line 4: expected"):
        bpy.ops.motion_editing.import_bvh(filepath=str(path))
    assert not bpy.data.objects
    assert not bpy.data.actions


def test_guessing_the_rate_sets_it_with_a_reason():
    bpy.ops.motion_editing.load_sample_motion(rate=120)
    settings = bpy.context.object.animation_data.action.motion_editing
    settings.source_rate = 0.0
    assert bpy.ops.motion_editing.guess_source_rate() == {"FINISHED"}
    assert settings.source_rate in (100.0, 120.0)
    assert settings.source_rate_reason


def test_original_keys_come_back():
    armature = chain_armature(2)
    action = key_bones(armature, list(range(1, 31)))
    before = all_keys(action)
    name = action.name
    assert bpy.ops.motion_editing.convert_keys(keying="REDUCED") == {"FINISHED"}
    assert all_keys(armature.animation_data.action) != before
    assert bpy.ops.motion_editing.restore_original() == {"FINISHED"}
    assert armature.animation_data.action.name == name
    assert armature.animation_data.action_slot is not None
    assert all_keys(armature.animation_data.action) == before
    with pytest.raises(RuntimeError, match="has not been edited"):
        bpy.ops.motion_editing.restore_original()


@pytest.mark.clips
def test_captured_clips_come_in_upright_and_without_their_reference_pose(clips_folder):
    path = clips_folder / "dev" / "cmu_07_01_walk.bvh"
    bpy.ops.motion_editing.import_bvh(filepath=str(path))
    armature = bpy.context.object
    settings = armature.animation_data.action.motion_editing
    assert settings.source_rate == pytest.approx(120.0, rel=1e-4)
    assert settings.skipped_frames == 1
    clip = action_io.read(armature, rate=120.0)
    head, foot = (clip.motion.skeleton.index[name] for name in ("Head", "LeftFoot"))
    assert (clip.motion.poses.positions[:, head, 2] > clip.motion.poses.positions[:, foot, 2] + 10).all()


@pytest.mark.clips
def test_the_first_frame_of_motion_is_edited_after_the_reference_pose_was_deleted(clips_folder):
    bpy.ops.motion_editing.import_bvh(filepath=str(clips_folder / "dev" / "cmu_07_01_walk.bvh"))
    armature = bpy.context.object
    for curve in action_io.channelbag(armature).fcurves:
        curve.keyframe_points.remove(curve.keyframe_points[0])
    before = action_io.read(armature, rate=120.0)
    bpy.ops.motion_editing.exaggerate_motion(amount=1.5)
    after = action_io.read(armature, rate=120.0)
    assert before.frames[0] == after.frames[0] == 2.0
    arm = before.motion.skeleton.index["LeftForeArm"]
    changed = quaternion.angle_between(before.motion.rotations[:2, arm], after.motion.rotations[:2, arm])
    assert changed[0] == pytest.approx(changed[1], rel=0.1)


@pytest.mark.clips
def test_own_import_equals_blenders(clips_folder):
    path = str(clips_folder / "dev" / "cmu_07_01_walk.bvh")
    bpy.ops.import_anim.bvh(filepath=path)
    theirs = action_io.read(bpy.context.object, rate=120.0).motion
    bpy.ops.motion_editing.import_bvh(filepath=path)
    ours = action_io.read(bpy.context.object, rate=120.0).motion
    joints = [ours.skeleton.index[name] for name in theirs.skeleton.names[1:]]
    np.testing.assert_allclose(ours.poses.positions[:, joints], theirs.poses.positions[:, 1:], atol=27 * 1e-5)


@pytest.mark.clips
def test_a_reference_pose_is_noticed_by_the_first_tool(clips_folder):
    bpy.ops.import_anim.bvh(filepath=str(clips_folder / "dev" / "cmu_118_01_jump.bvh"))
    armature = bpy.context.object
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.convert_keys(keying="REDUCED", location_error=0.05)
    settings = armature.animation_data.action.motion_editing
    assert settings.skipped_frames == 1
    assert settings.source_rate == pytest.approx(120.0, rel=0.2)
    after = all_keys(armature.animation_data.action)
    for identity, keys in before.items():
        first = np.frombuffer(keys["co"], dtype=np.float32)[:2]
        np.testing.assert_array_equal(np.frombuffer(after[identity]["co"], dtype=np.float32)[:2], first)
