"""Groups of like poses, and targets arranged for a view."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import Motion, chain
from test_pose_tree_space import places

from core.motion.offsets.pose_rows import chosen
from core.numerics import quaternion
from core.pose_tree import View, arrange_for_view, cluster_poses
from core.pose_tree.clusters import ClusterError, cluster_points


def grouped_poses(groups: int, each: int) -> tuple[Motion, np.ndarray]:
    """Poses near a few very different ones, shuffled, and which of them each is near."""
    random = np.random.default_rng(2)
    middle = random.normal(size=(groups, 6, 3))
    which = random.permutation(np.repeat(np.arange(groups), each))
    turned = middle[which] + 0.05 * random.normal(size=(len(which), 6, 3))
    return Motion.build(chain(6), quaternion.exp(turned), rate=30.0), which


def same_partition(one: np.ndarray, other: np.ndarray) -> bool:
    return (
        len(set(zip(one.tolist(), other.tolist(), strict=True))) == len(set(one.tolist())) == len(set(other.tolist()))
    )


@pytest.mark.parametrize("groups", [1, 2, 4, 6])
def test_like_poses_come_together(groups):
    poses, which = grouped_poses(groups, 7)
    assert same_partition(cluster_poses(poses, groups), which)


def test_order_of_poses_does_not_matter():
    poses, _ = grouped_poses(4, 5)
    order = np.random.default_rng(0).permutation(len(poses))
    assert same_partition(cluster_poses(chosen(poses, order), 4), cluster_poses(poses, 4)[order])


def test_every_group_has_a_member_even_of_equal_points():
    assert sorted(set(cluster_points(np.zeros((5, 3)), 5).tolist())) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("count", [0, 9])
def test_impossible_counts_are_refused(count):
    poses, _ = grouped_poses(2, 4)
    with pytest.raises(ClusterError, match="1 to 8 groups"):
        cluster_poses(poses, count)


VIEW = View(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]), 4.0, 2.0)


def on_screen(spots: np.ndarray) -> np.ndarray:
    return np.stack([(spots - VIEW.centre) @ VIEW.right, (spots - VIEW.centre) @ VIEW.up], axis=1)


@pytest.mark.parametrize("clusters", [1, 3])
def test_all_targets_lie_in_the_view_around_its_middle(clusters):
    screen = on_screen(arrange_for_view(5.0 + 9.0 * places(25), VIEW, clusters=clusters))
    assert (np.abs(screen) <= [2.0, 1.0]).all()
    np.testing.assert_allclose(screen.max(axis=0) + screen.min(axis=0), 0.0, atol=1e-9)


def test_what_lay_behind_each_other_lies_beside_each_other():
    depth = np.stack([np.linspace(0.0, 10.0, 8), np.zeros(8), np.zeros(8)], axis=1)
    assert np.ptp(on_screen(depth), axis=0).max() == 0.0
    screen = on_screen(arrange_for_view(depth, VIEW))
    gaps = np.linalg.norm(np.diff(screen, axis=0), axis=1)
    assert gaps.min() > 0.05


def test_one_group_keeps_all_distances_up_to_scale():
    spots = places(12)
    arranged = arrange_for_view(spots, VIEW)
    before, after = (
        np.linalg.norm(each[:, None] - each[None], axis=-1)[np.triu_indices(12, 1)] for each in (spots, arranged)
    )
    np.testing.assert_allclose(after / before, (after / before)[0], rtol=1e-9)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_targets(count):
    arranged = arrange_for_view(places(count), VIEW)
    assert arranged.shape == (count, 3)
    assert np.isfinite(arranged).all()
