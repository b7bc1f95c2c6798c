"""Pose trees whose parts were deleted or clash give everything back, and say what to do."""

import bpy
import rigs
from test_pose_tree import activate, rig_with_tree

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
