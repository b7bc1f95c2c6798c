"""Which part moves before which, taken from a reference: the free part is shifted, all else stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from annotated_clips import AnnotatedClip, annotated_clips
from made_motion import chain, random_rotations, smooth_rotations

from core.analysis.alignment import align
from core.errors import SkeletonMismatchError
from core.motion.motion import Motion
from core.motion.rest_axes import with_rest_rotations
from core.motion.time_maps.time_map import TimeMap
from core.numerics import quaternion
from core.solve.limb_ik import Limb
from core.timeline import (
    MovingPart,
    OverlappingPartsError,
    Segment,
    StillPartError,
    coordination_timing,
    transfer_coordination,
)
from core.timeline.moving_part import limb_length, matching_curves

FIXED, FREE = MovingPart(joints=(0,)), MovingPart(joints=(1,))
WHOLE = (0.0, 80.0)
CHAIN_LIMB = Limb(1, 2, 3)


def bumps(*peaks: float, frames: int = 81, width: float = 6.0, sizes: Any = 1.0, rate: float = 30.0) -> Motion:
    """Joints that each turn once to one side and back, at their own time."""
    way = (np.arange(frames)[:, None] - np.array(peaks)) / width
    vectors = np.zeros((frames, len(peaks), 3))
    vectors[..., 0] = np.exp(-0.5 * way**2) * sizes
    return Motion.build(chain(len(peaks)), quaternion.exp(vectors), rate=rate)


def peak(curve: Any) -> float:
    """Frame of the largest value, between frames by a parabola."""
    at = int(np.clip(np.argmax(curve), 1, len(curve) - 2))
    before, top, after = curve[at - 1 : at + 2]
    return at + 0.5 * (before - after) / (before - 2.0 * top + after)


def joint_peak(motion: Motion, joint: int) -> float:
    return peak(quaternion.angle_between(motion.rotations[:, joint], quaternion.IDENTITY))


def largest_change_of_speed(motion: Motion) -> float:
    speeds = quaternion.log(quaternion.multiply(quaternion.conjugate(motion.rotations[:-1]), motion.rotations[1:]))
    return float(np.linalg.norm(np.diff(speeds, axis=0), axis=-1).max())


@pytest.mark.parametrize("width", [3.0, 6.0, 9.0])
@pytest.mark.parametrize(
    ("own", "wanted", "frames"),
    [
        ((36, 44), (44, 36), 81),
        ((30, 42), (34, 34), 81),
        ((40, 40), (36, 48), 81),
        ((40, 46), (20, 17), 41),
        ((40, 46), (80, 100), 161),
    ],
)
def test_the_free_joint_peaks_at_the_phase_of_the_reference(width: float, own: Any, wanted: Any, frames: int):
    scale = (frames - 1) / 80
    motion = bumps(*own, 40, width=width)
    reference = bumps(*wanted, 30, frames=frames, width=width * scale)
    edited = transfer_coordination(motion, WHOLE, Segment(reference, 0, frames - 1), fixed=FIXED, free=FREE)
    assert joint_peak(edited, 1) == pytest.approx(own[0] + (wanted[1] - wanted[0]) / scale, abs=0.5)
    assert joint_peak(edited, 0) == pytest.approx(own[0], abs=1e-6)
    assert largest_change_of_speed(edited) < 1.5 * largest_change_of_speed(motion)


def test_what_is_not_shifted_stays_bit_for_bit():
    motion, reference = bumps(36, 44, 40), bumps(44, 36, 40)
    before = motion.rotations.copy()
    edited = transfer_coordination(motion, (5.5, 74.5), Segment(reference, 5.5, 74.5), fixed=FIXED, free=FREE)
    assert np.array_equal(motion.rotations, before)
    assert np.array_equal(edited.rotations[:, [0, 2]], before[:, [0, 2]])
    outside = np.r_[0:6, 75:81]
    assert np.array_equal(edited.rotations[outside], before[outside])
    assert np.array_equal(edited.locations, motion.locations)
    assert quaternion.angle_between(edited.rotations[:, 1], before[:, 1]).max() > 0.5


@pytest.mark.parametrize("free", [FREE, MovingPart(effectors=(CHAIN_LIMB,))])
@pytest.mark.parametrize("window", [WHOLE, (10.3, 70.8)])
def test_a_part_given_to_itself_stays_bit_for_bit(free: MovingPart, window: tuple[float, float]):
    motion = bumps(36, 44, 40, 40, sizes=[1.0, 0.5, 1.0, 0.3])
    edited = transfer_coordination(motion, window, Segment(motion, *window), fixed=FIXED, free=free)
    assert np.array_equal(edited.rotations, motion.rotations)


def test_time_never_runs_backward_and_goes_on_evenly_at_the_ends():
    motion, reference = bumps(36, 44, 40), bumps(44, 30, 40)
    timing = coordination_timing(motion, WHOLE, Segment(reference, *WHOLE), fixed=FIXED, free=FREE)
    assert timing.direction == 1
    assert timing.old_times[[0, -1]].tolist() == motion.times[[0, -1]].tolist()
    assert timing.speed(timing.new_times[[0, -1]]) == pytest.approx(1.0)


def test_the_joint_that_moves_most_tells_the_time_of_its_set():
    quiet = MovingPart(joints=(0, 2))
    motion, reference = bumps(36, 44, 20, sizes=[1, 1, 0.1]), bumps(44, 36, 60, sizes=[1, 1, 0.1])
    edited = transfer_coordination(motion, WHOLE, Segment(reference, *WHOLE), fixed=quiet, free=FREE)
    assert joint_peak(edited, 1) == pytest.approx(28.0, abs=1.0)


def test_size_pose_heading_and_rest_axes_of_the_reference_do_not_matter():
    motion, reference = bumps(36, 44, 40), bumps(44, 36, 40, sizes=0.6)
    held = reference.with_rotations(quaternion.multiply(random_rotations(1), reference.rotations))
    other = with_rest_rotations(held, random_rotations(3, seed=2))
    edited = transfer_coordination(motion, WHOLE, Segment(other, *WHOLE), fixed=FIXED, free=FREE)
    assert joint_peak(edited, 1) == pytest.approx(28.0, abs=0.5)


@pytest.mark.parametrize("fixed", [MovingPart(joints=(0,)), MovingPart(effectors=(Limb(4, 5, 6),))])
def test_an_effector_passes_its_own_path_at_another_time(fixed: MovingPart):
    sizes = [0.0, 0.5, 1.2, 0.3, 0.5, 1.0, 0.3] if fixed.effectors else [0.4, 0.5, 1.2, 0.3, 0.0, 0.0, 0.0]
    skeleton = two_arms()

    def arms(first: float, second: float) -> Motion:
        made = bumps(first, second, second, second, first, first, first, sizes=sizes)
        # Elbows are bent, so that the hands reach further than they have to.
        bend = quaternion.exp(np.array([0.0, 0.0, 1.0]) * np.isin(np.arange(7), (2, 5))[:, None])
        return replace(made.with_rotations(quaternion.multiply(bend, made.rotations)), skeleton=skeleton)

    motion, reference = arms(40, 44), arms(40, 36)
    free = MovingPart(effectors=(CHAIN_LIMB,))
    part = Segment(reference, *WHOLE)
    timing = coordination_timing(motion, WHOLE, part, fixed=fixed, free=free)
    edited = transfer_coordination(motion, WHOLE, part, fixed=fixed, free=free)
    path = motion.at(timing(motion.times)).poses.positions[:, 3]
    assert np.abs(edited.poses.positions[:, 3] - path).max() < 1e-3
    assert timing(36 / 30) == pytest.approx(44 / 30, abs=1 / 30)
    unchanged = [0, 4, 5, 6]
    assert np.array_equal(edited.rotations[:, unchanged], motion.rotations[:, unchanged])


def two_arms() -> Any:
    """A trunk with two limbs of three joints."""
    skeleton = chain(7)
    places = np.array(skeleton.rest_positions)
    places[4:] = places[1:4] + np.array([1.0, 0.0, 0.0])
    return replace(skeleton, parents=np.array([-1, 0, 1, 2, 0, 4, 5]), rest_positions=places)


def test_a_path_can_be_carried_by_a_joint():
    motion = replace(bumps(40, 44, 44, 44, 40, 40, 40, sizes=0.8), skeleton=two_arms())
    reference = replace(bumps(40, 36, 36, 36, 40, 40, 40, sizes=0.8), skeleton=two_arms())
    travelling = np.zeros((81, 7, 3))
    travelling[:, 0, 2] = np.arange(81.0)
    motion = motion.with_locations(travelling)
    free = MovingPart(effectors=(CHAIN_LIMB,))
    part = Segment(reference, *WHOLE)
    edited = transfer_coordination(motion, WHOLE, part, fixed=FIXED, free=free, seen_from=0)
    standing = transfer_coordination(
        motion.with_locations(np.zeros((81, 7, 3))), WHOLE, part, fixed=FIXED, free=free, seen_from=0
    )
    assert quaternion.angle_between(edited.rotations, standing.rotations).max() < 1e-6


def test_a_joint_in_both_parts_is_refused():
    motion = bumps(36, 44, 40, 40)
    with pytest.raises(OverlappingPartsError, match="'joint 1' cannot both stay and be shifted"):
        transfer_coordination(
            motion, WHOLE, Segment(motion, *WHOLE), fixed=FREE, free=MovingPart(effectors=(CHAIN_LIMB,))
        )


def test_a_free_joint_that_carries_a_free_limb_is_refused():
    motion = bumps(36, 44, 40, 40, 40)
    free, fixed = MovingPart(joints=(0,), effectors=(CHAIN_LIMB,)), MovingPart(joints=(4,))
    with pytest.raises(OverlappingPartsError, match="'joint 0' carries a limb"):
        transfer_coordination(motion, WHOLE, Segment(motion, *WHOLE), fixed=fixed, free=free)


def test_joints_between_those_of_a_limb_move_with_it():
    motion = bumps(36, 44, 40, 40)
    free = MovingPart(effectors=(Limb(0, 2, 3),))
    with pytest.raises(OverlappingPartsError, match="'joint 1' cannot both"):
        transfer_coordination(motion, WHOLE, Segment(motion, *WHOLE), fixed=MovingPart(joints=(1,)), free=free)


@pytest.mark.parametrize("seed", range(20))
def test_unlike_motions_still_give_a_timing(seed: int):
    random = np.random.default_rng(seed)
    motion, other = (
        Motion.build(chain(3), smooth_rotations(60, 3, number), rate=30.0) for number in (seed, seed + 100)
    )
    start, there = random.uniform(0, 30, size=2)
    window, part = (start, start + random.uniform(4, 29)), Segment(other, there, there + random.uniform(4, 29))
    timing = coordination_timing(motion, window, part, fixed=FIXED, free=FREE)
    assert timing.direction == 1
    edited = transfer_coordination(motion, window, part, fixed=FIXED, free=FREE)
    outside = np.r_[: int(np.ceil(start)), int(np.floor(window[1])) + 1 : 60]
    assert np.array_equal(edited.rotations[outside], motion.rotations[outside])


def test_parts_that_do_not_move_are_refused():
    motion, still = bumps(36, 44, 40), bumps(36, 44, 40, sizes=[1, 0, 1])
    with pytest.raises(StillPartError, match="'joint 1' does not move"):
        transfer_coordination(motion, WHOLE, Segment(still, *WHOLE), fixed=FIXED, free=FREE)


def test_missing_joints_are_named():
    with pytest.raises(SkeletonMismatchError, match="no 'joint 1'"):
        transfer_coordination(bumps(36, 44), WHOLE, Segment(bumps(36), *WHOLE), fixed=FIXED, free=FREE)


PUNCHES = {
    "cmu_02_05_punches_weak": (342, 863, 1387),
    "cmu_13_18_boxing_aggressive": (977, 1234, 2389),
}


def clip_named(folder: Path, name: str) -> AnnotatedClip:
    return next(clip for clip in annotated_clips(folder) if clip.name == name)


def punching_parts(motion: Motion) -> tuple[MovingPart, MovingPart, Limb]:
    """Trunk and left arm, the right arm's joints, and the right arm."""
    index = motion.skeleton.index
    trunk = ("Hips", "LowerBack", "Spine", "Spine1", "LeftArm", "LeftForeArm")
    arm = ("RightShoulder", "RightArm", "RightForeArm", "RightHand")
    fixed, free = (MovingPart(tuple(index[name] for name in names)) for names in (trunk, arm))
    return fixed, free, Limb.named(motion.skeleton, *arm[1:])


def reach(motion: Motion, arm: Limb) -> Any:
    places = motion.poses.positions
    return np.linalg.norm(places[:, arm.end] - places[:, arm.upper], axis=1) / limb_length(motion, arm)


@pytest.mark.parametrize("name", PUNCHES)
@pytest.mark.parametrize("shift", [-10, 10])
@pytest.mark.parametrize("by_effector", [False, True])
def test_a_captured_punch_comes_when_it_does_in_the_reference(
    clips_folder: Path, name: str, shift: int, by_effector: bool
):
    clip = clip_named(clips_folder, name)
    motion = clip.motion
    fixed, joints, arm = punching_parts(motion)
    free = MovingPart(effectors=(arm,)) if by_effector else joints
    for row in PUNCHES[name]:
        middle = row - clip.lead
        start, end = middle - 60, middle + 60
        # The reference is the punch itself, its arm shown earlier or later.
        moved = TimeMap.through([start, middle + shift, end], [start, middle, end])
        rotations = np.array(motion.rotations)
        shown = Segment(motion, start, end).at(moved(np.arange(start, end + 1)))
        rotations[start : end + 1, list(joints.joints)] = shown.rotations[:, list(joints.joints)]
        reference = replace(motion, rotations=rotations)
        edited = transfer_coordination(
            motion,
            (start, end),
            Segment(reference, start, end),
            fixed=fixed,
            free=free,
            seen_from=motion.skeleton.index["RightShoulder"],
        )
        near = slice(middle + shift - 15, middle + shift + 15)
        assert abs(np.argmax(reach(edited, arm)[near]) - np.argmax(reach(reference, arm)[near])) <= 1
        others = [joint for joint in range(len(motion.skeleton)) if joint not in free.driven_joints(motion.skeleton)]
        assert np.array_equal(edited.rotations[:, others], motion.rotations[:, others])
        steps, usual = (
            quaternion.angle_between(one.rotations[start + 1 : end + 1], one.rotations[start:end]).max()
            for one in (edited, reference)
        )
        assert steps < 1.3 * usual


@pytest.mark.parametrize("row", [168, 692, 1206])
@pytest.mark.parametrize("wanted_row", [977, 1234, 2389])
def test_a_punch_of_another_clip_gives_its_phase(clips_folder: Path, row: int, wanted_row: int):
    source, other = (clip_named(clips_folder, name) for name in PUNCHES)
    fixed, free, arm = punching_parts(source.motion)
    middle, there = row - source.lead, wanted_row - other.lead
    window, reference = (middle - 80, middle + 80), Segment(other.motion, there - 60, there + 60)
    edited = transfer_coordination(source.motion, window, reference, fixed=fixed, free=free)
    samples = [Segment(source.motion, *window).sampled(161), reference.sampled(161)]
    beat = align(*matching_curves(samples[0], fixed, samples[1], fixed))
    wanted = float(np.interp(np.argmax(reach(samples[1], arm)), *beat.path[:, ::-1].T))
    reached = reach(edited, arm)[window[0] : window[1] + 1]
    # Frames of these clips last 1/120 s, and the arm stays stretched for several of them.
    assert np.argmax(reached) == pytest.approx(wanted, abs=4.0)
    assert reached[round(wanted)] > 0.99 * reached.max()
