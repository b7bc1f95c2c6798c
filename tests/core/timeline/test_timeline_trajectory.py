"""The path of a hand or foot carried from a reference to a window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from annotated_clips import AnnotatedClip, annotated_clips
from made_motion import smooth_curves, smooth_rotations
from made_person import person

from core.errors import SkeletonMismatchError
from core.motion.motion import Motion
from core.motion.rest_axes import turned
from core.numerics import quaternion
from core.solve.limb_ik import Limb
from core.timeline import Segment, trajectory_path, transfer_trajectory

UP = np.array([0.0, 1.0, 0.0])
SKELETON, NUMBER = person()
ARM = Limb(NUMBER["left upper arm"], NUMBER["left forearm"], NUMBER["left hand"])
JOINTS = [ARM.upper, ARM.lower, ARM.end]
ARM_LENGTH = 6.0
WINDOW, ROWS = (15.0, 65.0), slice(15, 66)


def mover(seed: int = 0) -> Motion:
    """A person whose body always does the same, while the left arm depends on the seed; elbows stay bent."""
    rotations = 0.2 * smooth_curves(81, len(SKELETON) * 3).reshape(81, -1, 3)
    rotations[:, ARM.upper] += 0.8 * smooth_curves(81, 3, seed + 20)
    rotations[:, ARM.lower] += [0.0, -1.4, 0.0]
    locations = np.zeros((81, len(SKELETON), 3))
    locations[:, NUMBER["pelvis"]] = 3.0 * smooth_curves(81, 3)
    return Motion.build(SKELETON, quaternion.exp(rotations), rate=30.0, locations=locations)


def hand(motion: Motion) -> Any:
    return motion.poses.positions[ROWS, ARM.end]


def distance_from_path(places: Any, reference: Motion) -> float:
    """Largest distance from places to the nearest point of the reference's path, whenever it comes there."""
    path = reference.at(np.linspace(0.0, reference.times[-1], 2001)).poses.positions[:, ARM.end]
    return float(np.linalg.norm(places[:, None] - path, axis=-1).min(axis=1).max())


def lead(motion: Motion, reference: Motion, **options: Any) -> Motion:
    return transfer_trajectory(motion, WINDOW, Segment(reference, *WINDOW), ARM, up=UP, **options)


def test_the_hand_goes_where_the_reference_goes():
    motion, reference = mover(0), mover(1)
    edited = lead(motion, reference, ease=0.0)
    # Both bodies do the same at the same place, so that the path lies where it lay in the reference.
    assert distance_from_path(hand(edited), reference) < 0.01 * ARM_LENGTH
    assert distance_from_path(hand(motion), reference) > 0.2 * ARM_LENGTH


def test_only_the_limb_changes_and_only_inside_the_window():
    motion, before = mover(0), mover(0).rotations.copy()
    edited = lead(motion, mover(1))
    assert np.array_equal(motion.rotations, before)
    changed = (edited.rotations != before).any(axis=-1)
    others = np.delete(np.arange(len(SKELETON)), JOINTS)
    assert not changed[:, others].any()
    assert not changed[:16].any()
    assert not changed[65:].any()
    assert np.array_equal(edited.locations, motion.locations)


def test_the_ends_of_the_window_are_smooth():
    motion = mover(0)
    edited = lead(motion, mover(1))
    for place in (15, 65):
        speeds = np.diff(edited.poses.positions[place - 2 : place + 3, ARM.end], axis=0)
        usual = np.abs(np.diff(hand(edited), n=2, axis=0)).max()
        assert np.abs(np.diff(speeds, axis=0)).max() <= usual
    assert (quaternion.dot(edited.rotations[1:], edited.rotations[:-1]) > 0.0).all()


def test_a_part_given_to_itself_stays_bit_for_bit():
    motion = mover()
    assert np.array_equal(lead(motion, motion).rotations, motion.rotations)


def test_half_the_amount_goes_half_the_way():
    motion, part = mover(0), Segment(mover(1), *WINDOW)
    whole, half = (trajectory_path(motion, WINDOW, part, ARM, up=UP, amount=amount) for amount in (1.0, 0.5))
    assert half == pytest.approx(0.5 * (hand(motion) + whole))


def test_where_the_reference_stands_and_faces_and_how_large_it_is_does_not_matter():
    motion, reference = mover(0), mover(1)
    pelvis, turn = NUMBER["pelvis"], quaternion.from_axis_angle(UP, 2.0)
    rotations, locations = np.array(reference.rotations), np.array(reference.locations)
    rotations[:, pelvis] = quaternion.multiply(turn, rotations[:, pelvis])
    rest = SKELETON.rest_positions[pelvis]
    locations[:, pelvis] = quaternion.rotate(turn, locations[:, pelvis] + rest) - rest + [50.0, 4.0, -20.0]
    elsewhere = replace(reference, rotations=rotations, locations=locations)
    large = turned(elsewhere, quaternion.IDENTITY, scale=2.5)
    for other in (elsewhere, large):
        assert hand(lead(motion, other)) == pytest.approx(hand(lead(motion, reference)), abs=1e-6)


def test_a_slower_reference_is_brought_into_time():
    motion, reference = mover(0), mover(1)
    slow = reference.at(np.linspace(0.0, reference.times[-1], 161))
    slow = Motion.build(SKELETON, np.array(slow.rotations), rate=30.0, locations=np.array(slow.locations))
    edited = transfer_trajectory(motion, WINDOW, Segment(slow, 30, 130), ARM, up=UP)
    assert hand(edited) == pytest.approx(hand(lead(motion, reference)), abs=0.1)


def test_missing_joints_are_named():
    other, _ = person("biped")
    reference = Motion.build(other, smooth_rotations(81, len(other)), rate=30.0)
    with pytest.raises(SkeletonMismatchError, match="no 'mixamorig:LeftArm', 'mixamorig:LeftForeArm'"):
        lead(mover(), reference)


def clip_named(folder: Path, name: str) -> AnnotatedClip:
    return next(clip for clip in annotated_clips(folder) if clip.name == name)


CAPTURED = [
    (("cmu_02_05_punches_weak", 692, 80), ("cmu_02_05_punches_weak", 168, 82), "RightArm RightForeArm RightHand"),
    (("cmu_13_18_boxing_aggressive", 977, 60), ("cmu_02_05_punches_weak", 168, 60), "RightArm RightForeArm RightHand"),
    (("cmu_07_01_walk", 132, 66), ("cmu_138_01_march", 286, 76), "LeftUpLeg LeftLeg LeftFoot"),
]


@pytest.mark.parametrize(("own", "wanted", "names"), CAPTURED)
def test_captured_paths_are_reached_within_a_hundredth_of_the_limb(
    clips_folder: Path, own: tuple[str, int, int], wanted: tuple[str, int, int], names: str
):
    clips = [clip_named(clips_folder, name) for name, _, _ in (own, wanted)]
    window, there = (
        (row - clip.lead - half, row - clip.lead + half)
        for clip, (_, row, half) in zip(clips, (own, wanted), strict=True)
    )
    motion, reference = clips[0].motion, Segment(clips[1].motion, *there)
    limb, up = Limb.named(motion.skeleton, *names.split()), clips[0].body.require("up axis").vector
    edited = transfer_trajectory(motion, window, reference, limb, up=up)
    path = trajectory_path(motion, window, reference, limb, up=up)
    frames = Segment(motion, *window).whole_frames.astype(int)
    length = np.linalg.norm(
        np.diff(motion.poses.positions[0, [limb.upper, limb.lower, limb.end]], axis=0), axis=1
    ).sum()
    miss, missed = (
        np.linalg.norm(one.poses.positions[frames, limb.end] - path, axis=1).max() / length for one in (edited, motion)
    )
    assert miss < 0.01
    assert missed > 0.3
    steps, usual = (quaternion.angle_between(one.rotations[1:], one.rotations[:-1]).max() for one in (edited, motion))
    assert steps < 1.2 * usual
