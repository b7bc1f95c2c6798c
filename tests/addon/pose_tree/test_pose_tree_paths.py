"""Motions in a pose tree: paths that give the motion back."""

import bpy
import numpy as np
import pytest
import rigs
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.character import joint_positions
from motion_editing.motion_editing_addon.pose_tree import model, paths
from motion_editing.motion_editing_addon.pose_tree.poses import stored_poses
from tree_paths import FRAMES, path_of, rig_with_path
from tree_rigs import OPERATORS, channels, cursor_of, pose_at_random


@pytest.mark.parametrize("layout", ["VARIANCE_2D", "VARIANCE_3D", "JOINT"])
def test_playing_a_path_gives_the_motion(layout):
    armature, played = rig_with_path(layout_of=layout, bone="bone3", count=8)
    OPERATORS.live_pose_tree(state="ON")
    assert OPERATORS.follow_tree_path(use_current=False, first_frame=101) == {"FINISHED"}
    for frame, expected in played.items():
        np.testing.assert_allclose(rigs.evaluated_matrices(armature, 100 + frame), expected, atol=3e-6)
    place = model.places_of_path(path_of(armature))[10]
    bpy.context.scene.frame_set(111)
    np.testing.assert_allclose(cursor_of(armature).location, place, atol=1e-6)


def assert_lies_where_the_bone_goes(armature):
    to_world = np.array(model.active_node(armature).space.matrix_world)
    places = model.places_of_path(path_of(armature)) @ to_world[:3, :3].T + to_world[:3, 3]
    OPERATORS.live_pose_tree(state="OFF")
    for frame in (1, 17, FRAMES):
        bpy.context.scene.frame_set(frame)
        head = armature.matrix_world @ armature.pose.bones["bone3"].head
        np.testing.assert_allclose(places[frame - 1], head, atol=1e-5)


def test_a_bones_path_lies_where_the_bone_goes():
    armature, _played = rig_with_path(layout_of="JOINT", bone="bone3")
    assert_lies_where_the_bone_goes(armature)


def test_a_bones_path_heeds_constraints():
    armature = rigs.chain_armature(4, connected=False)
    action = rigs.key_bones(armature, [1, 9, FRAMES])
    goal = bpy.data.objects.new("Goal", None)
    bpy.context.scene.collection.objects.link(goal)
    goal.location = (3, 2, 1)
    constraint = armature.pose.bones["bone3"].constraints.new("COPY_LOCATION")
    constraint.target, constraint.influence = goal, 0.5
    OPERATORS.add_pose_tree(live=True)
    bpy.context.scene.frame_set(7)
    OPERATORS.embed_action(action=action.name, layout_of="JOINT", bone="bone3")
    assert bpy.context.scene.frame_current == 7
    assert_lies_where_the_bone_goes(armature)


@pytest.mark.parametrize("frame", [0, FRAMES - 1])
def test_the_ends_of_a_path_can_be_edited(frame):
    armature, played = rig_with_path(count=8)
    OPERATORS.pick_path_pose(frame=frame)
    target = model.targets_of(model.active_node(armature))[0]
    pose_at_random(armature, 5)
    bpy.context.view_layer.update()
    edited = channels(armature)
    OPERATORS.replace_tree_pose(target=target.name)
    assert OPERATORS.make_tree_branch(margin=10) == {"FINISHED"}
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.follow_tree_path(use_current=False, first_frame=1)
    bpy.context.scene.frame_set(frame + 1)
    np.testing.assert_allclose(channels(armature), edited, atol=2e-6)
    np.testing.assert_allclose(rigs.evaluated_matrices(armature, 20), played[20], atol=3e-6)
    assert (path_of(armature, 1).start, path_of(armature, 1).end) in {(0, 10), (FRAMES - 11, FRAMES - 1)}


def test_joints_that_never_move_take_no_room():
    armature = rigs.chain_armature(4, connected=False)
    for frame, angle in ((1, 0.0), (FRAMES, 1.0)):
        armature.pose.bones["bone1"].rotation_mode = "XYZ"
        armature.pose.bones["bone1"].rotation_euler.x = angle
        armature.pose.bones["bone1"].keyframe_insert("rotation_euler", frame=frame)
    OPERATORS.add_pose_tree(live=False)
    OPERATORS.embed_action(action=armature.animation_data.action.name)
    store = path_of(armature).store
    assert len(store["rotations"]) == 4 * FRAMES
    assert "locations" not in store
    assert len(stored_poses.load(store, FRAMES)) == FRAMES


def test_poses_of_a_path_are_not_kept_with_the_object_that_blender_copies_at_every_frame():
    armature, _played = rig_with_path()
    path = path_of(armature)
    assert not {"rotations", "places", "targets"} & set(path.keys())
    store = path.store
    assert store.users == 1
    OPERATORS.remove_tree_path()
    assert store.users == 0


def test_paths_of_the_first_files_are_kept_with_themselves():
    armature, played = rig_with_path()
    path = path_of(armature)
    for name, values in list(path.store.items()):
        path[name] = values
    path.store = None
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.follow_tree_path(use_current=False, first_frame=101)
    np.testing.assert_allclose(rigs.evaluated_matrices(armature, 117), played[17], atol=3e-6)


@pytest.mark.parametrize(("layout", "constrained"), [("VARIANCE_3D", False), ("JOINT", True)])
def test_stopping_before_the_end_leaves_the_tree_as_it_was(layout, constrained):
    armature, _played = rig_with_path()
    if constrained:
        armature.pose.bones["bone1"].constraints.new("LIMIT_SCALE")
        joint_positions.forget()
    node, action = model.active_node(armature), armature.animation_data.action
    frame = bpy.context.scene.frame_current
    options = {"span": (None, None), "layout": layout, "size": 1.0, "bone": "bone3", "count": 4}
    steps = paths.embed_action(bpy.context, armature, node.number, action.name, **options)
    shares = [next(steps) for _step in range(3)]
    assert shares == sorted(shares)
    steps.close()
    assert len(node.paths) == 1
    assert (armature.animation_data.action, bpy.context.scene.frame_current) == (action, frame)


def test_a_path_at_another_speed_and_backwards_bakes():
    armature, played = rig_with_path()
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.follow_tree_path(use_current=False, first_frame=201, speed=2.0, reverse=True)
    assert OPERATORS.bake_pose_tree(use_scene=False, first=201, last=220) == {"FINISHED"}
    for step in (0, 5, 19):
        np.testing.assert_allclose(rigs.evaluated_matrices(armature, 201 + step), played[FRAMES - 2 * step], atol=1e-5)
    np.testing.assert_allclose(rigs.evaluated_matrices(armature, 20), played[20], atol=1e-5)


def test_following_again_leaves_nothing_of_the_time_before():
    armature, _played = rig_with_path()
    for frame in (-10, 150):
        cursor_of(armature).keyframe_insert("location", frame=frame)
    for first, speed in ((1, 0.5), (200, 1.0), (1, 2.0)):
        OPERATORS.follow_tree_path(use_current=False, first_frame=first, speed=speed)
    bag = cursor_of(armature).animation_data.action.layers[0].strips[0].channelbags[0]
    frames = {curve.data_path: [key.co.x for key in curve.keyframe_points] for curve in bag.fcurves}
    assert frames["motion_editing_control.path_frame"] == list(range(1, 22))
    assert frames["location"] == [-10, *range(1, 22), 150]


def test_a_frame_is_picked_once_and_only_if_there_is_one():
    armature, _played = rig_with_path()
    OPERATORS.pick_path_pose(frame=5)
    with pytest.raises(RuntimeError, match="Frame 5 of 'RigAction' is picked already"):
        OPERATORS.pick_path_pose(frame=5)
    with pytest.raises(RuntimeError, match=f"has frames 0 to {FRAMES - 1}, and no frame {FRAMES}"):
        OPERATORS.pick_path_pose(frame=FRAMES)
    assert len(model.targets_of(model.active_node(armature))) == 1


def test_a_path_is_not_mixed_with_itself():
    rig_with_path()
    with pytest.raises(RuntimeError, match="cannot be mixed with itself"):
        OPERATORS.blend_tree_branches(other="RigAction")


def test_only_the_users_targets_are_objects():
    before = len(bpy.data.objects)
    armature, _played = rig_with_path(count=8)
    assert len(bpy.data.objects) == before + 3  # the armature, its space, its cursor
    node = model.active_node(armature)
    assert model.targets_of(node) == []
    assert path_of(armature).frames == FRAMES


# How long a path is


def test_a_motion_whose_samples_lie_between_frames_keeps_their_number_and_its_speed():
    armature = rigs.chain_armature(3, connected=False)
    frames = (1.0 + np.arange(100) * 30.0 / 29.0).tolist()
    action = rigs.key_bones(armature, frames)
    assert len(scope.read_clip(bpy.context, armature).frames) == 100
    OPERATORS.add_pose_tree()
    OPERATORS.embed_action(action=action.name)
    path = model.active_node(armature).paths[0]
    assert path.frames == 100
    bpy.context.scene.frame_set(1)
    OPERATORS.follow_tree_path()
    curves = cursor_of(armature).animation_data.action.layers[0].strips[0].channelbags[0].fcurves
    progress = curves.find("motion_editing_control.path_frame")
    assert progress.keyframe_points[-1].co[:] == (104.0, 99.0)
    assert progress.evaluate(31.0) == pytest.approx(29.0, abs=1e-3)


def test_reference_frames_are_no_part_of_a_path():
    armature = rigs.chain_armature(3, connected=False)
    action = rigs.key_bones(armature, list(range(1, 41)))
    action.motion_editing.skipped_frames = 12
    OPERATORS.add_pose_tree()
    OPERATORS.embed_action(action=action.name)
    assert model.active_node(armature).paths[0].frames == 28
