"""Pose trees when things change around them: undo, renaming, deleting, copying, hiding."""

import bpy
import numpy as np
import pytest
import rigs
from motion_editing.motion_editing_addon.pose_tree import model
from motion_editing.motion_editing_addon.pose_tree.solution import solution
from tree_rigs import OPERATORS, PLACES, activate, channels, cursor_of, rig_with_tree

# Undo


def test_undo_and_redo_bring_poses_and_blends_back():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target="Pose 1")
    bpy.ops.ed.undo_push(message="setup")
    OPERATORS.go_to_tree_pose(target="Pose 2")
    armature.pose.bones[0].location = (3, 3, 3)
    OPERATORS.replace_tree_pose(target="Pose 2")
    bpy.ops.ed.undo_push(message="replaced")
    assert channels(armature)[0][0, 3] == pytest.approx(3)
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Rig"]
    np.testing.assert_allclose(channels(armature), poses[1], atol=2e-6)
    cursor_of(armature).location = PLACES[2]
    bpy.context.view_layer.update()
    np.testing.assert_allclose(channels(armature), poses[2], atol=2e-6)


def test_undoing_the_tree_takes_its_handlers_away():
    rigs.chain_armature()
    bpy.ops.ed.undo_push(message="before")
    OPERATORS.add_pose_tree()
    bpy.ops.ed.undo_push(message="tree")
    assert "_on_frame" in {handler.__name__ for handler in bpy.app.handlers.frame_change_post}
    bpy.ops.ed.undo()
    assert not model.has_tree(bpy.data.objects["Rig"])
    assert "_on_frame" not in {handler.__name__ for handler in bpy.app.handlers.frame_change_post}


def test_baking_is_undone_as_one_step():
    armature, _poses = rig_with_tree()
    action = rigs.key_bones(armature, [1, 10])
    before = rigs.all_keys(action)
    OPERATORS.live_pose_tree(state="ON")
    bpy.ops.ed.undo_push(message="live")
    OPERATORS.bake_pose_tree(use_scene=False, first=3, last=8, result="THIS")
    bpy.ops.ed.undo_push(message="baked")
    assert rigs.all_keys(bpy.data.actions[action.name]) != before
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Rig"]
    action = armature.animation_data.action
    assert rigs.all_keys(action) == before
    assert model.tree_of(armature).live
    assert all(curve.mute for curve in action.layers[0].strips[0].channelbags[0].fcurves)
    OPERATORS.live_pose_tree(state="OFF")
    assert not any(curve.mute for curve in action.layers[0].strips[0].channelbags[0].fcurves)


def test_a_refused_bake_leaves_the_tree_live_and_the_keys_alone():
    armature, poses = rig_with_tree()
    action = rigs.key_bones(armature, [1, 10])
    before = rigs.all_keys(action)
    curves = action.layers[0].strips[0].channelbags[0].fcurves
    curves[3].lock = True
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target="Pose 1")
    with pytest.raises(RuntimeError, match="is locked"):
        OPERATORS.bake_pose_tree(use_scene=False, first=1, last=10)
    assert rigs.all_keys(action) == before
    assert model.tree_of(armature).live
    assert all(curve.mute for curve in curves)
    np.testing.assert_allclose(channels(armature), poses[1], atol=2e-6)


# Renaming and deleting


def test_objects_and_nodes_can_be_renamed():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    armature.name, cursor_of(armature).name = "Hero", "Here"
    bpy.data.objects["Pose 2"].name = "Jump"
    OPERATORS.rename_tree_node(name="Whole Body")
    OPERATORS.go_to_tree_pose(target="Jump")
    np.testing.assert_allclose(channels(armature), poses[2], atol=2e-6)
    armature.name = "Heroine"
    for frame, place in ((5, PLACES[1]), (6, PLACES[0])):
        cursor_of(armature).location = place
        cursor_of(armature).keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(5)
    bpy.context.scene.frame_set(6)
    np.testing.assert_allclose(channels(armature), poses[0], atol=2e-6)


def test_renamed_bones_are_reported_and_skipped_and_come_back():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    armature.data.bones["bone1"].name = "spine"
    OPERATORS.go_to_tree_pose(target="Pose 2")
    assert solution.solved(armature).missing == ("bone1",)
    now = channels(armature)
    np.testing.assert_allclose(now[[0, 2, 3]], poses[2][[0, 2, 3]], atol=2e-6)
    assert np.abs(now[1] - poses[2][1]).max() > 1e-3
    armature.data.bones["spine"].name = "bone1"
    OPERATORS.go_to_tree_pose(target="Pose 2")
    np.testing.assert_allclose(channels(armature), poses[2], atol=2e-6)


def test_a_deleted_target_takes_no_part_and_a_deleted_cursor_is_repaired():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    bpy.data.objects.remove(bpy.data.objects["Pose 2"])
    OPERATORS.go_to_tree_pose(target="Pose 3")
    np.testing.assert_allclose(channels(armature), poses[3], atol=2e-6)
    assert len(solution.solved(armature).targets[1]) == 4
    bpy.ops.object.select_all(action="DESELECT")
    cursor_of(armature).select_set(True)
    bpy.ops.object.delete()
    assert "cursor of 'Body' was deleted" in model.problem_of(armature, model.active_node(armature))
    activate(armature)
    assert OPERATORS.repair_pose_tree() == {"FINISHED"}
    assert model.problem_of(armature, model.active_node(armature)) is None
    OPERATORS.go_to_tree_pose(target="Pose 1")
    np.testing.assert_allclose(channels(armature), poses[1], atol=2e-6)


def test_a_deleted_character_leaves_quiet_targets():
    armature, _poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    cursor = cursor_of(armature)
    bpy.data.objects.remove(armature)
    cursor.location = (1, 2, 3)
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(3)
    activate(cursor)
    assert not model.has_tree(model.owner_in(bpy.context))


def test_a_character_deleted_in_the_scene_gives_its_curves_back():
    armature, _poses = rig_with_tree()
    action = rigs.key_bones(armature, [1, 10])
    OPERATORS.live_pose_tree(state="ON")
    bpy.ops.object.select_all(action="DESELECT")
    armature.select_set(True)
    bpy.ops.object.delete()
    bpy.context.view_layer.update()
    assert not any(curve.mute for curve in action.layers[0].strips[0].channelbags[0].fcurves)


def test_baking_a_shared_action_can_make_a_copy():
    armature, _poses = rig_with_tree()
    action = rigs.key_bones(armature, [1, 10])
    other = rigs.chain_armature(4, name="Other")
    other.animation_data_create().action = action
    other.animation_data.action_slot = action.slots[0]
    before = rigs.all_keys(action)
    activate(armature)
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.bake_pose_tree(use_scene=False, first=1, last=10, result="THIS", if_shared="COPY")
    assert armature.animation_data.action != action
    assert rigs.all_keys(action) == before
    assert not any(curve.mute for curve in action.layers[0].strips[0].channelbags[0].fcurves)


def test_a_copied_target_is_a_target_and_a_copied_character_says_so():
    armature, _poses = rig_with_tree()
    node = model.active_node(armature)
    copy = bpy.data.objects["Pose 1"].copy()
    node.collection.objects.link(copy)
    assert len(model.targets_of(node)) == 6
    other = armature.copy()
    bpy.context.scene.collection.objects.link(other)
    assert "belongs to the tree of another object" in model.problem_of(other, model.active_node(other))
    activate(other)
    assert OPERATORS.remove_pose_tree() == {"FINISHED"}
    assert len(model.targets_of(model.active_node(armature))) == 6
    assert model.is_there(cursor_of(armature))


def test_nodes_are_shown_and_hidden_and_hidden_cursors_play_on():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    for frame, number in ((1, 0), (10, 2)):
        bpy.context.scene.frame_set(frame)
        OPERATORS.go_to_tree_pose(target=f"Pose {number}")
        OPERATORS.key_tree_cursor()
    node = model.active_node(armature)
    node.shown = False
    assert node.collection.hide_viewport
    assert model.shown_nodes(armature) == []
    bpy.context.scene.frame_set(1)
    bpy.context.scene.frame_set(10)
    np.testing.assert_allclose(channels(armature), poses[2], atol=2e-6)


def test_an_empty_child_does_no_harm():
    armature, poses = rig_with_tree()
    OPERATORS.add_tree_node(name="Hand", parent="Body")
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target="Pose 1")
    np.testing.assert_allclose(channels(armature), poses[1], atol=2e-6)
    assert "has no poses" in model.problem_of(armature, model.active_node(armature))


def test_removing_a_parent_keeps_its_children():
    armature, _poses = rig_with_tree()
    OPERATORS.cluster_tree_node(count=2)
    assert OPERATORS.remove_tree_node(node="Body") == {"FINISHED"}
    assert {node.parent for node in model.tree_of(armature).nodes} == {0}
    assert all(node.place is None for node in model.tree_of(armature).nodes)
