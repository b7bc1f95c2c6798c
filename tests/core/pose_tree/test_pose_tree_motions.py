"""Motions as paths through a control space, and their branches."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import Motion, chain, smooth_curves, smooth_rotations
from scipy.interpolate import CubicSpline
from test_pose_tree_space import assert_same_pose

from core.motion.offsets.displacement import displaced, displacement_between, smooth_offsets
from core.motion.offsets.pose_rows import chosen
from core.numerics import quaternion
from core.pose_tree import (
    BranchError,
    ControlPath,
    Edits,
    blend_paths,
    blended_branch,
    displaced_branch,
    embed_along_joint,
    embed_by_variance,
)

FRAMES, START, END = 60, 10, 50


def reach() -> Motion:
    return Motion.build(
        chain(6),
        smooth_rotations(FRAMES, 6, 3, reach=0.8),
        rate=30.0,
        locations=0.3 * smooth_curves(FRAMES, 18, 4).reshape(FRAMES, 6, 3),
        scalars=smooth_curves(FRAMES, 2, 5),
        scalar_names=("smile", "blink"),
    )


def edits(path: ControlPath, *frames: int) -> Edits:
    """Some poses bent further, their targets beside the path."""
    before = chosen(path.motion, list(frames))
    turns = 0.2 * np.random.default_rng(1).normal(size=before.locations.shape)
    after = displaced(before, turns, 0.1, 0.0, 0.2)
    return Edits(np.array(frames), after, path.places[list(frames)] + [0.0, 0.0, 0.3])


# Embedding


@pytest.mark.parametrize("dimensions", [2, 3])
def test_playing_an_embedded_path_gives_the_motion_back(dimensions):
    motion = reach()
    path = embed_by_variance(motion, dimensions=dimensions)
    assert_same_pose(path.at(motion.times), motion, 0.0)
    assert np.ptp(path.places, axis=0).max() == pytest.approx(1.0)
    assert (path.places[:, 2] == 0.0).all() == (dimensions == 2)


def test_poses_that_differ_more_lie_farther_apart():
    motion = reach()
    flat = motion.poses.positions - motion.poses.positions[:, :1]
    flat = np.concatenate([flat.reshape(FRAMES, -1), motion.scalars * 5.0], axis=1)
    oracle = np.linalg.svd(flat - flat.mean(axis=0))[1][:3]
    path = embed_by_variance(motion)
    spread = np.linalg.norm(path.places - path.places.mean(axis=0), axis=0)
    np.testing.assert_allclose(spread / spread[0], oracle / oracle[0], rtol=1e-9)


def test_a_motion_that_stands_still_is_one_place():
    still = Motion.build(chain(3), quaternion.identity(5, 3), rate=30.0)
    np.testing.assert_array_equal(embed_by_variance(still).places, 0.0)


def test_a_joints_path_is_the_path():
    motion = reach()
    path = embed_along_joint(motion, motion.skeleton.names[4])
    np.testing.assert_array_equal(path.places, motion.poses.positions[:, 4])
    middle = 0.5 * (motion.times[3] + motion.times[4])
    np.testing.assert_allclose(path.places_at(middle)[0], path.places[3:5].mean(axis=0))


def test_a_thinned_path_blends_nearly_the_motion():
    motion = reach()
    path = embed_by_variance(motion)
    errors = []
    for count in (8, 30):
        frames = path.thinned(count)
        assert len(frames) <= count
        blended = path.space(frames).at(path.places)
        errors.append(quaternion.angle_between(blended.rotations, motion.rotations).mean())
        assert_same_pose(chosen(blended, frames), chosen(motion, frames), 1e-6)
    assert errors[1] < 0.5 * errors[0]


# Displacements


def test_offsets_are_a_clamped_spline():
    knots, offsets = np.array([0.0, 1.0, 2.5, 4.0]), np.random.default_rng(0).normal(size=(4, 5))
    times = np.linspace(0.0, 4.0, 41)
    oracle = CubicSpline(knots, offsets, bc_type="clamped")
    np.testing.assert_allclose(smooth_offsets(times, knots, offsets), oracle(times), atol=1e-12)
    np.testing.assert_array_equal(smooth_offsets(knots, knots, offsets), offsets)
    np.testing.assert_array_equal(smooth_offsets([-3.0, 9.0], knots, offsets), offsets[[0, -1]])


def test_a_displacement_leads_from_one_motion_to_the_other():
    one, other = reach(), displaced(reach(), 0.3 * np.ones((FRAMES, 6, 3)), 0.1, 0.2, 0.3)
    assert_same_pose(displaced(one, *displacement_between(one, other)), other, 1e-12)
    unchanged = displaced(one, np.zeros((FRAMES, 6, 3)), 0.0, 0.0, 0.0)
    np.testing.assert_array_equal(unchanged.rotations, one.rotations)


# Branches


@pytest.mark.parametrize("make", [displaced_branch, blended_branch])
def test_a_branch_meets_the_edits_and_is_the_original_outside(make):
    path = embed_by_variance(reach())
    changed = edits(path, 20, 31)
    branch = make(path, changed, start=START, end=END)
    assert_same_pose(chosen(branch.motion, [20, 31]), changed.poses, 0.0)
    np.testing.assert_array_equal(branch.places[[20, 31]], changed.places)
    outside = np.r_[0 : START + 1, END:FRAMES]
    np.testing.assert_array_equal(branch.motion.rotations[outside], path.motion.rotations[outside])
    np.testing.assert_array_equal(branch.motion.locations[outside], path.motion.locations[outside])
    np.testing.assert_array_equal(branch.places[outside], path.places[outside])


@pytest.mark.parametrize("make", [displaced_branch, blended_branch])
@pytest.mark.parametrize(("frame", "start", "end", "kept"), [(0, -1, 12, slice(12, None)), (59, 45, 60, slice(0, 46))])
def test_a_branch_can_change_the_first_or_the_last_pose(make, frame, start, end, kept):
    path = embed_by_variance(reach())
    changed = edits(path, frame)
    branch = make(path, changed, start=start, end=end)
    assert_same_pose(chosen(branch.motion, [frame]), changed.poses, 0.0)
    rows = np.arange(FRAMES)[kept]
    assert_same_pose(chosen(branch.motion, rows), chosen(path.motion, rows), 0.0)
    np.testing.assert_array_equal(branch.places[kept], path.places[kept])


def test_a_displaced_branch_keeps_the_detail():
    """The change from frame to frame is smooth although the motion is not."""
    noise = 0.02 * np.random.default_rng(3).normal(size=(FRAMES, 6, 3))
    motion = displaced(reach(), noise, 0.0, 0.0, 0.0)
    path = embed_by_variance(motion)
    branch = displaced_branch(path, edits(path, 30), start=START, end=END)
    turns = displacement_between(motion, branch.motion)[0]
    bends = np.abs(np.diff(turns, 2, axis=0))
    assert bends.max() < 0.1 * np.abs(np.diff(noise, 2, axis=0)).max()


def test_a_blended_branch_near_the_path_stays_near_it():
    path = embed_by_variance(reach())
    changed = edits(path, 30)
    branch = blended_branch(path, changed, start=START, end=END)
    largest = quaternion.angle_between(branch.motion.rotations, path.motion.rotations).max(axis=1)
    assert largest[30] > 0.05
    assert largest[12] < 0.5 * largest[30]


def test_weights_of_branches_give_their_ends_exactly():
    path = embed_by_variance(reach())
    branch = displaced_branch(path, edits(path, 30), start=START, end=END)
    for weights, expected in (((1.0, 0.0), path), ((0.0, 2.0), branch)):
        blend = blend_paths([path, branch], weights)
        assert_same_pose(blend.motion, expected.motion, 0.0)
    half = blend_paths([path, branch], (1.0, 1.0)).motion
    turned = quaternion.slerp(path.motion.rotations, branch.motion.rotations, 0.5)
    assert quaternion.angle_between(half.rotations, turned).max() < 1e-9


@pytest.mark.parametrize(
    ("frames", "start", "end", "reason"),
    [
        ((), 10, 50, "Edit one or more"),
        ((10,), 10, 50, "must lie in order"),
        ((30, 20), 10, 50, "must lie in order"),
        ((30,), 50, 10, "no part of the path"),
        ((30,), 10, 99, "no part of the path"),
    ],
)
def test_impossible_branches_say_why(frames, start, end, reason):
    path = embed_by_variance(reach())
    with pytest.raises(BranchError, match=reason):
        displaced_branch(path, edits(path, *frames), start=start, end=end)


def test_weights_that_are_no_mixture_are_refused():
    path = embed_by_variance(reach())
    with pytest.raises(BranchError, match="not all zero"):
        blend_paths([path, path], (0.0, 0.0))


@pytest.mark.parametrize("moved", [0.0, 1e-3])
@pytest.mark.parametrize("count", [None, 12])
def test_a_pose_that_is_changed_where_it_lies_comes_and_goes_over_the_margin(moved, count):
    path = embed_by_variance(reach())
    changed = edits(path, 30)
    changed = Edits(changed.frames, changed.poses, path.places[[30]] + [0.0, 0.0, moved])
    targets = None if count is None else np.setdiff1d(path.thinned(count), [30])
    branch = blended_branch(path, changed, start=START, end=END, targets=targets)
    plain = blended_branch(path, Edits(changed.frames, chosen(path.motion, [30]), path.places[[30]]), start=START,
                           end=END, targets=targets)  # fmt: skip
    change = quaternion.angle_between(branch.motion.rotations, plain.motion.rotations).max(axis=1)
    assert change[30] == change.max() > 0.2
    # A spike would be gone in the frames beside.
    assert change[[29, 31]].min() > 0.95 * change[30]
    assert change[[22, 38]].min() > 0.3 * change[30]
    assert np.abs(np.diff(change)).max() < 0.15 * change[30]
