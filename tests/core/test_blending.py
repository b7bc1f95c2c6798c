"""Weighted means of motions, in step and along one way."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from annotated_clips import AnnotatedClip, annotated_clips
from made_motion import Motion, random_rotations, smooth_curves, smooth_rotations
from made_person import person
from scipy.spatial.transform import Rotation

from core import quaternion
from core.alignment import UnalignableError
from core.blending import (
    BlendError,
    align_in_time,
    align_on_ground,
    along_one_path,
    blend,
    blend_along_one_path,
    in_step,
    matched,
)
from core.blending.rotation_mean import weighted_mean
from core.body import Body, find_body
from core.errors import SkeletonMismatchError, TooFewFramesError
from core.rest_axes import with_rest_rotations
from core.root_path import GroundMove, ground_path
from core.skeleton import Skeleton
from core.time_map import TimeMap

FRAMES, UP = 50, np.array([0.0, 1.0, 0.0])
ARRAYS = ("rotations", "locations", "scales", "scalars")


def walker(seed: int = 0, *, speed: float = 10.0, reach: float = 0.4) -> Motion:
    """A person that goes along z while it swings."""
    skeleton, _ = person()
    locations = np.zeros((FRAMES, len(skeleton), 3))
    locations[:, 0] = 0.3 * smooth_curves(FRAMES, 3, seed + 5)
    locations[:, 0, 2] += speed * np.linspace(0.0, 2.0, FRAMES)
    return Motion.build(
        skeleton,
        smooth_rotations(FRAMES, len(skeleton), seed, reach=reach),
        rate=30.0,
        locations=locations,
        scales=1.0 + 0.1 * smooth_curves(FRAMES, 3 * len(skeleton), seed + 1).reshape(FRAMES, -1, 3),
        scalars=smooth_curves(FRAMES, 2, seed),
        scalar_names=("smile", "frown"),
    )


def body_of(motion: Motion) -> Body:
    return find_body(motion.skeleton)


def unscaled(motion: Motion) -> Motion:
    return motion.with_scales(np.ones_like(motion.scales))


def assert_same(one: Motion, other: Motion) -> None:
    for name in ARRAYS:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


class TestBlend:
    @pytest.mark.parametrize("count", [2, 3, 5])
    def test_all_the_weight_gives_that_motion_bit_for_bit(self, count):
        motions = [walker(seed) for seed in range(count)]
        for number, motion in enumerate(motions):
            assert_same(blend(motions, np.eye(count)[number]), motion)

    def test_weights_over_time_meet_both_ends_exactly(self):
        one, other = walker(1), walker(2)
        share = np.clip(np.linspace(-0.5, 1.5, FRAMES), 0.0, 1.0)
        mean = blend([one, other], np.stack([1.0 - share, share], axis=1))
        for motion, frames in ((one, share == 0.0), (other, share == 1.0)):
            assert np.array_equal(mean.locations[frames], motion.locations[frames])
            assert np.array_equal(np.abs(mean.rotations[frames]), np.abs(motion.rotations[frames]))
        assert (quaternion.dot(mean.rotations[1:], mean.rotations[:-1]) >= 0.0).all()

    @pytest.mark.parametrize("count", [2, 3])
    def test_of_a_motion_with_itself_is_that_motion_bit_for_bit(self, count):
        motion = walker()
        assert_same(blend([motion] * count, np.linspace(0.2, 0.7, count)), motion)

    def test_of_two_agrees_with_the_plain_loop(self):
        one, other = walker(1, reach=1.5), walker(2, reach=1.5)
        weights = np.random.default_rng(3).uniform(0.1, 1.0, (FRAMES, 2))
        mean = blend([one, other], weights)
        for frame in range(0, FRAMES, 7):
            share = weights[frame, 1] / weights[frame].sum()
            for joint in range(0, len(one.skeleton), 4):
                start, end = (
                    Rotation.from_quat(each.rotations[frame, joint], scalar_first=True) for each in (one, other)
                )
                wanted = start * Rotation.from_rotvec(share * (start.inv() * end).as_rotvec())
                got = Rotation.from_quat(mean.rotations[frame, joint], scalar_first=True)
                assert (wanted.inv() * got).magnitude() < 1e-9
            wanted = (1.0 - share) * one.locations[frame] + share * other.locations[frame]
            assert np.abs(mean.locations[frame] - wanted).max() < 1e-12

    def test_of_many_does_not_depend_on_their_order(self):
        motions, weights = [walker(seed, reach=1.0) for seed in range(3)], np.array([0.2, 0.5, 0.3])
        means = [blend([motions[n] for n in order], weights[list(order)]) for order in permutations(range(3))]
        for other in means[1:]:
            assert quaternion.angle_between(other.rotations, means[0].rotations).max() < 1e-9
            assert np.abs(other.locations - means[0].locations).max() < 1e-12

    def test_of_three_where_one_counts_nothing_is_that_of_two(self):
        one, two, three = (walker(seed) for seed in range(3))
        many, few = blend([one, two, three], [0.3, 0.7, 0.0]), blend([one, two], [0.3, 0.7])
        assert quaternion.angle_between(many.rotations, few.rotations).max() < 1e-9

    def test_signs_of_quaternions_do_not_matter(self):
        one, other = walker(1), walker(2)
        flipped = replace(other, rotations=-other.rotations)
        for others in ([one, other], [one, other, walker(3)]):
            exchanged = [flipped if motion is other else motion for motion in others]
            means = [blend(each, np.ones(len(each))) for each in (others, exchanged)]
            assert quaternion.angle_between(means[0].rotations, means[1].rotations).max() < 1e-9

    def test_joints_are_found_by_name(self):
        one, other = unscaled(walker(1)), unscaled(walker(2))
        wanted = blend([one, other], [0.4, 0.6])
        shuffled = blend([one, listed_otherwise(other)], [0.4, 0.6])
        assert quaternion.angle_between(shuffled.rotations, wanted.rotations).max() < 1e-9
        assert np.abs(shuffled.locations - wanted.locations).max() < 1e-9

    def test_inputs_are_left_alone(self):
        motions = [walker(1), walker(2)]
        before = [np.array(motion.rotations) for motion in motions]
        blend(motions, [0.5, 0.5])
        assert all(np.array_equal(motion.rotations, kept) for motion, kept in zip(motions, before, strict=True))

    @pytest.mark.parametrize(
        ("weights", "reason"),
        [
            ([1.0], "Give 2 weights"),
            ([1.0, -0.1], "not below 0"),
            ([np.nan, 1.0], "not below 0"),
            (np.tile([[0.0, 0.0]], (FRAMES, 1)), "All weights are 0 at frame 0"),
        ],
    )
    def test_weights_that_do_not_fit_are_refused(self, weights, reason):
        with pytest.raises(BlendError, match=reason):
            blend([walker(1), walker(2)], weights)

    def test_other_frames_are_refused(self):
        with pytest.raises(BlendError, match="align them in time first"):
            blend([walker(1), walker(2).part(0, 20)], [0.5, 0.5])
        late = replace(walker(2), times=2.0 * walker(2).times)
        with pytest.raises(BlendError, match="different times"):
            blend([walker(1), late], [0.5, 0.5])

    def test_other_joints_are_refused_by_name(self):
        other = walker(2)
        renamed = replace(other, skeleton=replace(other.skeleton, names=("nobody", *other.skeleton.names[1:])))
        with pytest.raises(SkeletonMismatchError, match="mixamorig:Hips"):
            blend([walker(1), renamed], [0.5, 0.5])


def listed_otherwise(motion: Motion) -> Motion:
    """The same motion with its joints in another order and in other axes."""
    motion = with_rest_rotations(motion, random_rotations(len(motion.skeleton), seed=4))
    skeleton = motion.skeleton
    order = np.random.default_rng(1).permutation(len(skeleton))
    place = np.argsort(order)
    other = Skeleton.build(
        [skeleton.names[joint] for joint in order],
        [-1 if skeleton.parents[joint] < 0 else place[skeleton.parents[joint]] for joint in order],
        skeleton.rest_positions[order],
        rest_rotations=skeleton.rest_rotations[order],
    )
    arrays = {name: getattr(motion, name)[:, order] for name in ("rotations", "locations", "scales")}
    return replace(motion, skeleton=other, **arrays)


def test_matching_names_gives_back_the_motion():
    motion = unscaled(walker())
    back = matched(listed_otherwise(motion), motion)
    assert quaternion.angle_between(back.rotations, motion.rotations).max() < 1e-9
    assert np.abs(back.poses.positions - motion.poses.positions).max() < 1e-9


def test_the_mean_of_rotations_agrees_with_scipy_where_they_are_near():
    # SciPy's mean is that of chords, which is the same only in the limit of small angles.
    vectors = 1e-4 * np.random.default_rng(5).normal(size=(4, 10, 3))
    weights = np.random.default_rng(6).dirichlet(np.ones(4), 10).T
    mean = weighted_mean(quaternion.exp(vectors), weights)
    for row in range(10):
        wanted = Rotation.from_rotvec(vectors[:, row]).mean(weights[:, row])
        assert (wanted.inv() * Rotation.from_quat(mean[row], scalar_first=True)).magnitude() < 1e-11


@pytest.mark.parametrize("reach", [0.8, 1.8])
def test_the_mean_of_rotations_balances_the_ways_to_all(reach):
    rotations = quaternion.exp(np.random.default_rng(7).uniform(-reach, reach, (5, 30, 3)))
    weights = np.random.default_rng(8).dirichlet(np.ones(5), 30).T
    mean = weighted_mean(rotations, weights)
    ways = quaternion.log(quaternion.multiply(quaternion.conjugate(mean), rotations))
    assert np.abs(np.einsum("mn,mnc->nc", weights, ways)).max() < 1e-10


def test_signs_of_quaternions_do_not_move_the_mean():
    rotations = quaternion.exp(np.random.default_rng(7).uniform(-0.8, 0.8, (3, 30, 3)))
    weights = np.random.default_rng(8).dirichlet(np.ones(3), 30).T
    signs = np.random.default_rng(9).choice([-1.0, 1.0], (3, 30, 1))
    turned = quaternion.angle_between(weighted_mean(rotations, weights), weighted_mean(signs * rotations, weights))
    assert turned.max() < 1e-10


class TestGround:
    def test_a_moved_motion_is_laid_back(self):
        motion = walker()
        moved = GroundMove.build(1.1, [3.0, 0.0, -5.0], UP, frames=FRAMES).applied(motion)
        back = align_on_ground(motion, moved, body_of(motion), frame=20, other_frame=20, frames=5).applied(moved)
        assert np.abs(back.poses.positions - motion.poses.positions).max() < 1e-9

    def test_one_way_has_the_mean_speed_and_turning(self):
        one, other = unscaled(walker(1, speed=4.0)), unscaled(walker(2, speed=12.0))
        body = body_of(one)
        turned = GroundMove.build(1.5, [0.0, 0.0, 0.0], UP, frames=FRAMES).applied(other)
        mean = blend_along_one_path([one, turned], [0.5, 0.5], body, anchor=0)
        lengths = [np.linalg.norm(np.diff(ground_path(each, body).places[[0, -1]], axis=0)) for each in (one, other)]
        way = ground_path(mean, body)
        assert np.linalg.norm(way.places[-1] - way.places[0]) == pytest.approx(np.mean(lengths), rel=0.05)
        plain = ground_path(blend([one, turned], [0.5, 0.5]), body)
        assert np.linalg.norm(plain.places[-1] - plain.places[0]) < 0.9 * np.mean(lengths)

    def test_where_one_goes_is_no_matter(self):
        one, other = unscaled(walker(1)), unscaled(walker(2))
        body = body_of(one)
        weights = np.linspace([0.9, 0.1], [0.2, 0.8], FRAMES)
        elsewhere = GroundMove.build(-2.0, [7.0, 0.0, 3.0], UP, frames=FRAMES).applied(other)
        means = [blend_along_one_path([one, each], weights, body, anchor=0) for each in (other, elsewhere)]
        assert np.abs(means[0].poses.positions - means[1].poses.positions).max() < 1e-9

    def test_a_motion_with_all_the_weight_from_the_start_stays_bit_for_bit(self):
        one, other = unscaled(walker(1)), unscaled(walker(2))
        share = np.clip(np.linspace(-1.0, 1.0, FRAMES), 0.0, 1.0)
        weights = np.stack([1.0 - share, share], axis=1)
        alone = share == 0.0
        laid = along_one_path([one, other], weights, body_of(one))
        assert np.array_equal(laid[0].rotations[alone], one.rotations[alone])
        assert np.array_equal(laid[0].locations[alone], one.locations[alone])
        for number, motion in enumerate((one, other)):
            whole = blend_along_one_path([one, other], np.eye(2)[number], body_of(one))
            assert_same(whole, motion)

    def test_all_lie_on_one_way(self):
        motions = [unscaled(walker(seed, speed=5.0 + seed)) for seed in range(3)]
        body = body_of(motions[0])
        paths = [ground_path(each, body) for each in along_one_path(motions, [0.2, 0.3, 0.5], body)]
        for path in paths[1:]:
            assert np.abs(path.places - paths[0].places).max() < 1e-9
            assert np.abs(np.sin(path.headings - paths[0].headings)).max() < 1e-9

    def test_of_a_motion_with_itself_is_that_motion(self):
        motion = unscaled(walker())
        mean = blend_along_one_path([motion, motion], [0.3, 0.7], body_of(motion))
        assert np.abs(mean.poses.positions - motion.poses.positions).max() < 1e-9


class TestTime:
    def test_a_retimed_motion_is_brought_back(self):
        motion = unscaled(walker())
        end = motion.times[-1]
        timing = TimeMap.through([0.0, 1.0, 2.0], [0.0, 0.4 * end, end])
        retimed = timing.apply(motion)
        found = align_in_time(motion, retimed, body_of(motion))
        back = found.apply(retimed, motion.times)
        assert np.abs(timing(found(motion.times)) - motion.times).max() < 1.5 / motion.rate
        assert quaternion.angle_between(back.rotations, motion.rotations).max() < 0.06

    def test_another_rate_is_no_matter(self):
        motion = unscaled(walker())
        finer = replace(motion.at(np.arange(2 * FRAMES - 1) / 60.0), rate=60.0)
        found = align_in_time(motion, finer, body_of(motion))
        assert np.abs(found(motion.times) - motion.times).max() < 1e-6

    @pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
    def test_in_step_lasts_as_long_as_the_mean(self, share):
        motion = unscaled(walker())
        slower = replace(motion.at(np.linspace(0.0, motion.times[-1], 70)), times=np.arange(70) / 30.0)
        steps = in_step([motion, slower], [1.0 - share, share], body_of(motion))
        assert len(steps[0]) == len(steps[1]) == round(FRAMES + share * (70 - FRAMES))
        assert quaternion.angle_between(steps[0].rotations, steps[1].rotations).max() < 0.05
        whole = (motion, slower)[round(share)]
        if share in (0.0, 1.0):
            assert quaternion.angle_between(steps[round(share)].rotations, whole.rotations).max() < 1e-9

    def test_in_step_is_no_matter_of_the_order(self):
        motion = unscaled(walker())
        timing = TimeMap.through([0.0, 1.0, 2.0], [0.0, 0.4 * motion.times[-1], motion.times[-1]])
        retimed = timing.apply(motion)
        one, other = (
            blend(in_step(pair, weights, body_of(motion)), weights)
            for pair, weights in (([motion, retimed], [0.3, 0.7]), ([retimed, motion], [0.7, 0.3]))
        )
        assert len(one) == len(other)
        assert quaternion.angle_between(one.rotations, other.rotations).max() < 0.06

    def test_lengths_too_different_are_refused(self):
        motion = unscaled(walker())
        with pytest.raises(UnalignableError, match="cannot be aligned"):
            align_in_time(motion, motion.part(0, 10), body_of(motion))
        with pytest.raises(TooFewFramesError, match="needs 2 frames"):
            align_in_time(motion, motion.part(0, 1), body_of(motion))


def clip_named(clips_folder, name: str) -> AnnotatedClip:
    return next(clip for clip in annotated_clips(clips_folder) if clip.name == name)


@pytest.mark.clips
def test_half_walk_half_march_lifts_its_feet_only_in_step(clips_folder):
    """The example of the chapter: out of step the feet hover, in step they rise between walk and march."""
    walk, march = (clip_named(clips_folder, name) for name in ("cmu_07_01_walk", "cmu_138_01_march"))
    left = walk.body.get("left foot")
    one = step_of(walk, "left")
    same_foot, other_foot = (with_frames_of(one, step_of(march, side)) for side in ("left", "right"))
    timed = align_in_time(one, same_foot, walk.body).apply(same_foot, one.times)
    own, in_step, stretched, out_of_step = (
        np.ptp(motion.poses.positions[:, left, 1])
        for motion in (
            one,
            *(blend_along_one_path([one, each], [0.5, 0.5], walk.body) for each in (timed, same_foot, other_foot)),
        )
    )
    assert out_of_step < own < stretched < in_step


@pytest.mark.clips
def test_a_walk_blended_with_a_run_has_a_tempo_and_speed_between(clips_folder):
    walk, run = (clip_named(clips_folder, name) for name in ("cmu_07_01_walk", "cmu_09_01_run"))
    side = next(side for side in ("left", "right") if len(footfalls(run, side)) > 1)
    one, other = (step_of(clip, side) for clip in (walk, run))
    steps = in_step([one, other], [0.5, 0.5], walk.body)
    mean = blend_along_one_path(steps, [0.5, 0.5], walk.body)
    assert len(other) < len(mean) < len(one)
    speeds = [speed_of(each, walk.body) for each in (one, mean, other)]
    assert speeds[0] < speeds[1] < speeds[2]


def speed_of(motion: Motion, body: Body) -> float:
    start, end = ground_path(motion, body).places[[0, -1]]
    return float(np.linalg.norm(end - start) / (motion.times[-1] - motion.times[0]))


def step_of(clip: AnnotatedClip, side: str) -> Motion:
    """From one footfall to the next of the same foot."""
    starts = footfalls(clip, side)
    return clip.motion.part(starts[0], starts[1] + 1)


def footfalls(clip: AnnotatedClip, side: str) -> list[int]:
    return [first - clip.lead for first, _ in clip.notes["foot_contacts"][side] if first > clip.lead]


def with_frames_of(motion: Motion, other: Motion) -> Motion:
    """The other motion stretched evenly to the frames of the first."""
    evenly = other.at(np.linspace(other.times[0], other.times[-1], len(motion)))
    return replace(evenly, times=motion.times, rate=motion.rate)
