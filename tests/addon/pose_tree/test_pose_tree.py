"""Pose trees in Blender: cursors pose rigs, keys play, baking gives the same."""

import bpy
import numpy as np
import pytest
import rigs
from motion_editing.motion_editing_addon.border.armature import skeleton_of
from motion_editing.motion_editing_addon.pose_tree import model
from motion_editing.motion_editing_addon.pose_tree.poses.rig import read_rig
from motion_editing.motion_editing_addon.pose_tree.solution import evaluation
from tree_rigs import OPERATORS, PLACES, channels, cursor_of, rig_with_tree


def shown(armature):
    """All bones as Blender shows them."""
    bpy.context.view_layer.update()
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([bone.matrix for bone in seen.pose.bones])


def test_a_cursor_at_a_target_gives_its_pose_in_every_rotation_mode():
    armature, poses = rig_with_tree(bones=8, modes=rigs.ROTATION_MODES)
    OPERATORS.live_pose_tree(state="ON")
    for place, pose in zip(PLACES, poses, strict=True):
        cursor_of(armature).location = place
        bpy.context.view_layer.update()
        np.testing.assert_allclose(channels(armature), pose, atol=2e-6)


def test_between_targets_the_rig_shows_the_blend_that_core_gives():
    armature, _poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    cursor_of(armature).location = (0.3, 0.4, 0.1)
    bpy.context.view_layer.update()
    known = evaluation.solved(armature)
    states = evaluation.cursor_states(armature, known)
    expected = evaluation.put_together(known, evaluation.blended(armature, known, states)).pose
    got = read_rig(armature, skeleton_of(armature), ())
    np.testing.assert_allclose(np.abs((got.rotations * expected.rotations).sum(axis=-1)), 1.0, atol=1e-6)
    np.testing.assert_allclose(got.locations, expected.locations, atol=1e-6)
    assert np.abs(channels(armature) - _poses[0]).max() > 0.05


def test_a_moved_target_changes_the_blend_at_once():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    cursor_of(armature).location = (2, 2, 2)
    bpy.context.view_layer.update()
    bpy.data.objects["Pose 3"].location = (2, 2, 2)
    bpy.context.view_layer.update()
    np.testing.assert_allclose(channels(armature), poses[3], atol=2e-6)


def test_scale_and_place_of_a_space_are_free():
    armature, _poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    cursor_of(armature).location = (0.2, 0.1, 0.4)
    bpy.context.view_layer.update()
    before = channels(armature)
    space = model.tree_of(armature).nodes[0].space
    space.location, space.scale, space.rotation_euler = (5, 6, 7), (3, 3, 3), (0.3, 0.2, 0.1)
    bpy.context.view_layer.update()
    np.testing.assert_array_equal(channels(armature), before)


def test_a_constrained_cursor_counts_where_it_is_seen():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    constraint = cursor_of(armature).constraints.new("COPY_LOCATION")
    constraint.target = bpy.data.objects["Pose 2"]
    bpy.context.view_layer.update()
    np.testing.assert_allclose(channels(armature), poses[2], atol=2e-5)


def test_a_keyed_cursor_plays_and_baking_gives_the_same():
    armature, _poses = rig_with_tree(modes=("QUATERNION", "XYZ"))
    OPERATORS.live_pose_tree(state="ON")
    scene = bpy.context.scene
    for frame, place in ((1, PLACES[0]), (10, PLACES[3]), (20, PLACES[1])):
        scene.frame_set(frame)
        cursor_of(armature).location = place
        assert OPERATORS.key_tree_cursor() == {"FINISHED"}
    played = {}
    for frame in range(1, 21):
        scene.frame_set(frame)
        played[frame] = shown(armature)
    assert np.abs(played[5] - played[12]).max() > 0.05
    scene.frame_set(7)
    assert OPERATORS.bake_pose_tree(use_scene=False, first=1, last=20) == {"FINISHED"}
    assert scene.frame_current == 7
    assert not model.tree_of(armature).live
    for frame, pose in played.items():
        scene.frame_set(frame)
        np.testing.assert_allclose(shown(armature), pose, atol=5e-6)


def test_baking_leaves_frames_outside_and_other_bones_alone():
    armature, _poses = rig_with_tree()
    OPERATORS.limit_tree_node(what="NAMED", names="bone1, bone2")
    rigs.key_bones(armature, list(range(1, 41)))
    before = rigs.all_keys(armature.animation_data.action)
    curves = {frame: rigs.evaluated_matrices(armature, frame) for frame in (5, 15, 30)}
    OPERATORS.live_pose_tree(state="ON")
    assert OPERATORS.bake_pose_tree(use_scene=False, first=10, last=20) == {"FINISHED"}
    after = rigs.all_keys(armature.animation_data.action)
    for name, keys in before.items():
        if "bone1" not in name[1] and "bone2" not in name[1]:
            assert after[name] == keys
    for frame in (5, 30):
        np.testing.assert_allclose(rigs.evaluated_matrices(armature, frame), curves[frame], atol=1e-6)
    assert np.abs(rigs.evaluated_matrices(armature, 15) - curves[15]).max() > 0.01


@pytest.mark.parametrize("keying", ["AUTOMATIC", "EVERY_FRAME", "REDUCED"])
def test_every_choice_of_keys_bakes_the_motion(keying):
    armature, _poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    scene = bpy.context.scene
    for frame, place in ((1, PLACES[0]), (30, PLACES[1])):
        scene.frame_set(frame)
        cursor_of(armature).location = place
        OPERATORS.key_tree_cursor()
    scene.frame_set(15)
    expected = shown(armature)
    OPERATORS.bake_pose_tree(
        use_scene=False, first=1, last=30, keying=keying, rotation_error=0.001, location_error=0.001
    )
    scene.frame_set(1)
    scene.frame_set(15)
    np.testing.assert_allclose(shown(armature), expected, atol=0.01 if keying == "REDUCED" else 5e-6)


def test_a_still_pose_is_baked_too():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target="Pose 3")
    assert OPERATORS.bake_pose_tree(use_scene=False, first=1, last=5) == {"FINISHED"}
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    bpy.context.scene.frame_set(3)
    np.testing.assert_allclose(channels(armature), poses[3], atol=2e-6)
