"""The character set-up found: conventions of naming, axes, placement, controls."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_person import CONVENTIONS, PAIRED, person

from core.body import Axis, LimbKind, Side, control_joints, find_body
from core.motion.motion import Motion
from core.motion.skeleton import Skeleton


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_conventions_of_naming(convention: str) -> None:
    skeleton, number = person(convention)
    body = find_body(skeleton)
    assert body.root == number["pelvis"]
    assert body.torso == tuple(number[key] for key in ("pelvis", "spine", "chest"))
    assert body.neck == (number["neck"],)
    assert body.head == number["head"]
    for side in ("left", "right"):
        arm, leg = body.get(f"{side} arm"), body.get(f"{side} leg")
        assert arm.chain == tuple(number[f"{side} {key}"] for key in ("upper arm", "forearm", "hand"))
        assert leg.chain == tuple(number[f"{side} {key}"] for key in ("thigh", "shin", "foot"))
        assert arm.girdle == (number[f"{side} collar"],)
        assert (arm.end, leg.end) == (number[f"{side} hand"], number[f"{side} foot"])
        assert leg.digits == ((number[f"{side} toe"],),)
    assert set(body.pairs) == {(number[f"left {key}"], number[f"right {key}"]) for key in PAIRED}
    assert (body.up, body.forward, body.height) == (Axis.PLUS_Y, Axis.PLUS_Z, 17.0)


def test_what_lies_between_a_shin_and_its_toe_is_the_foot_whatever_it_is_called() -> None:
    skeleton, number = person()
    names = list(skeleton.names)
    names[number["left foot"]] = "shoe"
    body, known = find_body(replace(skeleton, names=tuple(names))), find_body(skeleton)
    assert body.get("left leg") == known.get("left leg")


@pytest.mark.parametrize(("up", "forward"), [("+Z", "-Y"), ("-Y", "+X"), ("+X", "+Z")])
@pytest.mark.parametrize("convention", ["mixamo", "plain"])
def test_axes_turn_with_the_rest_pose(convention: str, up: str, forward: str) -> None:
    skeleton, _ = person(convention)
    upward, ahead = Axis(up).vector, Axis(forward).vector
    turn = np.column_stack([np.cross(upward, ahead), upward, ahead])
    body = find_body(replace(skeleton, rest_positions=skeleton.rest_positions @ turn.T))
    assert (body.up, body.forward) == (Axis(up), Axis(forward))
    assert [limb.side for limb in body.limbs if limb.end == body.hands[0]] == [Side.LEFT]
    assert body.height == pytest.approx(17.0)


def test_side_of_and_mirror_agree_with_the_pairs() -> None:
    skeleton, number = person()
    body = find_body(skeleton)
    assert body.side_of(number["right toe"]) is Side.RIGHT
    assert body.side_of(number["head"]) is Side.CENTRE
    assert body.mirror[number["left hand"]] == number["right hand"]
    assert body.mirror[number["head"]] == number["head"]


def still_motion(skeleton: Skeleton, frames: int = 3) -> Motion:
    rotations = np.zeros((frames, len(skeleton), 4))
    rotations[..., 0] = 1.0
    return Motion.build(skeleton, rotations, rate=30.0)


def placed_person(*, scale: float = 1.0) -> tuple[Motion, dict[str, int]]:
    """The person carried by an object that turns y up to z up, as an importer leaves it."""
    skeleton, number = person()
    whole = Skeleton.build(
        ["", *skeleton.names],
        [-1, *(skeleton.parents + 1)],
        [(0, 0, 0), *skeleton.rest_positions],
        has_placement=True,
    )
    motion = still_motion(whole)
    rotations, scales = np.array(motion.rotations), np.array(motion.scales)
    rotations[:, 0], scales[:, 0] = (np.sqrt(0.5), np.sqrt(0.5), 0, 0), scale
    motion = motion.with_rotations(rotations).with_scales(scales)
    return motion, {key: joint + 1 for key, joint in number.items()}


def test_the_placing_object_is_no_body_part_but_turns_and_scales_the_body() -> None:
    motion, number = placed_person(scale=0.1)
    body = find_body(motion.skeleton, motion=motion)
    assert body.root == number["pelvis"]
    assert 0 not in {*body.torso, *body.neck, *(joint for limb in body.limbs for joint in limb.joints)}
    assert (body.up, body.forward) == (Axis.PLUS_Z, Axis.MINUS_Y)
    assert body.height == pytest.approx(1.7)


def test_the_placing_object_is_the_root_if_it_alone_moves() -> None:
    motion, number = placed_person()
    locations = np.zeros(motion.locations.shape)
    locations[:, 0, 0] = np.arange(len(motion))
    sliding = motion.with_locations(locations)
    assert find_body(motion.skeleton, motion=sliding).root == 0
    locations[:, number["left hand"], 0] = np.arange(len(motion))
    assert find_body(motion.skeleton, motion=motion.with_locations(locations)).root == number["pelvis"]


def test_lying_down_does_not_tip_the_up_axis_of_a_placed_character() -> None:
    motion, number = placed_person()
    rotations = np.array(motion.rotations)
    rotations[:, number["pelvis"]] = (np.sqrt(0.5), np.sqrt(0.5), 0, 0)
    assert find_body(motion.skeleton, motion=motion.with_rotations(rotations)).up is Axis.PLUS_Z


def test_given_positions_take_the_place_of_the_motion() -> None:
    skeleton, _ = person()
    body = find_body(skeleton, positions=2.0 * skeleton.rest_positions[None])
    assert body.height == pytest.approx(34.0)


def rigged_person() -> tuple[Skeleton, dict[str, int]]:
    """FK arm, IK hand and the deforming bones of a rig, with relays between the controls."""
    joints = {
        "root": (None, (0, 0, 0)),
        "torso": ("root", (0, 10, 0)),
        "ORG-spine": ("torso", (0, 10, 0)),
        "DEF-upper_arm.L": ("ORG-spine", (2, 15, 0)),
        "DEF-hand.L": ("DEF-upper_arm.L", (8, 15, 0)),
        "upper_arm_fk.L": ("ORG-spine", (2, 15, 0)),
        "MCH-forearm.L": ("upper_arm_fk.L", (5, 15, 0)),
        "forearm_fk.L": ("MCH-forearm.L", (5, 15, 0)),
        "hand_fk.L": ("forearm_fk.L", (8, 15, 0)),
        "upper_arm_tweak.L": ("upper_arm_fk.L", (3, 15, 0)),
        "hand_ik.L": ("root", (8, 15, 0)),
        "head": ("torso", (0, 17, 0)),
    }
    number = {name: joint for joint, name in enumerate(joints)}
    parents = [-1 if parent is None else number[parent] for parent, _ in joints.values()]
    return Skeleton.build(joints, parents, [place for _, place in joints.values()]), number


def test_controls_are_preferred_to_what_they_drive() -> None:
    skeleton, number = rigged_person()
    assert not any(skeleton.names[joint].startswith(("DEF", "ORG", "MCH")) for joint in control_joints(skeleton))
    arm = find_body(skeleton).get("left arm")
    assert arm.chain == tuple(number[name] for name in ("upper_arm_fk.L", "forearm_fk.L", "hand_fk.L"))
    assert arm.end == number["hand_ik.L"]
    assert not arm.end_is_in_chain


@pytest.mark.parametrize(
    ("moving", "end"), [("forearm_fk.L", "hand_fk.L"), ("hand_ik.L", "hand_ik.L"), ("head", "hand_ik.L")]
)
def test_the_hand_is_the_control_that_is_animated(moving: str, end: str) -> None:
    skeleton, number = rigged_person()
    motion = still_motion(skeleton)
    locations = np.zeros(motion.locations.shape)
    locations[:, number[moving], 1] = np.arange(len(motion))
    arm = find_body(skeleton, motion=motion.with_locations(locations)).get("left arm")
    assert skeleton.names[arm.end] == end


def test_arms_that_reach_the_ground_are_fore_legs() -> None:
    skeleton, number = person()
    places = np.array(skeleton.rest_positions)
    lying = {"pelvis": -6, "spine": -2, "chest": 2, "neck": 5, "head": 7}
    for key, joint in number.items():
        part = key.split(" ", 1)[-1]
        if key in lying:
            places[joint] = 0, 6, lying[key]
        elif part in ("upper arm", "forearm", "hand", "thigh", "shin", "foot"):
            front = part in ("upper arm", "forearm", "hand")
            level = {"upper arm": 5, "forearm": 3, "hand": 0, "thigh": 5, "shin": 3, "foot": 0}[part]
            places[joint] = np.sign(places[joint, 0]), level, 2 if front else -6
        elif part == "toe":
            places[joint] = np.sign(places[joint, 0]), 0, -5.5
    body = find_body(replace(skeleton, rest_positions=places))
    assert {limb.kind for limb in body.limbs} == {LimbKind.FORE_LEG, LimbKind.HIND_LEG}
    assert (len(body.feet), body.hands, body.up) == (4, (), Axis.PLUS_Y)


def test_a_skeleton_that_says_nothing_gives_an_empty_body() -> None:
    skeleton = Skeleton.build(["a", "b", "c"], [-1, 0, 1], [(0, 0, 0), (1, 0, 0), (2, 1, 0)])
    body = find_body(skeleton)
    assert (body.root, body.torso, body.head, body.limbs, body.up, body.height) == (0, (), None, (), None, None)
    two_trees = Skeleton.build(["a", "b"], [-1, -1], np.zeros((2, 3)))
    assert find_body(two_trees).root is None
    assert find_body(Skeleton.build([], [], [])).root is None
    assert find_body(Skeleton.build([""], [-1], [(0, 0, 0)], has_placement=True)).root == 0
