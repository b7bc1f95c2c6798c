"""The hierarchy and rest pose of a skeleton."""

import numpy as np
import pytest
from made_motion import chain, random_skeleton

from core.motion.skeleton import InheritScale, Skeleton
from core.numerics import quaternion


def test_levels_hold_every_joint_once_and_parents_come_first():
    skeleton = random_skeleton(40, seed=2)
    order = np.concatenate(skeleton.levels)
    assert sorted(order) == list(range(40))
    assert any(skeleton.parents > np.arange(40)), "the example should list a child before its parent"
    position = np.argsort(order)
    below = skeleton.parents >= 0
    assert (position[below] > position[skeleton.parents[below]]).all()


def test_children_descendants_and_ancestors_agree():
    skeleton = random_skeleton(30, seed=4)
    for joint in range(30):
        for descendant in skeleton.descendants(joint):
            assert joint in skeleton.ancestors(descendant)
        assert len(skeleton.descendants(joint)) == sum(joint in skeleton.ancestors(j) for j in range(30))
        assert all(skeleton.parents[child] == joint for child in skeleton.children[joint])


def test_descendants_list_parents_before_children():
    skeleton = random_skeleton(30, seed=5)
    root = int(np.flatnonzero(skeleton.parents < 0)[0])
    found = skeleton.descendants(root)
    assert len(found) == 29
    for place, joint in enumerate(found):
        assert skeleton.parents[joint] in (root, *found[:place])


def test_rest_offsets_lead_back_to_the_rest_pose():
    skeleton = random_skeleton(20, seed=1)
    turn, place = skeleton.rest_offsets
    for joint, parent in enumerate(skeleton.parents):
        above = skeleton.rest_rotations[parent] if parent >= 0 else quaternion.IDENTITY
        origin = skeleton.rest_positions[parent] if parent >= 0 else np.zeros(3)
        np.testing.assert_allclose(quaternion.multiply(above, turn[joint]), skeleton.rest_rotations[joint], atol=1e-14)
        np.testing.assert_allclose(
            origin + quaternion.rotate(above, place[joint]), skeleton.rest_positions[joint], atol=1e-13
        )


def test_several_roots_and_an_empty_skeleton():
    two = Skeleton.build(["a", "b"], [-1, -1], np.zeros((2, 3)))
    assert [list(level) for level in two.levels] == [[0, 1]]
    empty = Skeleton.build([], [], [])
    assert len(empty) == 0
    assert sum(level.size for level in empty.levels) == 0


def test_cycle_is_refused():
    with pytest.raises(ValueError, match="cycle"):
        Skeleton.build("abc", [-1, 2, 1], np.zeros((3, 3)))
    with pytest.raises(ValueError, match="cycle"):
        Skeleton.build("ab", [0, -1], np.zeros((2, 3)))


def test_other_mistakes_are_refused():
    with pytest.raises(ValueError, match="unique"):
        Skeleton.build(["a", "a"], [-1, 0], np.zeros((2, 3)))
    for parents in ([-1, 2], [-2, 0]):
        with pytest.raises(ValueError, match="outside"):
            Skeleton.build("ab", parents, np.zeros((2, 3)))
    with pytest.raises(ValueError, match="joint 0"):
        Skeleton.build("ab", [1, -1], np.zeros((2, 3)), has_placement=True)
    with pytest.raises(TypeError):
        Skeleton.build("ab", [-1, 0], np.zeros((2, 3)), conected=[False, True])


def test_arrays_are_read_only_and_the_input_stays_writable():
    positions, parents = np.zeros((2, 3)), np.array([-1, 0])
    skeleton = Skeleton.build("ab", parents, positions)
    positions[0, 0], parents[1] = 5.0, -1
    assert skeleton.rest_positions[0, 0] == 0.0
    assert skeleton.parents[1] == 0
    with pytest.raises(ValueError, match="read-only"):
        skeleton.rest_positions[0, 0] = 1.0


def test_index_finds_joints_by_name():
    skeleton = random_skeleton(6)
    assert [skeleton.index[name] for name in skeleton.names] == list(range(6))


@pytest.mark.parametrize(
    ("flags", "rigid"),
    [
        ({}, True),
        ({"connected": [False, True, True]}, True),
        ({"inherits_rotation": [False, True, True]}, True),
        ({"inherits_rotation": [True, True, False]}, False),
        ({"inherit_scale": [InheritScale.NONE, 0, 0]}, True),
        ({"inherit_scale": [0, InheritScale.NONE, 0]}, False),
    ],
)
def test_only_joints_below_a_root_can_break_rigid_motion(flags, rigid):
    assert chain(3, **flags).moves_rigidly is rigid
