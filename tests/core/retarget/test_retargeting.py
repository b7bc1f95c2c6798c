"""Motions on other characters: laws on the sample motion, refusals."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from contact_edits import ARM_JOINTS, BODY, CONTACTS, HEIGHT, INDEX, UP, WALK
from resized_skeletons import LEG_BONES, resized, with_joint_split, with_rest_pose, without_joint

from core.analysis.contacts import ContactSpans
from core.body import Body, find_body
from core.errors import MissingRoleError, SkeletonMismatchError
from core.motion.motion import Motion
from core.motion.rest_axes import turned, with_rest_rotations
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.retarget import HeldDistance, Retargeted, RetargetOptions, name_mapping, retarget
from core.solve.contact_lock import foot_slide

SKELETON = WALK.skeleton
NOTHING = ContactSpans()


def _on(skeleton: Skeleton, *, body: Body | None = None, contacts: ContactSpans = NOTHING, **more) -> Retargeted:
    body = body or find_body(skeleton)
    mapping = name_mapping(SKELETON, skeleton, BODY, body)
    return retarget(WALK, skeleton, mapping, source_body=BODY, target_body=body, contacts=contacts, **more)


def _by_name(motion: Motion, names: tuple[str, ...] = SKELETON.names) -> np.ndarray:
    return motion.poses.positions[:, [motion.skeleton.index[name] for name in names]]


def _largest_slide(motion: Motion, contacts: ContactSpans) -> float:
    return max(slide for slides in foot_slide(motion, contacts).values() for slide in slides)


def test_the_own_skeleton_gets_the_motion_bit_for_bit():
    result = _on(SKELETON, contacts=CONTACTS).motion
    for name in ("times", "rotations", "locations", "scales"):
        np.testing.assert_array_equal(getattr(result, name), getattr(WALK, name))


def test_the_own_skeleton_is_reported_to_slide_as_before():
    contacts = ContactSpans({"foot.L": ((0.0, float(WALK.times[-1])),)})
    report = _on(SKELETON, contacts=contacts).report
    assert report.slide == report.slide_carried == _largest_slide(WALK, contacts) > 0.5 * HEIGHT
    assert report.leg_length == pytest.approx(_on(resized(SKELETON, 0.6)).report.leg_length / 0.6)


def test_the_own_skeleton_in_other_order_and_axes_moves_the_same():
    order = np.roll(np.arange(len(SKELETON)), 7)
    place = np.argsort(order)
    turns = quaternion.normalize(np.random.default_rng(3).normal(size=(len(SKELETON), 4)))
    other = with_rest_rotations(WALK, turns).skeleton
    moved = Skeleton.build(
        [other.names[joint] for joint in order],
        [-1 if other.parents[joint] < 0 else place[other.parents[joint]] for joint in order],
        other.rest_positions[order],
        rest_rotations=other.rest_rotations[order],
        tips=other.tips[order],
    )
    result = _on(replace(moved, connected=SKELETON.connected[order]), contacts=CONTACTS).motion
    np.testing.assert_allclose(_by_name(result), _by_name(WALK), atol=1e-9)


def test_a_smaller_character_moves_as_through_the_wrong_end_of_a_telescope():
    result = _on(resized(SKELETON, 0.6))
    np.testing.assert_allclose(result.motion.poses.positions, 0.6 * WALK.poses.positions, atol=1e-9)
    np.testing.assert_array_equal(result.motion.rotations, WALK.rotations)
    assert result.report.scale == pytest.approx(0.6)


@pytest.mark.parametrize("only", [(), LEG_BONES], ids=["60 % size", "very short legs"])
def test_feet_do_not_skate_on_other_legs(only):
    small = resized(SKELETON, 0.45 if only else 0.6, only=only)
    result = _on(small, contacts=CONTACTS)
    assert _largest_slide(result.motion, CONTACTS) < 1e-3 * result.report.leg_length
    assert result.report.slide == pytest.approx(_largest_slide(result.motion, CONTACTS), abs=1e-12)
    assert result.report.missed == ()
    assert result.report.below_floor < 1e-4 * HEIGHT
    # Arms have nothing to do with it, unless hands come down to the floor.
    same = (result.motion.rotations[:, ARM_JOINTS] == WALK.rotations[:, ARM_JOINTS]).all(axis=(1, 2))
    assert same.all() if not only else same.mean() > 0.8


def test_without_holding_short_legs_skate():
    short = resized(SKELETON, 0.45, only=LEG_BONES)
    assert _on(short, contacts=CONTACTS).report.slide_carried > 0.01 * HEIGHT


def test_the_path_can_keep_its_length():
    small = resized(SKELETON, 0.6)
    kept = _on(small, options=RetargetOptions(scale_root=False)).motion.poses.positions[:, BODY.root]
    scaled = _on(small).motion.poses.positions[:, BODY.root]
    level = np.eye(3) - np.outer(UP, UP)
    np.testing.assert_allclose(kept @ level, WALK.poses.positions[:, BODY.root] @ level, atol=1e-9)
    np.testing.assert_allclose(kept @ UP, scaled @ UP, atol=1e-9)


def test_arms_that_hang_at_rest_move_as_those_that_are_stretched_out():
    forward = BODY.forward.vector
    turns = {}
    for side, angle in (("L", 0.8), ("R", -0.8)):
        axes = SKELETON.rest_rotations[INDEX[f"upper_arm.{side}"]]
        turns[f"upper_arm.{side}"] = quaternion.exp(angle * quaternion.rotate(quaternion.conjugate(axes), forward))
    hanging = with_rest_pose(SKELETON, turns)
    assert np.abs(hanging.rest_positions - SKELETON.rest_positions).max() > 0.2 * HEIGHT
    result = _on(hanging).motion
    np.testing.assert_allclose(_by_name(result), _by_name(WALK), atol=1e-9)


@pytest.mark.parametrize("angle", [-0.5 * np.pi, 0.5 * np.pi])
def test_a_scene_with_another_axis_up_gets_the_motion_turned(angle):
    turn = quaternion.from_axis_angle([1.0, 0.0, 0.0], angle)
    lying = turned(WALK, turn)
    result = _on(lying.skeleton).motion
    np.testing.assert_allclose(result.poses.positions, lying.poses.positions, atol=1e-9)


def test_a_character_that_faces_elsewhere_at_rest_walks_the_same_way():
    about = turned(WALK, quaternion.from_axis_angle(UP, 0.5 * np.pi)).skeleton
    np.testing.assert_allclose(_by_name(_on(about).motion), _by_name(WALK), atol=1e-9)


def test_a_spine_with_more_joints_shares_the_turn():
    torso = [SKELETON.names[joint] for joint in BODY.torso]
    longer = with_joint_split(SKELETON, torso[-1], 3)
    result = _on(longer)
    extra = [f"{torso[-1]} part {number}" for number in range(2)]
    assert result.report.unmatched_target == tuple(extra)
    index, turns = longer.index, result.motion.poses.rotations
    chest, wanted = turns[:, index[torso[-1]]], WALK.poses.rotations[:, BODY.torso[-1]]
    assert quaternion.angle_between(chest, wanted).max() < 1e-7
    away = [
        quaternion.multiply(turns[:, index[name]], quaternion.conjugate(longer.rest_rotations[index[name]]))
        for name in (torso[-2], *extra, torso[-1])
    ]
    steps = [quaternion.angle_between(one, other) for one, other in itertools.pairwise(away)]
    assert steps[0].max() > 0.01
    np.testing.assert_allclose(steps[1:], [steps[0], steps[0]], atol=1e-7)


def test_turns_of_joints_that_the_target_lacks_are_in_the_joints_below():
    torso = SKELETON.names[BODY.torso[-2]]
    fewer = without_joint(SKELETON, torso)
    result = _on(fewer)
    assert result.report.unmatched_source == (torso,)
    for name in ("hand.L", "head", "foot.R"):
        turns = result.motion.poses.rotations[:, fewer.index[name]]
        assert quaternion.angle_between(turns, WALK.poses.rotations[:, INDEX[name]]).max() < 1e-7


def test_hands_keep_their_distance_while_they_carry():
    held = [HeldDistance("hand.L", "hand.R", 1.0, 2.0)]
    small = resized(SKELETON, 0.8)
    result = _on(small, held=held)
    hands = [INDEX["hand.L"], INDEX["hand.R"]]
    apart, wanted = (
        np.linalg.norm(np.subtract(*np.moveaxis(motion.poses.positions[:, hands], 1, 0)), axis=1)
        for motion in (result.motion, WALK)
    )
    inside = held[0].active(WALK.times)
    np.testing.assert_allclose(apart[inside], wanted[inside], atol=1e-4 * HEIGHT)
    assert result.report.missed_distances == ()
    far = WALK.times > 2.5
    np.testing.assert_allclose(apart[far], 0.8 * wanted[far], atol=1e-9)


def test_what_cannot_be_carried_is_reported():
    result = _on(resized(SKELETON, 0.6), held=[HeldDistance("hand.L", "hand.R", 1.0, 2.0, scale=9.0)])
    (miss,) = result.report.missed_distances
    assert (miss.first, miss.second) == ("hand.L", "hand.R")
    assert result.report.remaining_error == miss.amount > 0.1 * HEIGHT


def test_a_character_that_shrinks_while_it_walks_stands_on_the_floor():
    sizes = np.interp(WALK.times, [1.0, 3.0], [1.0, 0.5])
    result = _on(SKELETON, contacts=CONTACTS, options=RetargetOptions(size=sizes))
    places, before = result.motion.poses.positions, WALK.poses.positions
    bones = [
        (np.linalg.norm(each[:, INDEX["shin.L"]] - each[:, INDEX["thigh.L"]], axis=1)) for each in (places, before)
    ]
    np.testing.assert_allclose(bones[0], sizes * bones[1], atol=1e-9)
    ankles = {name: CONTACTS.of(name) for name in ("foot.L", "foot.R")}
    assert _largest_slide(result.motion, ContactSpans(ankles)) < 0.01 * result.report.leg_length
    assert result.report.below_floor < 1e-3 * HEIGHT
    steps = np.linalg.norm(np.diff(places[:, BODY.root], axis=0), axis=1)
    assert steps.max() < 1.1 * np.linalg.norm(np.diff(before[:, BODY.root], axis=0), axis=1).max()


def test_a_hand_that_holds_on_stays_at_one_scaled_place():
    hold = ContactSpans({"hand.R": ((0.5, 0.6),)})
    result = _on(resized(SKELETON, 0.7), contacts=hold).motion
    inside = (WALK.times >= 0.5 - 1e-9) & (WALK.times <= 0.6 + 1e-9)
    wanted = 0.7 * WALK.poses.positions[inside, INDEX["hand.R"]].mean(axis=0)
    np.testing.assert_allclose(
        result.poses.positions[inside, INDEX["hand.R"]], np.tile(wanted, (inside.sum(), 1)), atol=1e-9
    )


def test_the_input_is_left_alone():
    before = [np.array(values) for values in (WALK.rotations, WALK.locations, SKELETON.rest_positions)]
    _on(resized(SKELETON, 0.45, only=LEG_BONES), contacts=CONTACTS)
    for values, kept in zip((WALK.rotations, WALK.locations, SKELETON.rest_positions), before, strict=True):
        np.testing.assert_array_equal(values, kept)


def _without_tips(skeleton: Skeleton) -> Skeleton:
    return replace(skeleton, tips=np.zeros_like(skeleton.tips))


TOELESS = without_joint(without_joint(SKELETON, "toe.L"), "toe.R")


def test_contacts_that_nothing_can_hold_are_listed():
    report = _on(_without_tips(TOELESS), contacts=CONTACTS).report
    assert set(report.lost_contacts) == {name for name in ("toe.L", "toe.R") if CONTACTS.of(name)}
    assert report.slide < 1e-3 * report.leg_length


@pytest.mark.parametrize("target_has_toes", [False, True], ids=["no toes", "toes that are not mapped"])
def test_feet_without_toes_stand_on_their_tips(target_has_toes):
    short = resized(SKELETON if target_has_toes else TOELESS, 0.5, only=LEG_BONES)
    body = find_body(short)
    mapping = name_mapping(SKELETON, short, BODY, body)
    mapping = mapping.without("toe.L").without("toe.R")
    result = retarget(WALK, short, mapping, source_body=BODY, target_body=body, contacts=CONTACTS)
    assert result.motion.skeleton is short
    assert result.report.lost_contacts == ()
    assert set(mapping.unmatched_target) == set(result.report.unmatched_target)
    for side in "LR":
        foot, toes = short.index[f"foot.{side}"], f"toe.{side}"
        tips = (
            result.motion.poses.positions[:, short.index[toes]]
            if target_has_toes
            else result.motion.poses.tips[:, foot]
        )
        for start, end in CONTACTS.of(toes):
            inside = (WALK.times >= start - 1e-9) & (WALK.times <= end + 1e-9)
            assert np.ptp(tips[inside], axis=0).max() < 1e-6 * HEIGHT


def test_roots_without_partner_are_refused():
    small = resized(SKELETON, 0.6)
    body = find_body(small)
    mapping = name_mapping(SKELETON, small, BODY, body).without(small.names[body.root])
    with pytest.raises(SkeletonMismatchError, match="are no partners; pair them in the mapping"):
        retarget(WALK, small, mapping, source_body=BODY, target_body=body)


def test_an_unknown_up_axis_is_refused():
    small = resized(SKELETON, 0.6)
    with pytest.raises(MissingRoleError, match="up axis"):
        _on(small, body=replace(find_body(small), up=None))


def test_sizes_that_are_not_sizes_are_refused():
    with pytest.raises(ValueError, match="size must be above zero"):
        _on(resized(SKELETON, 0.6), options=RetargetOptions(size=0.0))
