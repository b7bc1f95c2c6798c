"""Pose trees whose parts were deleted or clash give everything back, and say what to do."""

import bpy
import numpy as np
import pytest
import rigs
from motion_editing.motion_editing_addon.pose_tree import live, model
from tree_rigs import PLACES, activate, channels, rig_with_tree

OPERATORS = bpy.ops.motion_editing


# Curves that are muted meanwhile


def curves_of(action):
    return action.layers[0].strips[0].channelbags[0].fcurves


def muted_in(action):
    return {(curve.data_path, curve.array_index) for curve in curves_of(action) if curve.mute}


def test_two_trees_on_one_action_give_its_curves_back_together():
    armature, _poses = rig_with_tree()
    action = rigs.key_bones(armature, [1, 10])
    other = rigs.chain_armature(4, name="Other")
    other.animation_data_create().action = action
    other.animation_data.action_slot = action.slots[0]
    OPERATORS.add_pose_tree(live=False)
    OPERATORS.add_tree_pose()
    for thing in (armature, other):
        activate(thing)
        OPERATORS.live_pose_tree(state="ON")
    activate(armature)
    OPERATORS.live_pose_tree(state="OFF")
    assert len(muted_in(action)) == len(curves_of(action))
    activate(other)
    OPERATORS.live_pose_tree(state="OFF")
    assert not muted_in(action)


def test_a_character_removed_by_a_script_gives_its_curves_back():
    armature, _poses = rig_with_tree()
    action = rigs.key_bones(armature, [1, 10])
    curves_of(action)[3].mute = True
    users_own = muted_in(action)
    OPERATORS.live_pose_tree(state="ON")
    bpy.data.objects.remove(armature)
    bpy.context.view_layer.update()
    assert muted_in(action) == users_own


def test_curves_of_a_renamed_bone_are_free_after_all():
    armature, _poses = rig_with_tree()
    action = rigs.key_bones(armature, [1, 10])
    OPERATORS.live_pose_tree(state="ON")
    armature.data.bones["bone1"].name = "spine"
    OPERATORS.go_to_tree_pose(target="Pose 2")
    assert len(muted_in(action)) == 30
    assert not any("spine" in path for path, _index in muted_in(action))
    armature.data.bones["bone2"].name = "neck"
    OPERATORS.live_pose_tree(state="OFF")
    assert not muted_in(action)


# What is missing


@pytest.mark.parametrize("part", ["cursor", "space", "collection"])
def test_a_node_without_a_part_is_refused_with_the_way_out_and_repaired(part):
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    node = model.active_node(armature)
    things = bpy.data.collections if part == "collection" else bpy.data.objects
    things.remove(getattr(node, part))
    bpy.context.scene.frame_set(3)
    for tool in (OPERATORS.add_tree_pose, OPERATORS.arrange_tree_node, OPERATORS.cluster_tree_node):
        with pytest.raises(RuntimeError, match=f"The {part} of 'Body' was deleted: use Repair Tree"):
            tool()
    assert live.problem_of(armature) == f"The {part} of 'Body' was deleted: use Repair Tree"
    OPERATORS.repair_pose_tree()
    OPERATORS.go_to_tree_pose(target="Pose 2")
    np.testing.assert_allclose(channels(armature), poses[2], atol=2e-6)
    assert live.problem_of(armature) is None


def test_an_empty_tree_is_repaired_without_a_complaint():
    armature = rigs.chain_armature()
    OPERATORS.add_pose_tree()
    bpy.data.objects.remove(model.active_node(armature).cursor)
    assert OPERATORS.repair_pose_tree() == {"FINISHED"}
    assert model.is_there(model.active_node(armature).cursor)


def test_a_cursor_that_is_nowhere_leaves_the_rig_alone():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target="Pose 1")
    model.active_node(armature).cursor.location.x = float("nan")
    bpy.context.view_layer.update()
    assert "its location is not a number" in live.problem_of(armature)
    np.testing.assert_allclose(channels(armature), poses[1], atol=2e-6)


# What clashes


def test_no_two_nodes_have_one_name():
    armature, _poses = rig_with_tree()
    OPERATORS.add_tree_node(name="Body")
    OPERATORS.add_tree_node(name="Arm")
    nodes = model.tree_of(armature).nodes
    nodes[2].name = "Body"
    assert [node.name for node in nodes] == ["Body", "Body.001", "Body.002"]
    nodes[1].name = ""
    assert nodes[1].name == "Node"


def test_targets_at_one_place_are_reported(capfd):
    armature, _poses = rig_with_tree(places=PLACES[:2])
    OPERATORS.go_to_tree_pose(target="Pose 0")
    capfd.readouterr()
    OPERATORS.add_tree_pose(name="Second")
    assert "'Second' lies where 'Pose 0' is" in capfd.readouterr().out
    OPERATORS.live_pose_tree(state="ON")
    assert live.note_of(armature) == "Pose 0, Second share a place and are mixed: move one of them"
    bpy.data.objects["Second"].location.x += 0.5
    bpy.context.view_layer.update()
    assert not live.note_of(armature)
