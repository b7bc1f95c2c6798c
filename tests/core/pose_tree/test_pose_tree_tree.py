"""Trees of control spaces."""

from __future__ import annotations

import numpy as np
import pytest
from test_pose_tree_space import JOINTS, assert_same_pose, made_poses, places

from core.motion.offsets.pose_rows import chosen, joined
from core.numerics import quaternion
from core.pose_tree import ControlSpace, EmptySpaceError, Node, PoseTree, TreeError


def body() -> Node:
    return Node("body", places(5), made_poses(5))


def hands(parent: str = "body", **options: object) -> Node:
    return Node("hands", places(4, 7), made_poses(4, 7), parent=parent, place_in_parent=(3.0, 0.0, 0.0), **options)


def test_a_single_node_is_its_control_space():
    node = body()
    asked = places(3, seed=2)
    expected = ControlSpace.build(node.places, node.poses).at(asked)
    assert_same_pose(PoseTree([node]).evaluate({"body": asked})["body"].poses, expected, 1e-12)


def test_at_the_childs_place_the_parent_has_what_the_child_blends():
    tree = PoseTree([body(), hands()])
    there = np.repeat([[3.0, 0.0, 0.0]], 6, axis=0)
    blended = tree.evaluate({"hands": places(6, seed=5), "body": there})
    assert_same_pose(blended["body"].poses, blended["hands"].poses, 1e-7)


def test_a_slow_solution_agrees():
    """Solving the parent anew for every pose of the child gives the same locations and scalars."""
    tree, cursors = PoseTree([body(), hands()]), {"hands": places(4, seed=5), "body": places(4, seed=6)}
    blended = tree.evaluate(cursors)
    for frame in range(4):
        child = chosen(blended["hands"].poses, [frame])
        space = ControlSpace.build(np.concatenate([places(5), [[3.0, 0.0, 0.0]]]), joined([made_poses(5), child]))
        alone = space.at(cursors["body"][frame])
        np.testing.assert_allclose(blended["body"].poses.locations[frame], alone.locations[0], atol=1e-9)
        np.testing.assert_allclose(blended["body"].poses.scalars[frame], alone.scalars[0], atol=1e-9)


def test_a_child_that_owns_two_joints_changes_no_other():
    owned = np.isin(np.arange(JOINTS), (2, 5))
    tree = PoseTree([body(), hands(owned=owned, owned_scalars=False)])
    one, other = (tree.evaluate({"hands": cursor, "body": [[1.0, 0.2, 0.0]]})["body"].poses for cursor in places(2, 9))
    alone = PoseTree([body()]).evaluate({"body": [[1.0, 0.2, 0.0]]})["body"].poses
    assert quaternion.angle_between(one.rotations, other.rotations)[0, owned].min() > 1e-3
    np.testing.assert_array_equal(one.rotations[:, ~owned], other.rotations[:, ~owned])
    assert quaternion.angle_between(one.rotations, alone.rotations)[0, ~owned].max() < 1e-9
    np.testing.assert_allclose(one.scalars, alone.scalars, atol=1e-9)


def test_grandchildren_reach_the_top():
    fingers = Node("fingers", places(3, 8), made_poses(3, 8), parent="hands", place_in_parent=(0.0, 4.0, 0.0))
    tree = PoseTree([body(), fingers, hands()])
    assert tree.order == ["fingers", "hands", "body"]
    assert tree.tops == ["body"]
    cursors = {"fingers": places(3, 8)[:1], "hands": [(0.0, 4.0, 0.0)], "body": [(3.0, 0.0, 0.0)]}
    top = tree.evaluate(cursors)["body"].poses
    assert_same_pose(top, chosen(made_poses(3, 8), [0]), 1e-6)


def test_a_node_may_have_children_alone():
    empty = Node("all", np.empty((0, 3)), made_poses(1).part(0, 0))
    tree = PoseTree([empty, hands(parent="all")])
    blended = tree.evaluate({"all": places(2), "hands": places(2, seed=3)})
    assert_same_pose(blended["all"].poses, blended["hands"].poses, 1e-7)


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        ([body(), body()], "same name"),
        ([hands(parent="nobody")], "does not exist"),
        ([hands(parent="hands")], "own ancestor"),
        ([hands(parent="body"), Node("body", places(2), made_poses(2), parent="hands")], "own ancestor"),
    ],
    ids=["twice", "orphan", "itself", "circle"],
)
def test_what_is_no_tree_is_refused(nodes, reason):
    with pytest.raises(TreeError, match=reason):
        PoseTree(nodes)


def test_an_empty_node_is_named():
    with pytest.raises(EmptySpaceError, match="'lost' has no targets"):
        PoseTree([Node("lost", np.empty((0, 3)), made_poses(1).part(0, 0))])
