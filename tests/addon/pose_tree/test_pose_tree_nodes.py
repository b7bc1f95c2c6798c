"""Pose trees of several nodes, and where their poses are placed."""

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.pose_tree import model
from tree_rigs import OPERATORS, PLACES, channels, cursor_of, pose_at_random, rig_with_tree


def test_a_childs_blend_is_a_target_of_its_parent_and_owns_only_its_bones():
    armature, poses = rig_with_tree()
    OPERATORS.add_tree_node(name="Arm", parent="Body")
    OPERATORS.limit_tree_node(node="Arm", what="NAMED", names="bone3")
    for seed, place in ((11, (0, 0, 0)), (12, (1, 0, 0))):
        cursor_of(armature, 1).location = place
        pose_at_random(armature, seed)
        OPERATORS.add_tree_pose(node="Arm", name=f"Arm {seed}")
    arm = channels(armature)
    OPERATORS.live_pose_tree(state="ON")
    tree = model.tree_of(armature)
    tree.nodes[1].place.location = (3, 3, 3)
    cursor_of(armature).location = (3, 3, 3)
    bpy.context.view_layer.update()
    np.testing.assert_allclose(channels(armature)[3], arm[3], atol=5e-6)
    cursor_of(armature).location = PLACES[1]
    bpy.context.view_layer.update()
    np.testing.assert_allclose(channels(armature), poses[1], atol=5e-6)


def test_a_new_child_does_not_sit_on_a_target():
    armature, _poses = rig_with_tree()
    cursor_of(armature).location = PLACES[1]
    OPERATORS.add_tree_node(name="Arm", parent="Body")
    place = np.array(model.tree_of(armature).nodes[1].place.location)
    assert min(np.linalg.norm(place - other) for other in PLACES) > 0.05


def test_nodes_at_the_top_pose_their_own_bones():
    armature, poses = rig_with_tree()
    OPERATORS.add_tree_node(name="Head", parent="")
    OPERATORS.limit_tree_node(node="Head", what="NAMED", names="bone3")
    pose_at_random(armature, 21)
    bpy.context.view_layer.update()
    head = channels(armature)[3]
    OPERATORS.add_tree_pose(node="Head")
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target="Pose 1")
    np.testing.assert_allclose(channels(armature)[:3], poses[1][:3], atol=2e-6)
    np.testing.assert_allclose(channels(armature)[3], head, atol=2e-6)


def test_a_node_cannot_be_its_own_ancestor():
    armature, _poses = rig_with_tree()
    OPERATORS.add_tree_node(name="Arm", parent="Body")
    with pytest.raises(RuntimeError, match="its own ancestor"):
        OPERATORS.set_tree_parent(node="Body", parent="Arm")
    assert [node.parent for node in model.tree_of(armature).nodes] == [0, 1]


def test_clusters_keep_places_and_poses():
    armature, _poses = rig_with_tree()
    bpy.context.view_layer.update()
    before = {f"Pose {n}": np.array(bpy.data.objects[f"Pose {n}"].matrix_world) for n in range(5)}
    assert OPERATORS.cluster_tree_node(count=2) == {"FINISHED"}
    bpy.context.view_layer.update()
    for name, matrix in before.items():
        np.testing.assert_allclose(np.array(bpy.data.objects[name].matrix_world), matrix, atol=1e-6)
    tree = model.tree_of(armature)
    assert sum(len(model.targets_of(node)) for node in tree.nodes) == 5
    assert len(tree.nodes) >= 2


def test_go_to_pose_shows_a_pose_of_a_child():
    armature, _poses = rig_with_tree()
    OPERATORS.cluster_tree_node(count=2)
    child = next(node for node in model.tree_of(armature).nodes if node.parent)
    target = model.targets_of(child)[0]
    number = int(target.name.split()[-1])
    OPERATORS.live_pose_tree(state="ON")
    assert OPERATORS.go_to_tree_pose(target=target.name) == {"FINISHED"}
    np.testing.assert_allclose(channels(armature), _poses[number], atol=1e-5)


def test_arranging_changes_no_pose():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    assert OPERATORS.arrange_tree_node(clusters=2) == {"FINISHED"}
    for number, pose in enumerate(poses):
        OPERATORS.go_to_tree_pose(target=f"Pose {number}")
        np.testing.assert_allclose(channels(armature), pose, atol=1e-5)
    places = np.array([target.matrix_world.translation for target in model.targets_of(model.active_node(armature))])
    assert np.ptp(places[:, 2]) < 1e-5  # the view looks down


def test_a_suggested_place_is_where_the_pose_already_is():
    armature, _poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target="Pose 4")
    assert OPERATORS.suggest_tree_place(follow=True) == {"FINISHED"}
    ghost = model.tree_of(armature).ghost
    np.testing.assert_allclose(ghost.location, PLACES[4], atol=1e-3)
    armature.pose.bones[1].rotation_quaternion = (0.9, 0.4, 0.1, 0)
    armature.update_tag(refresh={"DATA"})
    bpy.context.view_layer.update()
    assert np.abs(np.array(ghost.location) - PLACES[4]).max() > 1e-3
    assert OPERATORS.end_suggesting() == {"FINISHED"}
    assert model.tree_of(armature).ghost is None
