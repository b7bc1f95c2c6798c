"""Bodies that are dragged down crouch: the pelvis takes part, and backs bend less than with equal weights."""

from __future__ import annotations

import numpy as np
import pytest
from test_spacetime_clips import clip_of

from core.body import find_body
from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.sample_motion import sample_events, sample_motion
from core.solve.limb_ik import Limb
from core.solve.spacetime import (
    Objective,
    Position,
    Spacetime,
    SplineBasis,
    WithinReach,
    keep,
    natural_weights,
    stay_in_reach,
)

RATE, FRAME, SPACING, EVERY = 30.0, 40, 10, 13


@pytest.fixture(scope="module")
def walker():
    motion = sample_motion(RATE).part(0, round(RATE * sample_events().flight[0]))
    return motion, find_body(motion.skeleton, motion=motion)


def footplants(motion):
    """Feet and toes held once for each control of the change, as limb IK would close them."""
    kept = []
    for joint, spans in sample_events().contacts.items():
        for start, end in spans:
            first, last = int(np.ceil(RATE * start)), min(int(RATE * end), len(motion) - 1)
            if first <= last:
                frames = np.linspace(first, last, (last - first) // EVERY + 2).astype(int)
                kept.append(keep(motion, motion.skeleton.index[joint], np.unique(frames)))
    return kept


def drag_of(motion, joint, move, weights=None):
    """A joint that is moved over standing feet."""
    number = motion.skeleton.index[joint]
    handle = Position(frames=[FRAME], joint=number, target=motion.poses.positions[FRAME, number] + np.array(move))
    basis = SplineBasis.build(len(motion), spacing=SPACING)
    return Spacetime(
        [motion],
        [*footplants(motion), handle],
        basis=basis,
        objective=Objective.least_change(basis, calm=5.0),
        joint_weights=None if weights is None else [weights],
    )


def dragged(motion, joint, move, weights):
    """The pose at the frame of the drag."""
    result = drag_of(motion, joint, move, weights).solve(steps=40)
    assert not result.violations
    return result.motions[0].part(FRAME, FRAME + 1)


def bend_of(motion, edited):
    """Degrees by which the back is bent more than before."""
    backs = []
    for part in (motion.part(FRAME, FRAME + 1), edited):
        hips, chest = (part.poses.rotations[0, part.skeleton.index[name]] for name in ("hips", "upper_chest"))
        backs.append(quaternion.multiply(quaternion.conjugate(hips), chest))
    return float(np.degrees(quaternion.angle_between(*backs)))


def drop_of(motion, edited):
    hips = motion.skeleton.index["hips"]
    return float(motion.poses.positions[FRAME, hips, 2] - edited.poses.positions[0, hips, 2])


@pytest.mark.parametrize(
    ("joint", "move", "least_drop", "most_bend"),
    [
        ("upper_chest", (0.0, 0.0, -0.25), 0.15, 25.0),
        ("head", (0.0, 0.0, -0.3), 0.05, 45.0),
        ("hand.R", (0.0, -0.1, -0.6), 0.15, 60.0),
    ],
)
def test_who_is_dragged_down_crouches(walker, joint, move, least_drop, most_bend):
    motion, body = walker
    natural = dragged(motion, joint, move, natural_weights(motion, body))
    assert drop_of(motion, natural) > least_drop
    assert bend_of(motion, natural) < most_bend
    alike = dragged(motion, joint, move, None)
    assert bend_of(motion, natural) < 0.7 * bend_of(motion, alike)
    assert drop_of(motion, natural) > drop_of(motion, alike) + 0.02


def test_hips_that_are_lowered_keep_the_back_upright(walker):
    motion, body = walker
    lowered = dragged(motion, "hips", (0.0, 0.0, -0.2), natural_weights(motion, body))
    hips = motion.skeleton.index["hips"]
    turned = quaternion.angle_between(motion.poses.rotations[FRAME, hips], lowered.poses.rotations[0, hips])
    assert np.degrees(turned) < 8.0


def test_a_near_reach_is_left_to_the_arm(walker):
    motion, body = walker
    edited = dragged(motion, "hand.R", (0.0, -0.1, 0.15), natural_weights(motion, body))
    alike = dragged(motion, "hand.R", (0.0, -0.1, 0.15), None)
    assert bend_of(motion, edited) < 0.6 * bend_of(motion, alike)


def chain(lengths):
    places = np.concatenate([[0.0], np.cumsum(lengths)])
    points = np.stack([np.zeros_like(places), np.zeros_like(places), places], axis=1)
    return Skeleton.build([f"bone {number}" for number in range(len(points))], range(-1, len(places) - 1), points)


def still(skeleton):
    return Motion.build(skeleton, quaternion.identity(1, len(skeleton)), rate=RATE)


def test_a_back_resists_alike_into_however_many_bones_it_is_divided():
    """As springs in a row: one over the sum of what each gives way."""
    compliance = []
    for pieces in (1, 2, 4):
        skeleton = chain([*[0.24 / pieces] * pieces, *[0.2] * 4])
        weights = natural_weights(still(skeleton))[:, 0]
        compliance.append(float((1.0 / weights[:pieces]).sum()))
    np.testing.assert_allclose(compliance, compliance[0], rtol=0.15)


def test_what_carries_more_resists_more_and_a_character_of_any_size_alike(walker):
    motion, body = walker
    weights, index = natural_weights(motion, body), motion.skeleton.index
    order = ["hips", "spine", "upper_chest", "thigh.L", "shin.L"]
    assert (np.diff(weights[[index[name] for name in order], 0]) < 0.0).all()
    assert (weights[:, 3] == 1.0).all()
    skeleton = motion.skeleton
    small = Skeleton.build(skeleton.names, skeleton.parents, 0.01 * skeleton.rest_positions, tips=0.01 * skeleton.tips)
    np.testing.assert_allclose(natural_weights(still(small)), natural_weights(still(skeleton)), rtol=1e-9)


def test_knees_resist_most_to_the_side(walker):
    """The sample's knees bend about their x axes."""
    motion, body = walker
    knee = natural_weights(motion, body)[motion.skeleton.index["shin.L"]]
    assert knee[1] == knee[2] == pytest.approx(5.0 * knee[0])
    plain = natural_weights(motion)[motion.skeleton.index["shin.L"]]
    assert plain[0] == plain[1] == plain[2] == pytest.approx(knee[0])


def test_backs_and_hips_resist_most_to_the_side(walker):
    """The sample's bones lie along their y axes and bend to the side about the axis that points forward."""
    motion, body = walker
    skeleton = motion.skeleton
    natural, plain = natural_weights(motion, body), natural_weights(motion)
    for name in ("hips", "spine", "chest", "upper_chest", "thigh.L", "thigh.R"):
        joint = skeleton.index[name]
        forward = quaternion.rotate(quaternion.conjugate(skeleton.rest_rotations[joint]), body.forward.vector)
        more = np.where(np.arange(3) == np.abs(forward).argmax(), 4.0, 1.0)
        np.testing.assert_allclose(natural[joint, :3], more * plain[joint, :3])


@pytest.mark.parametrize("name", ["cmu_139_02_idle_shift_weight", "cmu_18_01_handshake_A"])
def test_who_is_dragged_down_does_not_sway(clips_folder, name):
    motion, body = clip_of(clips_folder, name)
    frame, up = len(motion) // 2, body.up.vector
    held = [keep(motion, foot, np.arange(0, len(motion), 40)) for foot in body.feet]
    target = motion.poses.positions[frame, body.head] - 0.17 * body.height * up
    handle = Position(frames=[frame], joint=body.head, target=target)
    hips = [leg.chain[0] for leg in body.legs]
    across = np.cross(up, np.cross(motion.poses.positions[frame, hips[0]] - motion.poses.positions[frame, hips[1]], up))
    basis, sways = SplineBasis.build(len(motion), spacing=40), []
    for weights in (natural_weights(motion), natural_weights(motion, body)):
        edited = Spacetime([motion], [*held, handle], basis=basis, joint_weights=[weights]).solve(steps=120).motions[0]
        moved = edited.poses.positions[frame, body.root] - motion.poses.positions[frame, body.root]
        sways.append(abs(float(moved @ across / np.linalg.norm(across))) / body.height)
    assert sways[1] < 0.5 * sways[0]


@pytest.mark.parametrize("name", ["quad_horse_rear", "rokoko_jesse_dance_fingers", "fair1_jumping_zup"])
def test_weights_of_captured_figures_are_sound(clips_folder, name):
    motion, body = clip_of(clips_folder, name)
    weights = natural_weights(motion, body)
    assert np.isfinite(weights).all()
    assert weights.min() > 0.01
    assert weights.max() < 150.0
    legs = [weights[limb.chain[0], :3].max() for limb in body.legs]
    assert weights[body.root, :3].min() > 2.0 * max(legs)


def test_a_point_without_extent_has_weights():
    assert np.isfinite(natural_weights(still(Skeleton.build(["point"], [-1], [[0.0, 0.0, 0.0]])))).all()


def leg_of(motion):
    return Limb.named(motion.skeleton, "thigh.L", "shin.L", "foot.L")


def test_a_leg_in_reach_stays_bit_for_bit(walker):
    motion, _ = walker
    held = stay_in_reach(motion, leg_of(motion), np.arange(20, 60, 3))
    assert (
        Spacetime([motion], [held], basis=SplineBasis.build(len(motion), spacing=SPACING)).solve().motions[0] is motion
    )


def test_a_hip_is_held_within_reach_of_the_foot(walker):
    """The hips are lifted by half a metre; the leg holds them back to where it can reach."""
    motion, _ = walker
    hips, hip = (motion.skeleton.index[name] for name in ("hips", "thigh.L"))
    lifted = motion.poses.positions[FRAME, hips] + (0.0, 0.0, 0.5)
    handle = Position(frames=[FRAME], joint=hips, target=lifted, softness=1e-3)
    frames = np.arange(FRAME - 9, FRAME + 10, 3)
    held = stay_in_reach(motion, leg_of(motion), frames)
    basis = SplineBasis.build(len(motion), spacing=SPACING)
    free, reaching = (
        Spacetime([motion], [handle, *each], basis=basis).solve(steps=40).motions[0] for each in ([], [held])
    )

    def beyond(edited):
        return (np.linalg.norm(edited.poses.positions[frames, hip] - held.place, axis=1) - held.reach).max()

    assert beyond(free) > 0.1
    assert beyond(reaching) < 1e-4
    assert reaching.poses.positions[FRAME, hips, 2] > motion.poses.positions[FRAME, hips, 2]


def test_constraints_that_are_added_go_on_from_the_solution(walker):
    """The hand is held already; that a leg has to reach besides changes little, and all is as if solved at once."""
    motion, _ = walker
    hand = motion.skeleton.index["hand.R"]
    handle = Position(frames=[FRAME], joint=hand, target=motion.poses.positions[FRAME, hand] + (0.0, 0.0, 0.35))
    held = stay_in_reach(motion, leg_of(motion), np.arange(FRAME - 9, FRAME + 10, 3))
    basis = SplineBasis.build(len(motion), spacing=SPACING)
    problem = Spacetime([motion], [handle], basis=basis)
    assert isinstance(held, WithinReach)
    problem.solve()
    further = problem.with_further([held]).solve(steps=40)
    at_once = Spacetime([motion], [handle, held], basis=basis).solve(steps=40)
    assert not further.violations
    assert not at_once.violations
    np.testing.assert_allclose(further.motions[0].poses.positions, at_once.motions[0].poses.positions, atol=2e-3)


@pytest.mark.parametrize(("joint", "move"), [("hand.R", (0.1, 0.1, 0.1)), ("upper_chest", (0.0, 0.0, -0.3))])
def test_steps_end_when_the_change_becomes_hardly_smaller(walker, joint, move):
    """Some are enough for small drags and few are too few for large ones; twice as many more gain next to nothing."""
    motion, body = walker
    problem = drag_of(motion, joint, move, natural_weights(motion, body))
    result = problem.solve(steps=200)
    assert result.steps < 100
    assert not result.violations
    further = problem.solve(steps=400)
    assert further.size == pytest.approx(result.size, rel=0.02)


def test_a_problem_goes_on_from_the_solution_of_another(walker):
    """The same problem has nothing left to do; one about other joints takes what both may change."""
    motion, _ = walker
    problem, same = (drag_of(motion, "hand.R", (0.0, 0.0, 0.3)) for _each in range(2))
    solved = problem.solve(steps=100)
    same.go_on_from(problem)
    np.testing.assert_array_equal(same.solve(steps=0).motions[0].rotations, solved.motions[0].rotations)
    other = drag_of(motion, "hand.L", (0.0, 0.0, 0.3))
    other.go_on_from(problem)
    taken, index = other.solve(steps=0).motions[0], motion.skeleton.index
    np.testing.assert_array_equal(taken.rotations[:, index["spine"]], solved.motions[0].rotations[:, index["spine"]])
    np.testing.assert_array_equal(taken.rotations[:, index["forearm.R"]], motion.rotations[:, index["forearm.R"]])
    assert (taken.rotations[:, index["spine"]] != motion.rotations[:, index["spine"]]).any()
