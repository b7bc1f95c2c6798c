"""Spacetime edits: constraints are met with the least, smoothest change."""

from __future__ import annotations

import numpy as np
from made_spacetime import FRAMES, JOINTS, basis, energy_above, made, point
from scipy.optimize import minimize

from core.numerics import quaternion
from core.numerics.responses import butterworth
from core.solve.spacetime import (
    AbovePlane,
    JointLimit,
    JointRange,
    NoSkid,
    Objective,
    Orientation,
    Position,
    Spacetime,
    SplineBasis,
    keep,
)
from core.solve.spacetime.degrees import Degrees

# Laws


def test_without_constraints_nothing_changes():
    motion = made()
    result = Spacetime([motion], [], basis=basis()).solve()
    np.testing.assert_array_equal(result.motions[0].rotations, motion.rotations)
    np.testing.assert_array_equal(result.motions[0].locations, motion.locations)


def test_constraints_that_hold_already_change_nothing():
    motion = made()
    result = Spacetime([motion], [keep(motion, 5, [20, 40, 41])], basis=basis()).solve()
    np.testing.assert_array_equal(result.motions[0].rotations, motion.rotations)
    np.testing.assert_array_equal(result.motions[0].locations, motion.locations)


def test_a_handle_is_met_and_the_change_is_smooth():
    motion = made()
    target = point(motion, 5, 45) + np.array([0.4, -0.3, 0.2])
    result = Spacetime([motion], [Position(frames=[45], joint=5, target=target)], basis=basis()).solve()
    np.testing.assert_allclose(point(result.motions[0], 5, 45), target, atol=1e-6)
    assert not result.violations
    assert energy_above(result.changes[0], 10) < 0.01


def test_frames_outside_a_window_stay_bit_for_bit():
    motion = made()
    target = point(motion, 5, 45) + np.array([0.2, 0.1, 0.0])
    window = basis(6, start=25, end=65)
    result = Spacetime([motion], [Position(frames=[45], joint=5, target=target)], basis=window).solve()
    np.testing.assert_allclose(point(result.motions[0], 5, 45), target, atol=1e-6)
    outside = np.r_[0:26, 65:FRAMES]
    np.testing.assert_array_equal(result.motions[0].rotations[outside], motion.rotations[outside])
    np.testing.assert_array_equal(result.motions[0].locations[outside], motion.locations[outside])


def test_handles_and_kept_points_hold_together():
    motion = made()
    kept = keep(motion, 3, np.arange(0, FRAMES, 15))
    target = point(motion, 5, 52) + np.array([0.2, 0.1, 0.1])
    result = Spacetime([motion], [kept, Position(frames=[52], joint=5, target=target)], basis=basis()).solve()
    edited = result.motions[0]
    np.testing.assert_allclose(point(edited, 5, 52), target, atol=1e-6)
    np.testing.assert_allclose(edited.poses.positions[::15, 3], motion.poses.positions[::15, 3], atol=1e-6)


def test_no_skid_holds_a_point_somewhere():
    motion = made()
    frames = np.arange(40, 50)
    result = Spacetime([motion], [NoSkid(frames=frames, joint=5)], basis=basis(4)).solve(steps=30)
    places = result.motions[0].poses.positions[frames, 5]
    assert np.ptp(places, axis=0).max() < 1e-5
    assert np.ptp(motion.poses.positions[frames, 5], axis=0).max() > 0.05


def test_a_plane_that_tilts_and_rises_is_stayed_above_at_every_frame():
    motion, frames = made().part(0, 24), np.arange(24)
    normals = np.stack([np.sin(0.02 * frames), np.zeros(24), np.cos(0.02 * frames)], axis=1)
    before = (motion.poses.positions[:, 5] * normals).sum(axis=1)
    heights = before + 0.05 * np.sin(0.5 * frames)
    plane = AbovePlane(frames=frames, joint=5, height=heights, normal=normals)
    after = Spacetime([motion], [plane], basis=SplineBasis.build(24, spacing=2)).solve(steps=40).motions[0]
    assert ((after.poses.positions[:, 5] * normals).sum(axis=1) - heights).min() > -1e-6


def test_a_floor_lifts_what_is_below_it_by_the_least_change():
    """The oracle, a general solver, finds no smaller change that stays above."""
    motion = made().part(0, 24)
    floor = AbovePlane(frames=np.arange(24), joint=5, height=np.quantile(motion.poses.positions[:, 5, 2], 0.4))
    spline = SplineBasis.build(24, spacing=4)
    problem = Spacetime([motion], [floor], basis=spline)
    result = problem.solve(steps=40)
    assert result.motions[0].poses.positions[:, 5, 2].min() > floor.height - 1e-6
    weights = np.repeat(Degrees.of_chains(motion.skeleton, [5]).weights[None], len(spline.matrix().T), axis=0)

    def size(flat: np.ndarray) -> float:
        return float(((spline.matrix() @ flat.reshape(weights.shape)) ** 2 * weights[0]).sum())

    def above(flat: np.ndarray) -> np.ndarray:
        return problem._problem.rows_at(flat.reshape(weights.shape))[0].values

    oracle = minimize(
        size, problem._controls.reshape(-1), constraints={"type": "ineq", "fun": above}, options={"maxiter": 15}
    )
    assert size(problem._controls.reshape(-1)) <= 1.001 * oracle.fun


def test_a_floor_that_is_not_touched_changes_nothing():
    motion = made()
    floor = AbovePlane(frames=np.arange(FRAMES), joint=5, height=-20.0)
    assert Spacetime([motion], [floor], basis=basis()).solve().motions[0] is motion


def test_an_orientation_is_met():
    motion = made()
    target = quaternion.multiply(quaternion.exp([0.0, 0.3, 0.2]), motion.poses.rotations[30, 4])
    result = Spacetime([motion], [Orientation(frames=[30], joint=4, target=target)], basis=basis()).solve()
    assert quaternion.angle_between(result.motions[0].poses.rotations[30, 4], target) < 1e-6


def test_a_joint_limit_is_kept():
    motion = made()
    angles = np.linalg.norm(quaternion.log(motion.rotations[:, 3]), axis=1)
    limit = 0.8 * angles.max()
    kind = JointLimit(frames=np.arange(FRAMES), joint=3, largest=limit)
    result = Spacetime([motion], [kind], basis=basis(5)).solve(steps=40)
    assert np.linalg.norm(quaternion.log(result.motions[0].rotations[:, 3]), axis=1).max() < limit + 1e-4


def test_a_hinge_stays_within_its_range():
    motion = made()
    angles = 2.0 * np.arctan2(motion.rotations[:, 3, 1], motion.rotations[:, 3, 0])
    low, high = 0.6 * angles.min(), 0.7 * angles.max()
    assert low < -0.1 < 0.1 < high
    kind = JointRange(frames=np.arange(0, FRAMES, 4), joint=3, axis=(1.0, 0.0, 0.0), smallest=low, largest=high)
    result = Spacetime([motion], [kind], basis=basis(6)).solve(steps=20)
    found = result.motions[0].rotations[::4, 3]
    after = 2.0 * np.arctan2(found[:, 1], found[:, 0])
    assert not result.violations
    assert low - 1e-5 < after.min() < low + 1e-3
    assert high - 1e-3 < after.max() < high + 1e-5


def test_no_smaller_change_meets_the_same_handle():
    """Any other change that meets the constraint, made by adding what the constraint does not see, is larger."""
    motion = made()
    handle = Position(frames=[45], joint=5, target=point(motion, 5, 45) + np.array([0.3, 0.0, 0.2]))
    problem = Spacetime([motion], [handle], basis=basis())
    least = problem.solve(steps=30).changes[0]
    degrees = Degrees.of_chains(motion.skeleton, [5])
    slopes = problem._problem.rows_at(problem._controls)[0].slopes
    random = np.random.default_rng(0)
    for _ in range(5):
        extra = random.normal(size=problem._controls.shape)
        seen = basis().matrix([45])[0]
        # Taken out: the part of the extra that moves the point.
        moved = slopes @ (seen @ extra)
        extra -= np.outer(seen, slopes.T @ np.linalg.solve(slopes @ slopes.T, moved)) / (seen @ seen)
        other = least + 0.01 * basis().matrix() @ extra
        assert (other**2 * degrees.weights).sum() > (least**2 * degrees.weights).sum() * (1.0 - 1e-6)


def test_conflicts_are_named():
    motion = made()
    here = point(motion, 5, 45)
    impossible = [
        Position(frames=[45], joint=5, target=here + np.array([0.3, 0.0, 0.0]), name="hand to the left"),
        Position(frames=[45], joint=5, target=here - np.array([0.3, 0.0, 0.0]), name="hand to the right"),
    ]
    result = Spacetime([motion], impossible, basis=basis()).solve(steps=30)
    assert {violation.name for violation in result.violations} == {"hand to the left", "hand to the right"}
    # Half way between is the nearest to both.
    assert all(violation.frame == 45 for violation in result.violations)
    np.testing.assert_allclose([violation.amount for violation in result.violations], 0.3, atol=0.01)
    assert np.isfinite(result.motions[0].rotations).all()


def test_a_handle_out_of_reach_is_approached_and_reported():
    motion = made()
    root, hand = point(motion, 0, 45), point(motion, 5, 45)
    target = root + 8.0 * (hand - root) / np.linalg.norm(hand - root)
    stays = np.array([np.inf, 1.0, 1.0, 1.0, 1.0, 1.0])
    handle = Position(frames=[45], joint=5, target=target, name="far")
    result = Spacetime([motion], [handle], basis=basis(), joint_weights=[stays]).solve(steps=20)
    # The chain is five units long; joint 0 stays as it is, so the best is that the other four point to the target.
    best = np.linalg.norm(target - point(motion, 1, 45)) - 4.0
    missed = np.linalg.norm(point(result.motions[0], 5, 45) - target)
    assert missed < best + 0.01 < np.linalg.norm(hand - target)
    assert [violation.name for violation in result.violations] == ["far"]


def test_joints_that_resist_change_less():
    motion = made()
    handle = Position(frames=[45], joint=5, target=point(motion, 5, 45) + np.array([0.3, 0.0, 0.2]))
    stiff = np.ones(JOINTS)
    stiff[2], stiff[0] = 100.0, np.inf
    result = Spacetime([motion], [handle], basis=basis(), joint_weights=[stiff]).solve()
    turned = quaternion.angle_between(result.motions[0].rotations, motion.rotations).max(axis=0)
    assert turned[2] < 0.1 * turned[3]
    np.testing.assert_array_equal(result.motions[0].rotations[:, 0], motion.rotations[:, 0])
    np.testing.assert_allclose(point(result.motions[0], 5, 45), handle.target, atol=1e-6)


def test_a_root_that_may_not_turn_moves_and_one_that_may_not_move_turns():
    motion = made()
    handle = Position(frames=[45], joint=5, target=point(motion, 5, 45) + np.array([0.3, 0.0, 0.2]))
    for stays, changes, held in (("rotations", "locations", slice(0, 3)), ("locations", "rotations", slice(3, 4))):
        weights = np.ones((JOINTS, 4))
        weights[0, held] = np.inf
        (after,) = Spacetime([motion], [handle], basis=basis(), joint_weights=[weights]).solve().motions
        np.testing.assert_array_equal(getattr(after, stays)[:, 0], getattr(motion, stays)[:, 0])
        assert np.abs(getattr(after, changes)[:, 0] - getattr(motion, changes)[:, 0]).max() > 1e-3
        np.testing.assert_allclose(point(after, 5, 45), handle.target, atol=1e-6)


def test_soft_constraints_give_way():
    motion = made()
    target = point(motion, 5, 45) + np.array([0.4, 0.0, 0.0])
    misses = []
    for softness in (0.0, 1.0, 50.0):
        soft = Position(frames=[45], joint=5, target=target, softness=softness)
        edited = Spacetime([motion], [soft], basis=basis()).solve().motions[0]
        misses.append(np.linalg.norm(point(edited, 5, 45) - target))
    assert misses[0] < 1e-6 < misses[1] < misses[2]


def test_an_objective_of_quick_changes_spreads_an_edit_in_time():
    motion = made()
    handle = Position(frames=[45], joint=5, target=point(motion, 5, 45) + np.array([0.3, 0.0, 0.2]))
    spline = basis(6)
    slow = Objective.least_change_above(spline, butterworth(0.5), rate=30.0)
    widths = []
    for objective in (None, slow):
        change = Spacetime([motion], [handle], basis=spline, objective=objective).solve().changes[0]
        size = np.linalg.norm(change, axis=1)
        widths.append((size > 0.5 * size.max()).sum())
    assert widths[1] > 1.5 * widths[0]


def test_a_moved_handle_goes_on_from_the_last_solution():
    motion = made()
    start = point(motion, 5, 45)
    problem = Spacetime(
        [motion], [Position(frames=[45], joint=5, target=start + np.array([0.30, 0.0, 0.0]))], basis=basis()
    )
    problem.solve()
    moved = problem.with_constraints([Position(frames=[45], joint=5, target=start + np.array([0.31, 0.0, 0.0]))])
    result = moved.solve(steps=2)
    np.testing.assert_allclose(point(result.motions[0], 5, 45), start + np.array([0.31, 0.0, 0.0]), atol=1e-4)


def test_some_frames_are_those_of_the_whole_result():
    motion = made()
    handle = Position(frames=[45], joint=5, target=point(motion, 5, 45) + np.array([0.3, 0.0, 0.2]))
    whole, part = (Spacetime([motion], [handle], basis=basis()).solve(shown=each) for each in (None, slice(40, 60)))
    np.testing.assert_array_equal(part.motions[0].rotations, whole.motions[0].rotations[40:60])
    np.testing.assert_array_equal(part.motions[0].times, motion.times[40:60])
    np.testing.assert_array_equal(part.changes[0], whole.changes[0][40:60])
