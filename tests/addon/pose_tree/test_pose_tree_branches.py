"""Branches of paths in a pose tree that meet edited poses, mixtures, and poses of the library."""

import bpy
import numpy as np
import pytest
import rigs
from motion_editing.motion_editing_addon.pose_tree import model
from tree_paths import FRAMES, path_of, rig_with_path
from tree_rigs import OPERATORS, channels, cursor_of, pose_at_random


def test_a_displaced_branch_meets_the_edited_pose_and_keeps_the_rest():
    armature, played = rig_with_path(count=8)
    OPERATORS.live_pose_tree(state="ON")
    assert OPERATORS.pick_path_pose(frame=19) == {"FINISHED"}
    target = model.targets_of(model.active_node(armature))[0]
    OPERATORS.go_to_tree_pose(target=target.name)
    np.testing.assert_allclose(channels(armature), local_matrices(armature, 20), atol=1e-5)
    armature.pose.bones["bone2"].rotation_euler.x += 0.5
    bpy.context.view_layer.update()
    edited = channels(armature)
    OPERATORS.replace_tree_pose(target=target.name)
    assert OPERATORS.make_tree_branch(method="DISPLACEMENT", margin=6) == {"FINISHED"}
    branch = path_of(armature, 1)
    assert (branch.source, branch.start, branch.end) == (path_of(armature).name, 13, 25)
    OPERATORS.follow_tree_path(path=branch.name, use_current=False, first_frame=1)
    bpy.context.scene.frame_set(20)
    np.testing.assert_allclose(channels(armature), edited, atol=2e-6)
    for frame in (*range(1, 15), *range(26, FRAMES + 1)):
        np.testing.assert_allclose(rigs.evaluated_matrices(armature, frame), played[frame], atol=3e-6)
    assert np.abs(rigs.evaluated_matrices(armature, 18) - played[18]).max() > 0.01


def local_matrices(armature, frame):
    """The bones' own matrices as the keys of an unposed copy of the character have them."""
    copy = armature.copy()
    bpy.context.scene.collection.objects.link(copy)
    copy.animation_data.action = armature.animation_data.action.copy()
    for curve in copy.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
        curve.mute = False
    before = bpy.context.scene.frame_current
    bpy.context.scene.frame_set(frame)
    local = channels(copy)
    bpy.context.scene.frame_set(before)
    bpy.data.objects.remove(copy)
    return local


def test_interpolation_also_meets_the_edit_and_mixing_goes_between():
    armature, played = rig_with_path(count=10)
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.pick_path_pose(frame=19)
    target = model.targets_of(model.active_node(armature))[0]
    pose_at_random(armature, 7)
    bpy.context.view_layer.update()
    edited = channels(armature)
    OPERATORS.replace_tree_pose(target=target.name)
    target.location.x += 0.5
    bpy.context.view_layer.update()
    assert OPERATORS.make_tree_branch(method="BLEND", margin=8) == {"FINISHED"}
    source, branch = (path.name for path in model.active_node(armature).paths)
    assert OPERATORS.blend_tree_branches(path=source, other=branch, share=1.0) == {"FINISHED"}
    for name in (branch, path_of(armature, 2).name):
        OPERATORS.follow_tree_path(path=name, use_current=False, first_frame=1)
        bpy.context.scene.frame_set(20)
        np.testing.assert_allclose(channels(armature), edited, atol=2e-6)
        np.testing.assert_allclose(rigs.evaluated_matrices(armature, 5), played[5], atol=3e-6)


def test_the_free_cursor_on_a_target_frame_has_that_frames_pose():
    armature, played = rig_with_path(count=6)
    OPERATORS.live_pose_tree(state="ON")
    path = path_of(armature)
    frame = int(model.target_frames_of_path(path)[2])
    cursor_of(armature).location = model.places_of_path(path)[frame]
    bpy.context.view_layer.update()
    expected = played[frame + 1]
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    np.testing.assert_allclose([bone.matrix for bone in seen.pose.bones], expected, atol=1e-4)


def test_an_edited_pose_on_the_path_replaces_its_frame_as_a_target():
    armature, _played = rig_with_path(count=6)
    frame = int(model.target_frames_of_path(path_of(armature))[2])
    OPERATORS.pick_path_pose(frame=frame)
    target = model.targets_of(model.active_node(armature))[0]
    pose_at_random(armature, 5)
    bpy.context.view_layer.update()
    edited = channels(armature)
    OPERATORS.replace_tree_pose(target=target.name)
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target=target.name)
    np.testing.assert_allclose(channels(armature), edited, atol=2e-6)


def test_a_branch_needs_an_edited_pose():
    rig_with_path()
    with pytest.raises(RuntimeError, match=r"No pose of .* was edited"):
        OPERATORS.make_tree_branch()


def test_an_action_that_is_not_there_is_refused():
    rigs.chain_armature()
    OPERATORS.add_pose_tree()
    with pytest.raises(RuntimeError, match="There is no action 'Walk'"):
        OPERATORS.embed_action(action="Walk")


def test_a_pose_of_the_library_holds_only_its_bones():
    armature = rigs.chain_armature(4, connected=False)
    bone = armature.pose.bones["bone1"]
    bone.location = (0.1, 0.2, 0.3)
    bone.keyframe_insert("location", frame=1)
    action, armature.animation_data.action = armature.animation_data.action, None
    bone.location = (0, 0, 0)
    OPERATORS.add_pose_tree(live=False)
    OPERATORS.add_tree_pose(name="Rest")
    cursor_of(armature).location = (1, 0, 0)
    pose_at_random(armature, 3)
    random = channels(armature)
    assert OPERATORS.add_action_pose(action=action.name, frame=1) == {"FINISHED"}
    assert armature.animation_data.action is None
    assert list(channels(armature).ravel()) == list(random.ravel())
    OPERATORS.live_pose_tree(state="ON")
    np.testing.assert_allclose(bone.location, (0.1, 0.2, 0.3), atol=1e-6)
    assert armature.pose.bones["bone2"].location.length < 1e-6
