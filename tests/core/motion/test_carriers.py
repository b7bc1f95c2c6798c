"""Which joints carry a character, and that moving them moves all of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_motion import Motion, random_rotations, smooth_curves, smooth_rotations

from core.motion.carriers import carriers_of, find_carriers
from core.motion.ground_move import GroundMove
from core.motion.motion import Carriers
from core.motion.rest_axes import with_rest_rotations
from core.motion.skeleton import Skeleton

FRAMES = 30
NAMES = ("", "ground", "pelvis", "chest", "leg", "foot target", "target", "box")
PARENTS = (-1, 0, 1, 2, 2, 1, 5, 0)
PLACES = ((0, 0, 0), (0, 0, 0), (0, 0, 1), (0, 0, 1.5), (0.1, 0, 0.5), (0, 0, 0), (0.1, 0, 0), (2, 0, 0))


def figure(*travelling: str, turning: tuple[str, ...] = (), **flags: list[bool]) -> Motion:
    """A figure with a bone on the ground, whose joints have random axes; what is not named stays."""
    skeleton = Skeleton.build(NAMES, PARENTS, PLACES, has_placement=True, **flags)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, len(NAMES), 1))
    locations = np.zeros((FRAMES, len(NAMES), 3))
    for name in (*turning, *travelling):
        joint = NAMES.index(name)
        rotations[:, joint] = smooth_rotations(FRAMES, 1, 3, reach=0.3)[:, 0]
        if name in travelling:
            locations[:, joint] = smooth_curves(FRAMES, 3, joint)
    motion = Motion.build(skeleton, rotations, rate=30.0, locations=locations)
    return with_rest_rotations(motion, random_rotations(len(NAMES), seed=4))


def carrying(*motions: Motion, root: str = "pelvis") -> set[str]:
    found = find_carriers(motions, NAMES.index(root) if root else None)
    return {NAMES[joint] for joint in found.moved}


def test_what_stands_on_the_ground_stays_while_the_pelvis_travels() -> None:
    assert carrying(figure("pelvis", "leg")) == {"pelvis"}


def test_the_first_joint_that_moves_carries_all_below() -> None:
    assert carrying(figure("ground", "pelvis", "target")) == {"ground"}
    assert carrying(figure("", "ground", "pelvis")) == {""}


def test_what_travels_beside_the_pelvis_is_carried_too() -> None:
    assert carrying(figure("pelvis", "target", "box")) == {"pelvis", "target", "box"}


def test_a_body_that_stays_is_carried_by_its_root() -> None:
    assert carrying(figure(turning=("leg",))) == {"pelvis"}


def test_joints_on_their_parents_tips_cannot_carry() -> None:
    connected = [name == "pelvis" for name in NAMES]
    assert carrying(figure("pelvis", connected=connected)) == {"ground"}


def test_two_motions_have_the_carriers_of_both() -> None:
    assert carrying(figure("pelvis"), figure("ground")) == {"ground"}


@pytest.mark.parametrize("travelling", [(), ("chest",)])
def test_without_a_known_root_all_that_travels_is_carried(travelling: tuple[str, ...]) -> None:
    assert carrying(figure(*travelling), root="") == ({*travelling} or {"ground", "box"})


@pytest.mark.parametrize("names", [("pelvis", "target"), ("ground",), ("",)])
def test_all_below_the_carriers_moves_as_one(names: tuple[str, ...]) -> None:
    motion = figure(*NAMES)
    moved = tuple(NAMES.index(name) for name in names)
    motion = replace(motion, carriers=Carriers(moved, moved))
    turns, shifts = smooth_curves(FRAMES, 1, 8)[:, 0], smooth_curves(FRAMES, 3, 9)
    move = GroundMove.build(turns, shifts, (0.0, 0.0, 1.0), frames=FRAMES)
    after = move.applied(motion)
    below = [*moved, *(each for joint in moved for each in motion.skeleton.descendants(joint))]
    wanted = motion.poses.positions + move.change_of(motion.poses.positions)
    np.testing.assert_allclose(after.poses.positions[:, below], wanted[:, below], atol=1e-9)
    others = [joint for joint in range(len(NAMES)) if joint not in moved]
    np.testing.assert_array_equal(after.locations[:, others], motion.locations[:, others])


def test_a_motion_that_names_no_carriers_has_those_without_parent() -> None:
    assert carriers_of(figure("pelvis")).moved == (1, 7)
    free = [name != "leg" for name in NAMES]
    assert carriers_of(figure("pelvis", inherits_rotation=free)).turned == (1, 4, 7)
