"""Pose trees in files: saved, loaded, appended, linked."""

import bpy
import numpy as np
import pytest
import rigs
from motion_editing.motion_editing_addon.pose_tree import model
from tree_rigs import OPERATORS, PLACES, activate, channels, cursor_of, rig_with_tree


def saved(tmp_path, name="tree.blend"):
    path = str(tmp_path / name)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    return path


def test_a_tree_is_saved_with_paths_and_goes_on_after_loading(tmp_path):
    armature, poses = rig_with_tree()
    action = rigs.key_bones(armature, [1, 10])
    OPERATORS.embed_action(action=action.name, size=1.0)
    places = model.places_of_path(model.active_node(armature).paths[0])
    OPERATORS.live_pose_tree(state="ON")
    curves = action.layers[0].strips[0].channelbags[0].fcurves
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "tree.blend"))
    assert all(curve.mute for curve in curves)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert "_on_frame" not in {handler.__name__ for handler in bpy.app.handlers.frame_change_post}
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "tree.blend"))
    armature = bpy.data.objects["Rig"]
    np.testing.assert_array_equal(model.places_of_path(model.active_node(armature).paths[0]), places)
    OPERATORS.remove_tree_path()
    cursor_of(armature).location = PLACES[3]
    bpy.context.view_layer.update()
    np.testing.assert_allclose(channels(armature), poses[3], atol=2e-6)
    assert all(curve.mute for curve in bpy.data.actions[0].layers[0].strips[0].channelbags[0].fcurves)


def test_a_saved_file_plays_its_keys_without_the_extension(tmp_path, registered_addon):
    armature, _poses = rig_with_tree()
    rigs.key_bones(armature, [1, 10])
    expected = rigs.evaluated_matrices(armature, 5)
    OPERATORS.live_pose_tree(state="ON")
    path = saved(tmp_path)
    registered_addon.unregister()
    try:
        bpy.ops.wm.open_mainfile(filepath=path)
        np.testing.assert_allclose(rigs.evaluated_matrices(bpy.data.objects["Rig"], 5), expected, atol=1e-6)
    finally:
        registered_addon.register()
    assert model.tree_of(bpy.data.objects["Rig"]).live


def test_an_appended_character_brings_its_tree(tmp_path):
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    path = saved(tmp_path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.append(directory=f"{path}/Collection/", filename="Control Spaces")
    armature = bpy.data.objects["Rig"]
    if not armature.users_scene:
        bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.update()
    activate(armature)
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target="Pose 2")
    np.testing.assert_allclose(channels(armature), poses[2], atol=2e-6)


def test_a_linked_character_is_refused_and_its_override_has_a_tree_that_is_saved(tmp_path):
    rigs.chain_armature()
    bpy.data.collections.new("Character").objects.link(bpy.data.objects["Rig"])
    library = saved(tmp_path, "library.blend")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(library, link=True) as (_there, here):
        here.objects = ["Rig"]
    linked = bpy.data.objects["Rig"]
    bpy.context.scene.collection.objects.link(linked)
    activate(linked)
    with pytest.raises(RuntimeError, match=r"poll|is linked"):
        OPERATORS.add_pose_tree()
    override = linked.override_create(remap_local_usages=True)
    activate(override)
    assert OPERATORS.add_pose_tree(live=False) == {"FINISHED"}
    override.pose.bones[0].location = (1, 2, 3)
    OPERATORS.add_tree_pose(name="Up")
    action = rigs.key_bones(override, [1, 5])
    assert OPERATORS.embed_action(action=action.name) == {"FINISHED"}
    places = model.places_of_path(model.active_node(override).paths[0])
    path = saved(tmp_path, "shot.blend")
    bpy.ops.wm.open_mainfile(filepath=path)
    override = next(thing for thing in bpy.data.objects if thing.override_library is not None)
    activate(override)
    assert [target.name for target in model.targets_of(model.active_node(override))] == ["Up"]
    np.testing.assert_array_equal(model.places_of_path(model.active_node(override).paths[0]), places)
    OPERATORS.remove_tree_path()
    override.pose.bones[0].location = (0, 0, 0)
    OPERATORS.live_pose_tree(state="ON")
    np.testing.assert_allclose(override.pose.bones[0].location, (1, 2, 3), atol=1e-6)
