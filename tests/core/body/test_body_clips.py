"""The body parts found in every captured clip and in the glTF characters."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from known_bodies import BIPEDS, CMU, KAYKIT, MESH2MOTION, ROBOT, Expected, read_glb

from core.body import Body, LimbKind, Side, find_body, from_dict, mirror_name, to_dict
from core.errors import FileFormatError, MissingRoleError
from core.files.bvh import read_bvh
from core.motion.skeleton import Skeleton

HORSE_FEET = {"back_leg_foot_l", "back_leg_foot_r", "front_leg_foot_l", "front_leg_foot_r"}
# Broken so far that no motion comes out of them.
UNREADABLE = ("06", "10", "14", "17", "20")


def names(body: Body, joints: tuple[int, ...]) -> list[str]:
    return [body.skeleton.names[joint] for joint in joints]


def assert_biped(body: Body, expected: Expected) -> None:
    left = {limb.kind: limb for limb in body.limbs if limb.side is Side.LEFT}
    assert {limb.kind for limb in body.limbs} == {LimbKind.ARM, LimbKind.LEG}
    assert names(body, (body.root, body.head)) == [expected.root, expected.head]
    assert names(body, body.torso) == expected.torso.split()
    assert set(names(body, body.hands)) == {expected.hand, mirror_name(expected.hand)} - {""}
    assert set(names(body, body.feet)) == {expected.foot, mirror_name(expected.foot)}
    assert names(body, left[LimbKind.ARM].chain) == expected.arm.split()
    assert names(body, left[LimbKind.LEG].chain) == expected.leg.split()
    assert len(body.fingers) == 2 * expected.fingers
    assert len(body.toes) == 2 * expected.toes
    assert body.up.value == expected.up
    assert len(body.pairs) == expected.pairs


def assert_lawful(body: Body) -> None:
    """What holds for every body that was found."""
    joints = np.arange(len(body.skeleton))
    assert (body.mirror[body.mirror] == joints).all()
    for limb in body.limbs:
        assert all(upper in body.skeleton.ancestors(lower) for upper, lower in pairwise(limb.chain))
        others = body.limbs_of(limb.kind, side=limb.side.opposite)
        assert tuple(body.mirror[list(limb.chain)]) in [other.chain for other in others]
    same, dropped = from_dict(body.skeleton, json.loads(json.dumps(to_dict(body))))
    assert dropped == ()
    assert to_dict(same) == to_dict(body)


def test_every_clip_is_judged(clips_folder: Path) -> None:
    found = {path.stem for path in clips_folder.glob("dev/*.bvh")} | {
        path.stem for path in clips_folder.glob("odd/*.bvh")
    }
    judged = {name for name in found if name.startswith(("cmu_", "quad_", "pybvh_"))} | set(BIPEDS)
    assert found == judged


def test_all_cmu_clips(clips_folder: Path) -> None:
    clips = [*clips_folder.glob("dev/cmu_*.bvh"), *clips_folder.glob("odd/cmu_*.bvh")]
    assert len(clips) >= 20
    for clip in clips:
        motion = read_bvh(clip).to_motion()
        body = find_body(motion.skeleton, motion=motion)
        assert_biped(body, CMU)
        assert_lawful(body)
        assert body.height == pytest.approx(CMU.height, rel=0.12), clip.name
        assert body.forward.value == "+Z"


@pytest.mark.parametrize("name", BIPEDS)
def test_two_legged_clips(clips_folder: Path, name: str) -> None:
    (clip,) = clips_folder.glob(f"*/{name}.bvh")
    motion = read_bvh(clip).to_motion()
    body = find_body(motion.skeleton, motion=motion)
    assert_biped(body, BIPEDS[name])
    assert_lawful(body)
    assert body.height == pytest.approx(BIPEDS[name].height, rel=0.02)
    assert body.forward.value == {"+Y": "+Z", "+Z": "-Y"}[body.up.value]


def assert_horse(body: Body) -> None:
    assert names(body, (body.root, body.head)) == ["hips", "head"]
    assert names(body, body.torso) == ["hips", "spine_1", "spine_2", "spine_3", "spine_4"]
    assert names(body, body.neck) == ["spine_5", "spine_6"]
    assert set(names(body, body.feet)) == HORSE_FEET
    assert body.hands == ()
    assert names(body, body.get("left hind leg").chain)[0] == "back_leg_upper_l"
    assert names(body, body.get("right fore leg").chain)[0] == "front_humerus_r"
    assert names(body, body.get("tail").chain) == ["tail_1", "tail_2", "tail_3", "tail_4"]
    assert len(body.pairs) == 17


@pytest.mark.parametrize("name", ["quad_horse_walk", "quad_horse_rear"])
def test_horses(clips_folder: Path, name: str) -> None:
    motion = read_bvh(clips_folder / "dev" / f"{name}.bvh").to_motion()
    body = find_body(motion.skeleton, motion=motion)
    assert_horse(body)
    assert_lawful(body)
    assert (body.up.value, body.forward.value) == ("+Z", "-Y")
    assert body.height == pytest.approx(1.76, rel=0.02)


def test_tiny_skeletons_have_what_they_have(clips_folder: Path) -> None:
    motion = read_bvh(clips_folder / "odd" / "pybvh_full_precision_frame_time.bvh").to_motion()
    body = find_body(motion.skeleton, motion=motion)
    assert names(body, (body.root, body.head)) == ["Hips", "Head"]
    assert (body.up.value, body.forward, body.limbs, body.pairs) == ("+Y", None, (), ())
    with pytest.raises(MissingRoleError, match="No feet are set: choose them in the Character panel"):
        body.require("feet")

    motion = read_bvh(clips_folder / "odd" / "pybvh_rotation_first_root.bvh").to_motion()
    body = find_body(motion.skeleton, motion=motion)
    assert names(body, body.torso) == ["Hips", "Spine"]
    assert names(body, body.get("left leg").chain) == ["LeftLeg"]
    assert (body.up.value, body.feet, body.pairs) == ("+Y", (), ())


def test_broken_files_keep_their_body(clips_folder: Path) -> None:
    seen = 0
    for clip in sorted(clips_folder.glob("odd/synthetic/*.bvh")):
        try:
            motion = read_bvh(clip).to_motion()
        except FileFormatError:
            assert clip.name.startswith(UNREADABLE)
            continue
        body = find_body(motion.skeleton, motion=motion)
        head, foot, other_foot = (body.skeleton.names[joint] for joint in (body.head, *body.feet))
        assert head.startswith("Head") or clip.name.startswith("19")
        assert foot.replace(" ", "") == "LeftFoot"
        assert other_foot == ("LeftFoot.001" if clip.name.startswith("11") else "RightFoot")
        assert len(body.pairs) == 12
        assert body.up.value == "+Y"
        seen += 1
    assert seen >= 15


def without_names(skeleton: Skeleton) -> Skeleton:
    return replace(skeleton, names=tuple(f"Bone.{joint:03d}" for joint in range(len(skeleton))))


@pytest.mark.parametrize(
    "name", sorted({"cmu_07_01_walk", "cmu_94_05_dance_long", *BIPEDS} - {"rokoko_jesse_dance_fingers"})
)
def test_names_are_not_needed_where_the_rest_pose_is_symmetric(clips_folder: Path, name: str) -> None:
    (clip,) = clips_folder.glob(f"*/{name}.bvh")
    skeleton = read_bvh(clip).to_motion().skeleton
    named, unnamed = find_body(skeleton), find_body(without_names(skeleton))
    assert set(unnamed.hands) == set(named.hands)
    assert set(unnamed.feet) == set(named.feet)
    assert {limb.end: limb.side for limb in unnamed.limbs} == {limb.end: limb.side for limb in named.limbs}
    assert (unnamed.root, unnamed.head, unnamed.up) == (named.root, named.head, named.up)
    # Zero-length leaves (tongues, breasts) lie on the mirror plane: only their names have sides.
    assert len(set(unnamed.pairs) & set(named.pairs)) >= 0.85 * len(named.pairs)


def test_a_horse_without_names_still_stands_on_four_legs(clips_folder: Path) -> None:
    skeleton = read_bvh(clips_folder / "dev" / "quad_horse_walk.bvh").to_motion().skeleton
    named, unnamed = find_body(skeleton), find_body(without_names(skeleton))
    assert {(limb.kind, limb.side) for limb in unnamed.legs} == {(limb.kind, limb.side) for limb in named.legs}
    assert (unnamed.head, unnamed.root, set(unnamed.pairs)) == (named.head, named.root, set(named.pairs))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kaykit_Med_MovementBasic", KAYKIT),
        ("threejs_RobotExpressive", ROBOT),
        ("mesh2motion_human-base-animations", replace(MESH2MOTION, up="+Y")),
    ],
)
def test_gltf_characters(clips_folder: Path, name: str, expected: Expected) -> None:
    body = find_body(read_glb(clips_folder / "gltf" / f"{name}.glb"))
    assert_biped(body, expected)
    assert_lawful(body)
    assert body.forward.value == "+Z"
    # Joints of a glTF have no ends, so the top of the head is missing.
    assert body.height == pytest.approx(expected.height, rel=0.2)


def test_gltf_horse(clips_folder: Path) -> None:
    body = find_body(read_glb(clips_folder / "gltf" / "mesh2motion_horse-animations.glb"))
    assert_horse(body)
    assert body.up.value == "+Y"


@pytest.mark.parametrize(
    ("name", "feet", "toes", "height"),
    [
        ("spider-animations", [f"leg_{leg}_tip_{side}" for side in "lr" for leg in "abcd"], [], 0.67),
        ("bird-animations", ["Foot_L", "Foot_R"], ["Toes_L", "Toes_R"], 0.55),
        ("kaiju-animations", ["Back_Leg_Foot_L", "Back_Leg_Foot_R"], ["Back_Leg_Foot_1_L", "Back_Leg_Foot_1_R"], 1.92),
        (
            "fox-dog",
            ["Front_Leg_Foot_L", "Back_Leg_Foot_L", "Front_Leg_Foot_R", "Back_Leg_Foot_R"],
            ["Back_Leg_Foot_1_L", "Back_Leg_Foot_1_R"],
            1.34,
        ),
        ("snake-animations", [], [], None),
    ],
)
def test_animals(clips_folder: Path, name: str, feet: list[str], toes: list[str], height: float | None) -> None:
    body = find_body(read_glb(clips_folder / "characters" / f"{name}.glb"))
    assert names(body, body.feet) == feet
    assert names(body, tuple(digit[0] for digit in body.toes)) == toes
    assert len({limb.role for limb in body.limbs}) == len(body.limbs)
    assert body.up.value == "+Y"
    if height is not None:
        assert_lawful(body)
        assert body.forward.value == "+Z"
        assert body.height == pytest.approx(height, rel=0.02)


def test_the_robots_feet_are_controls_of_their_own(clips_folder: Path) -> None:
    body = find_body(read_glb(clips_folder / "gltf" / "threejs_RobotExpressive.glb"))
    assert not body.get("left leg").end_is_in_chain
    assert body.get("left arm").end_is_in_chain


def test_height_is_near_to_what_standing_people_measure(clips_folder: Path) -> None:
    motion = read_bvh(clips_folder / "dev" / "cmu_07_01_walk.bvh").to_motion()
    body = find_body(motion.skeleton, motion=motion)
    heads, toes = motion.poses.tips[1:, body.head, 1], motion.poses.tips[1:, [toe[-1] for toe in body.toes], 1]
    assert body.height == pytest.approx(np.median(heads - toes.min(axis=1)), rel=0.06)
