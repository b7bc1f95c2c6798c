"""Channels beside turns: joints that leave their places, custom properties, and objects that carry skeletons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from contact_edits import BODY, CONTACTS, HEIGHT, INDEX, WALK
from resized_skeletons import resized

from core.analysis.contacts import ContactSpans
from core.body import Body, find_body
from core.motion.motion import Motion
from core.motion.rest_axes import turned, with_rest_rotations
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.retarget import Retargeted, RetargetOptions, name_mapping, retarget

SKELETON = replace(WALK.skeleton, connected=np.zeros(len(WALK.skeleton), dtype=bool))
SWAY = np.sin(np.arange(len(WALK)) / 9.0)


def _on(
    motion: Motion, skeleton: Skeleton, *, body: Body | None = None, source_body: Body = BODY, **more
) -> Retargeted:
    body = body or find_body(skeleton)
    mapping = name_mapping(motion.skeleton, skeleton, source_body, body)
    more.setdefault("contacts", ContactSpans())
    return retarget(motion, skeleton, mapping, source_body=source_body, target_body=body, **more)


def _sliding(*names: str, away: float = 0.05 * HEIGHT) -> Motion:
    """The sample motion with joints that leave their places back and forth."""
    locations = np.array(WALK.locations)
    for number, name in enumerate(names):
        locations[:, INDEX[name], number % 3] += away * SWAY
    return replace(WALK, skeleton=SKELETON, locations=locations)


def test_joints_leave_their_places_in_proportion():
    motion = _sliding("shoulder.L", "upper_arm.R", "head")
    result = _on(motion, resized(SKELETON, 0.6))
    np.testing.assert_allclose(result.motion.poses.positions, 0.6 * motion.poses.positions, atol=1e-9)
    assert result.report.stuck == ()


def test_a_longer_bone_takes_its_joint_further_away():
    motion = _sliding("shoulder.L")
    plain, long = (_on(motion, resized(SKELETON, factor, only=("shoulder.L",))) for factor in (1.0001, 1.5))
    ways = [each.motion.locations[:, INDEX["shoulder.L"]] for each in (plain, long)]
    np.testing.assert_allclose(ways[1], 1.5 / 1.0001 * ways[0], atol=1e-9)
    assert np.abs(ways[0]).max() > 0.04 * HEIGHT


def test_joints_in_other_axes_leave_their_places_the_same_way():
    motion = _sliding("shoulder.L", "head")
    turns = quaternion.normalize(np.random.default_rng(5).normal(size=(len(SKELETON), 4)))
    lying = turned(motion, quaternion.from_axis_angle([1.0, 0.0, 0.0], -0.5 * np.pi))
    other = with_rest_rotations(lying, turns).skeleton
    result = _on(motion, other)
    np.testing.assert_allclose(result.motion.poses.positions, lying.poses.positions, atol=1e-9)


@pytest.mark.parametrize("stretch", [0.0, 0.02])
def test_the_length_of_limbs_is_the_target_s_own_but_what_changes_is_carried(stretch):
    motion = _sliding("shin.L", away=stretch * HEIGHT)
    longer = np.array(motion.locations)
    longer[:, INDEX["shin.L"], 1] += 0.1 * HEIGHT
    result = _on(motion.with_locations(longer), resized(SKELETON, 0.6)).motion
    own = motion.locations[:, INDEX["shin.L"]]
    wanted = 0.6 * (own - np.median(own, axis=0))
    np.testing.assert_allclose(result.locations[:, INDEX["shin.L"]], wanted, atol=1e-12)


def test_joints_that_sit_on_their_parents_are_listed():
    small = resized(SKELETON, 0.6)
    connected = np.zeros(len(small), dtype=bool)
    connected[[INDEX["shoulder.L"], INDEX["hand.R"]]] = True
    result = _on(_sliding("shoulder.L", "head"), replace(small, connected=connected))
    assert result.report.stuck == ("shoulder.L",)
    np.testing.assert_array_equal(result.motion.locations[:, INDEX["shoulder.L"]], 0.0)


def test_feet_stand_although_hips_leave_their_places():
    result = _on(_sliding("thigh.L", "thigh.R", away=0.02 * HEIGHT), resized(SKELETON, 0.6), contacts=CONTACTS)
    assert result.report.slide_carried > 0.01 * result.report.leg_length
    assert result.report.slide < 1e-3 * result.report.leg_length
    assert result.report.missed == ()


def _swelling(name: str, *, axes: slice = slice(None)) -> Motion:
    scales = np.array(WALK.scales)
    scales[:, INDEX[name], axes] *= (1.0 + 0.3 * SWAY)[:, None]
    return WALK.with_scales(scales)


def test_joints_that_swell_do_so_on_the_target():
    motion = _swelling("head")
    result = _on(motion, resized(WALK.skeleton, 0.6)).motion
    np.testing.assert_allclose(result.poses.tips, 0.6 * motion.poses.tips, atol=1e-9)
    np.testing.assert_array_equal(result.scales, motion.scales)


def test_joints_that_are_scaled_unevenly_are_listed():
    result = _on(_swelling("head", axes=slice(1, 2)), resized(WALK.skeleton, 0.6))
    assert result.report.stuck == ("head",)
    np.testing.assert_array_equal(result.motion.scales, 1.0)


def _with_scalars(motion: Motion, **channels: np.ndarray) -> Motion:
    return replace(motion, scalars=np.stack(list(channels.values()), axis=1), scalar_names=tuple(channels))


def test_custom_properties_go_to_those_of_the_same_names():
    motion = _with_scalars(WALK, smile=SWAY, blink=2.0 * SWAY)
    small = resized(WALK.skeleton, 0.6)
    everything = _on(motion, small).motion
    assert everything.scalar_names == motion.scalar_names
    np.testing.assert_array_equal(everything.scalars, motion.scalars)
    pose = Motion.build(small, quaternion.identity(1, len(small)), rate=1.0)
    pose = _with_scalars(pose, blink=np.zeros(1), tail=np.full(1, 0.3))
    some = _on(motion, small, options=RetargetOptions(target_pose=pose)).motion
    assert some.scalar_names == ("blink", "tail")
    np.testing.assert_array_equal(some.scalars[:, 0], 2.0 * SWAY)
    np.testing.assert_array_equal(some.scalars[:, 1], 0.3)


def _below_object(motion: Motion, turn: np.ndarray, scale: float) -> Motion:
    """The same motion of a skeleton that an object with a rotation and a scale sets upright and makes as large."""
    own = turned(motion, quaternion.conjugate(turn), scale=1.0 / scale)
    old, frames = own.skeleton, len(motion)
    skeleton = Skeleton.build(
        ["", *old.names],
        [-1, *(old.parents + 1)],
        [(0, 0, 0), *old.rest_positions],
        rest_rotations=[quaternion.IDENTITY, *old.rest_rotations],
        tips=[(0, 0, 0), *old.tips],
        has_placement=True,
    )
    return replace(
        own,
        skeleton=skeleton,
        rotations=np.concatenate([np.tile(turn, (frames, 1, 1)), own.rotations], axis=1),
        locations=np.concatenate([np.zeros((frames, 1, 3)), own.locations], axis=1),
        scales=np.concatenate([np.full((frames, 1, 3), scale), own.scales], axis=1),
    )


UPRIGHT = quaternion.from_axis_angle([1.0, 0.0, 0.0], 0.5 * np.pi)
ASKEW = quaternion.multiply(quaternion.from_axis_angle([0.0, 0.0, 1.0], 0.7), UPRIGHT)


@pytest.mark.parametrize("placed", ["source", "target", "both"])
def test_objects_with_scale_and_rotation_make_no_difference(placed):
    small = resized(SKELETON, 0.6)
    motion = _sliding("shoulder.L", "head")
    wanted = _on(motion, small, contacts=CONTACTS).motion.poses.positions
    body, target, options = find_body(small), small, RetargetOptions()
    source_body = BODY
    if placed != "target":
        motion = _below_object(motion, UPRIGHT, 0.01)
        source_body = find_body(motion.skeleton, motion=motion)
    if placed != "source":
        pose = _below_object(Motion.build(small, quaternion.identity(1, len(small)), rate=1.0), ASKEW, 0.02)
        target, body, options = pose.skeleton, find_body(pose.skeleton, motion=pose), RetargetOptions(target_pose=pose)
    result = _on(motion, target, body=body, source_body=source_body, contacts=CONTACTS, options=options)
    places = result.motion.poses.positions[:, int(target.has_placement) :]
    np.testing.assert_allclose(places, wanted, atol=1e-9)
    assert result.report.slide < 1e-3 * result.report.leg_length
    assert result.report.scale == pytest.approx(0.6)
