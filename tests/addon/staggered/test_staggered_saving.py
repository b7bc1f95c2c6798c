"""A pose is being edited, and the file is saved, opened elsewhere, or the extension disabled."""

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.staggered.pose_mode import posing_mode
from rigs import all_keys, evaluated_matrices
from staggered_motions import extracted_sample, keyed_pose_by_pose, turned


@pytest.fixture
def editing(empty_scene):
    """Hand-keyed motion with a bone that has no keys; a pose of it is on the rig, two bones are turned."""
    armature = keyed_pose_by_pose(bones=4)
    for curve in list(curves_of(armature)):
        if '"bone3"' in curve.data_path:
            curves_of(armature).remove(curve)
    armature.pose.bones["bone3"].rotation_quaternion = (1, 0, 0, 0)
    bpy.ops.motion_editing.rebuild_poses()
    armature["seen"] = [evaluated_matrices(armature, frame).ravel().tolist() for frame in (1, 20, 40)][1]
    bpy.ops.motion_editing.edit_staggered_pose(pose=2)
    for name in ("bone1", "bone3"):
        turned(armature.pose.bones[name], 0.5)
    return armature


def curves_of(armature):
    return armature.animation_data.action.layers[0].strips[0].channelbags[0].fcurves


def posed(armature):
    return [tuple(bone.rotation_quaternion) for bone in armature.pose.bones]


def opened(path):
    bpy.ops.wm.open_mainfile(filepath=str(path))
    bpy.context.view_layer.objects.active = bpy.data.objects["Rig"]
    return bpy.data.objects["Rig"]


def test_saving_leaves_the_pose_on_the_rig(editing, tmp_path):
    before, action = posed(editing), editing.motion_editing_posing.action
    stand_in = editing.animation_data.action
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "editing.blend"))
    assert posed(editing) == before
    assert editing.motion_editing_posing.action == action
    assert editing.animation_data.action == stand_in
    assert bpy.ops.motion_editing.apply_staggered_pose() == {"FINISHED"}


def test_the_saved_file_plays_its_motion_without_the_extension(editing, tmp_path, registered_addon):
    action, seen = editing.motion_editing_posing.action.name, np.array(editing["seen"])
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "editing.blend"))
    registered_addon.unregister()
    try:
        armature = opened(tmp_path / "editing.blend")
        assert armature.animation_data.action.name == action
        assert armature.animation_data.action_slot is not None
        assert [each.name for each in bpy.data.actions if "posing" in each.name] == []
        np.testing.assert_allclose(evaluated_matrices(armature, 20).ravel(), seen, atol=1e-6)
    finally:
        registered_addon.register()


def test_the_saved_file_is_opened_and_finished(editing, tmp_path):
    before = posed(editing)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "editing.blend"))
    armature = opened(tmp_path / "editing.blend")
    assert not posing_mode.is_posing(armature), "nobody edits poses in the background"
    keys = all_keys(armature.animation_data.action)
    posing_mode.go_on_all()
    assert posing_mode.is_posing(armature)
    assert posed(armature) == before
    assert bpy.ops.motion_editing.apply_staggered_pose() == {"FINISHED"}
    after = all_keys(armature.animation_data.action)
    changed = {
        path.split('"')[1] for slot, path, index in after if after[slot, path, index] != keys.get((slot, path, index))
    }
    assert changed == {"bone1", "bone3"}


def test_the_saved_file_is_opened_and_cancelled(editing, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "editing.blend"))
    armature = opened(tmp_path / "editing.blend")
    keys = all_keys(armature.animation_data.action)
    posing_mode.go_on_all()
    assert bpy.ops.motion_editing.cancel_staggered_pose() == {"FINISHED"}
    assert all_keys(armature.animation_data.action) == keys
    assert tuple(armature.pose.bones["bone3"].rotation_quaternion) == (1, 0, 0, 0)
    assert "posed" not in armature.motion_editing_posing


def test_disabling_the_extension_gives_the_motion_back_and_enabling_goes_on(editing, registered_addon):
    before, action = posed(editing), editing.motion_editing_posing.action
    registered_addon.unregister()
    assert editing.animation_data.action == action
    assert len(bpy.data.actions) == 1
    registered_addon.register()
    posing_mode.go_on_all()
    assert posed(editing) == before
    assert bpy.ops.motion_editing.cancel_staggered_pose() == {"FINISHED"}
    assert editing.animation_data.action == action


def test_a_character_linked_from_such_a_file_is_not_being_edited(editing, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "editing.blend"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "editing.blend"), link=True) as (_there, here):
        here.objects = ["Rig"]
    bpy.context.scene.collection.objects.link(here.objects[0])
    posing_mode.go_on_all()
    assert not posing_mode.is_posing(here.objects[0])


def test_animated_custom_properties_are_kept_as_posed(tmp_path):
    armature = extracted_sample(share=0.4)
    armature["blink"] = 0.0
    armature.keyframe_insert('["blink"]', frame=1)
    bpy.ops.motion_editing.rebuild_poses()
    bpy.ops.motion_editing.edit_staggered_pose(pose=2)
    armature["blink"] = 0.75
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "editing.blend"))
    assert armature["blink"] == 0.75
