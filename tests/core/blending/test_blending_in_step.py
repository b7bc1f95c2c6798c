"""Motions that are laid on one way and brought in step before they are blended."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from annotated_clips import AnnotatedClip, annotated_clips
from made_motion import Motion
from made_walkers import FRAMES, UP, assert_same, unscaled, walker

from core.analysis.alignment import UnalignableError
from core.analysis.ground_paths import ground_path
from core.blending import (
    align_in_time,
    align_on_ground,
    along_one_path,
    blend,
    blend_along_one_path,
    in_step,
)
from core.body import Body, find_body
from core.errors import TooFewFramesError
from core.motion.ground_move import GroundMove
from core.motion.time_maps.time_map import TimeMap
from core.numerics import quaternion


def body_of(motion: Motion) -> Body:
    return find_body(motion.skeleton)


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
