"""Capsules around bones and the frames in which two characters touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import slow_collisions

from core.analysis.collisions import Capsules, collisions, fit_capsules, key_pose_weights
from core.analysis.collisions import detection as detection_module
from core.analysis.collisions.capsules import NoBonesError
from core.analysis.collisions.segment_distance import closest_points
from core.analysis.pose_rank import rank_key_poses
from core.body import Axis, Body, Limb, LimbKind, Side, find_body
from core.errors import NotFiniteError
from core.files.bvh import read_bvh
from core.motion.skeleton import Skeleton

METRES = 0.056444
ASIDE = np.array([0.0, 1.0, 0.0])


def chain(bones: int = 3, *, length: float = 1.0) -> Skeleton:
    """Joints in a row along x, each with a tip one length on."""
    places = np.arange(bones)[:, None] * [length, 0.0, 0.0]
    tips = np.tile([length, 0.0, 0.0], (bones, 1))
    return Skeleton.build([f"bone {n}" for n in range(bones)], np.arange(-1, bones - 1), places, tips=tips)


def tree(joints: int, seed: int) -> Skeleton:
    random = np.random.default_rng(seed)
    parents = [-1, *(int(random.integers(0, joint)) for joint in range(1, joints))]
    places = random.normal(size=(joints, 3))
    return Skeleton.build(
        [str(joint) for joint in range(joints)], parents, places, tips=random.normal(size=(joints, 3))
    )


def wandering(skeleton: Skeleton, frames: int, seed: int, *, spread: float = 2.0) -> Any:
    """(F, 2 J, 3) joints and tips anywhere."""
    return spread * np.random.default_rng(seed).normal(size=(frames, 2 * len(skeleton), 3))


def passing(frames: int = 41) -> tuple[Any, Capsules]:
    """A ball of radius 0.15 that passes the origin along x at one unit in ten frames, and its capsule."""
    skeleton = Skeleton.build(["ball"], [-1], np.zeros((1, 3)))
    capsules = Capsules(skeleton, *(np.array([n]) for n in (0, 0, -1)), np.zeros(1), np.array([0.15]))
    return ((np.arange(frames) - frames // 2) / 10.0)[:, None, None] * [1.0, 0.0, 0.0], capsules


def standing(frames: int = 41) -> tuple[Any, Capsules]:
    positions, capsules = passing(frames)
    return np.zeros_like(positions), capsules


def distances(p: Any, p_end: Any, q: Any, q_end: Any) -> Any:
    one, other = closest_points(p, p_end, q, q_end)
    return np.linalg.norm(one - other, axis=1)


def read(folder: Path, name: str) -> tuple[Any, Body]:
    """(F, 2 J, 3) joints and tips of a clip without its reference pose, and its body."""
    motion = read_bvh(folder / "dev" / f"{name}.bvh").to_motion()
    points = np.concatenate([motion.poses.positions, motion.poses.tips], axis=1)
    return points[1:], find_body(motion.skeleton, motion=motion)


def hand_bones(capsules: Capsules, body: Body) -> list[int]:
    """Capsules of the right hand and its fingers."""
    arm = body.require("right arm")
    joints = {arm.end, *(joint for digit in arm.digits for joint in digit)}
    return [bone for bone, joint in enumerate(capsules.joints) if joint in joints]


@pytest.mark.parametrize("kind", ["any", "parallel", "nearly parallel", "in one line", "points", "crossing"])
def test_segment_distance_agrees_with_the_plain_one(kind: str) -> None:
    random = np.random.default_rng(3)
    p, p_end, q, q_end = random.normal(size=(4, 300, 3))
    along = p_end - p
    if kind == "parallel":
        q_end = q + along * random.normal(size=(300, 1))
    elif kind == "nearly parallel":
        q_end = q + along + 10.0 ** random.uniform(-12, -3, (300, 1)) * random.normal(size=(300, 3))
    elif kind == "in one line":
        q, q_end = p + along * random.normal(size=(300, 1)), p + along * random.normal(size=(300, 1))
    elif kind == "points":
        p_end[::2], q_end[::3] = p[::2], q[::3]
    elif kind == "crossing":
        middle = 0.5 * (p + p_end)
        q_end = 2.0 * middle - q
    wanted = [slow_collisions.segment_distance(*four) for four in zip(p, p_end, q, q_end, strict=True)]
    np.testing.assert_allclose(distances(p, p_end, q, q_end), wanted, atol=3e-6)


def test_closest_points_lie_on_their_segments_and_do_not_depend_on_the_order() -> None:
    p, p_end, q, q_end = np.random.default_rng(4).normal(size=(4, 200, 3))
    one, other = closest_points(p, p_end, q, q_end)
    for point, start, end in ((one, p, p_end), (other, q, q_end)):
        detour = np.linalg.norm(point - start, axis=1) + np.linalg.norm(end - point, axis=1)
        np.testing.assert_allclose(detour, np.linalg.norm(end - start, axis=1), atol=1e-12)
    np.testing.assert_allclose(distances(q_end, q, p, p_end), distances(p, p_end, q, q_end), atol=1e-9)


@pytest.mark.parametrize("margin", [0.0, 0.4, -0.05])
@pytest.mark.parametrize("shift", [0.0, 1e4])
def test_agrees_with_the_plain_loop(margin: float, shift: float, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = tree(6, 1), tree(5, 2)
    first, second = fit_capsules(one), fit_capsules(other)
    points, other_points = wandering(one, 30, 5) + shift, wandering(other, 30, 6) + shift
    # Blocks of four frames, so that their seams are seen.
    monkeypatch.setattr(detection_module, "_PAIRS_AT_ONCE", 4 * len(first) * len(second))
    found = collisions(points, first, other_points, second, margin=margin)
    wanted = slow_collisions.touches(
        first.segments(points), first.radii, second.segments(other_points), second.radii, margin
    )
    assert len(wanted) > 20
    keys = list(zip(found.frames.tolist(), found.first_bones.tolist(), found.second_bones.tolist(), strict=True))
    assert keys == sorted(wanted)
    np.testing.assert_allclose(found.depths, [wanted[key] for key in keys], atol=1e-7)


def test_swapped_characters_touch_in_the_same_frames() -> None:
    one, other = tree(6, 1), tree(5, 2)
    points, other_points = wandering(one, 20, 5), wandering(other, 20, 6)
    first, second = fit_capsules(one), fit_capsules(other)
    found = collisions(points, first, other_points, second).swapped()
    again = collisions(other_points, second, points, first)
    order = np.lexsort((found.second_bones, found.first_bones, found.frames))
    np.testing.assert_array_equal(found.first_bones[order], again.first_bones)
    np.testing.assert_allclose(found.depths[order], again.depths, atol=1e-9)
    assert found.spans == again.spans


def test_a_passing_ball_touches_while_it_is_near() -> None:
    positions, capsules = passing()
    other, other_capsules = standing()
    before = positions.copy()
    found = collisions(positions, capsules, other, other_capsules)
    assert found.spans == ((17, 23),)
    assert found.collision_frames.sum() == 7
    assert found.deepest_frame(found.spans[0]) == 20
    np.testing.assert_allclose(found.frame_depths[[16, 18, 20]], [0.0, 0.1, 0.3], atol=1e-12)
    np.testing.assert_allclose(found.places[1], [-0.1, 0.0, 0.0], atol=1e-12)
    assert found.joints_at(20) == ((0,), (0,))
    assert found.joints_at(5) == ((), ())
    np.testing.assert_array_equal(positions, before)


def test_characters_far_apart_do_not_touch_and_a_margin_lets_them() -> None:
    positions, capsules = passing()
    other, other_capsules = standing()
    aside = other + ASIDE
    found = collisions(positions, capsules, aside, other_capsules)
    assert len(found) == 0
    assert found.spans == ()
    assert not found.collision_frames.any()
    assert collisions(positions, capsules, aside, other_capsules, margin=0.8).spans == ((16, 24),)


def test_no_frames_give_no_collisions() -> None:
    positions, capsules = passing()
    found = collisions(positions[:0], capsules, positions[:0], capsules)
    assert len(found) == 0
    assert key_pose_weights(found).shape == (0,)


def test_every_hit_gets_the_first_icons_and_its_neighbours_are_preferred() -> None:
    positions, capsules = passing(201)
    other, other_capsules = standing(201)
    found = collisions(positions, capsules, other, other_capsules)
    weights = key_pose_weights(found)
    (first, last), deepest = found.spans[0], found.deepest_frame(found.spans[0])
    np.testing.assert_array_equal(np.flatnonzero(weights == 1.0), [first, deepest])
    np.testing.assert_array_equal(np.flatnonzero(weights), np.arange(first - 3, last + 4))
    assert np.all(np.diff(weights[last:]) <= 0.0)
    random = np.random.default_rng(8).normal(size=(201, 4)).cumsum(axis=0)
    chosen = rank_key_poses(random, weights=weights).frames(4)
    assert {first, deepest} <= set(chosen.tolist())


def test_weights_vanish_once_the_collision_is_avoided() -> None:
    positions, capsules = passing()
    other, other_capsules = standing()
    assert key_pose_weights(collisions(positions, capsules, other, other_capsules)).any()
    assert not key_pose_weights(collisions(positions, capsules, other + ASIDE, other_capsules)).any()


def test_a_chain_has_a_capsule_for_each_bone() -> None:
    capsules = fit_capsules(chain(3))
    assert capsules.names == ("bone 0", "bone 1", "bone 2")
    np.testing.assert_array_equal(capsules.ends, [1, 2, 2])
    np.testing.assert_allclose(capsules.lengths, 1.0)
    # 15 % of the length is more than 5 % of the size, which is two units.
    np.testing.assert_allclose(capsules.radii, 0.1)


def test_capsules_grow_with_the_skeleton() -> None:
    np.testing.assert_allclose(fit_capsules(chain(4, length=7.0)).radii, 7.0 * fit_capsules(chain(4)).radii)


def test_a_tip_that_is_not_given_lies_straight_on() -> None:
    capsules = fit_capsules(chain(3))
    joints = np.array([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]])
    starts, ends = capsules.segments(joints)
    np.testing.assert_allclose(ends[0], [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 2.0, 0.0]])
    tips = np.array([[[9.0, 9.0, 9.0], [9.0, 9.0, 9.0], [0.0, 0.0, 5.0]]])
    np.testing.assert_allclose(capsules.segments(np.concatenate([joints, tips], axis=1))[1][0, 2], [0.0, 0.0, 5.0])
    np.testing.assert_allclose(starts, joints)


def test_joints_left_out_are_bridged() -> None:
    capsules = fit_capsules(chain(5), joints=[0, 2, 4])
    np.testing.assert_array_equal(capsules.joints, [0, 2, 4])
    np.testing.assert_array_equal(capsules.ends, [2, 4, 4])
    np.testing.assert_allclose(capsules.lengths, [2.0, 2.0, 1.0])


def test_bones_without_length_only_carry_the_next_one() -> None:
    skeleton = Skeleton.build(["a", "b", "c"], [-1, 0, 1], [[0, 0, 0], [0, 0, 0], [1, 0, 0]])
    capsules = fit_capsules(skeleton)
    assert capsules.names == ("b", "c")
    starts, ends = capsules.segments(skeleton.rest_positions[None])
    # Without a tip the last joint is a ball.
    np.testing.assert_allclose(starts[0, 1], ends[0, 1])


def test_the_placing_object_gets_no_capsule() -> None:
    skeleton = Skeleton.build(["object", "a", "b"], [-1, 0, 1], [[0, 0, 0], [5, 0, 0], [6, 0, 0]], has_placement=True)
    assert fit_capsules(skeleton).names == ("a", "b")


def test_known_parts_have_their_share_of_the_height() -> None:
    skeleton = chain(4)
    arm = Limb(LimbKind.ARM, Side.LEFT, (1, 2, 3), 3)
    body = Body(skeleton, root=0, torso=(0,), limbs=(arm,), up=Axis("+Z"), height=2.0)
    np.testing.assert_allclose(fit_capsules(skeleton, body=body).radii, [0.15, 0.056, 0.042, 0.044])


def test_refusals_say_why() -> None:
    positions, capsules = passing()
    with pytest.raises(ValueError, match="the same frames, not on 41 and 40"):
        collisions(positions, capsules, positions[1:], capsules)
    with pytest.raises(NotFiniteError, match="NaN or infinite"):
        collisions(np.full_like(positions, np.nan), capsules, positions, capsules)
    with pytest.raises(ValueError, match=r"shape \(F, 1, 3\) or \(F, 2, 3\), not \(41, 3, 3\)"):
        collisions(np.repeat(positions, 3, axis=1), capsules, positions, capsules)
    with pytest.raises(NoBonesError, match="choose them in the Character panel"):
        fit_capsules(Skeleton.build([], [], np.zeros((0, 3))))


@pytest.mark.clips
def test_hands_of_two_people_meet_when_the_annotations_say(clips_folder: Path) -> None:
    first_points, first_body = read(clips_folder, "cmu_18_01_handshake_A")
    second_points, second_body = read(clips_folder, "cmu_19_01_handshake_B")
    first = fit_capsules(first_body.skeleton, body=first_body)
    second = fit_capsules(second_body.skeleton, body=second_body)
    # The recorded fingers stay 23 cm and more apart.
    assert len(collisions(first_points, first, second_points, second)) == 0
    found = collisions(first_points, first, second_points, second, margin=0.25 / METRES)
    assert set(found.first_bones) <= set(hand_bones(first, first_body))
    assert set(found.second_bones) <= set(hand_bones(second, second_body))
    # Annotated rows count the reference pose.
    start, end = found.spans[0][0] + 1, found.spans[-1][1] + 1
    assert abs(start - 67) <= 7
    assert abs(end - 202) <= 7
    assert found.collision_frames[start : end - 1].mean() > 0.9
