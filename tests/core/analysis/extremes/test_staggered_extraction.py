"""Extraction of staggered poses: slow reference, laws, refusals, annotated clips."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import slow_extraction
from annotated_clips import Score, annotated_clips, evenly_spaced
from annotated_extremes import extreme_scores
from made_motion import chain, random_skeleton, smooth_curves, smooth_rotations, swinging_chain
from scipy.signal import peak_prominences, windows

from core.analysis.contacts import ContactSpans
from core.analysis.extremes import evidence
from core.analysis.extremes.candidates import cull
from core.analysis.extremes.extraction import extract_poses
from core.analysis.extremes.options import ExtractionOptions
from core.analysis.extremes.peaks import maxima, prominences, signal_extremes
from core.analysis.extremes.refinement import JointExtremes, as_poses, joint_extremes, strongest
from core.body import Axis, Body, find_body
from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.sample_motion import sample_events, sample_motion

NO_CONTACTS = ContactSpans()


def body_of(motion: Motion, height: float = 3.0) -> Body:
    return Body(motion.skeleton, root=int(motion.skeleton.levels[0][0]), up=Axis.PLUS_Y, height=height)


def busy_motion(joints=5, frames=150, rate=30.0, seed=2) -> Motion:
    """Random rest axes and branches, several swings a second, a wandering root, one joint at rest."""
    skeleton = random_skeleton(joints, seed)
    rotations = np.array(smooth_rotations(frames, joints, seed, reach=3.0))
    fast = quaternion.exp(0.4 * np.sin(np.arange(frames) / 3.0)[:, None, None] * np.ones((1, joints, 3)))
    rotations = np.array(quaternion.multiply(rotations, fast))
    rotations[:, 2] = rotations[0, 2]
    locations = np.zeros((frames, joints, 3))
    locations[:, int(skeleton.levels[0][0])] = smooth_curves(frames, 3, seed + 5)
    return Motion.build(skeleton, rotations, rate=rate, locations=locations)


# Joints and contacts alone, without what is seen of the body.
PLAIN = ExtractionOptions(height_weight=0.0, lean_weight=0.0, stroke_weight=0.0)


@pytest.mark.parametrize("rate", [24.0, 60.0])
def test_agrees_with_the_plain_loops(rate):
    motion = busy_motion(rate=rate)
    body = body_of(motion, height=1e3)  # so tall that every extreme pose counts as one
    contacts = ContactSpans({"joint 1": ((0.0, motion.times[40]), (motion.times[70], motion.times[-1]))})
    path = motion.poses.positions[:, body.root]
    signals, weights = slow_extraction.evidence(motion, PLAIN, path, body.height)
    probability = slow_extraction.pose_probability(signals, weights, [40, 70], rate, PLAIN)
    found = extract_poses(motion, body, contacts=contacts, options=PLAIN)
    # The kernel's cut-off tails are all that differs.
    np.testing.assert_allclose(found.probability, probability, atol=2e-5)
    frames = slow_extraction.poses_of(probability, rate, PLAIN)
    assert found.frames.tolist() == frames
    poses = motion.times[frames].tolist()
    np.testing.assert_allclose(found.times, poses)
    expected = slow_extraction.priorities(poses, probability[frames].tolist())
    np.testing.assert_allclose(found.priorities, expected, atol=1e-4)
    for joint in (0, 1, 3, 4):
        points = slow_extraction.turning_points(motion, joint)
        slow = [slow_extraction.refinement(poses, k, points, PLAIN.refinement_bound) for k in range(len(poses))]
        np.testing.assert_allclose(found.refinements[:, joint], slow, atol=1e-9)
    assert len(poses) > 3
    assert np.count_nonzero(found.refinements) > 5


def test_prominences_are_those_of_scipy():
    random = np.random.default_rng(0)
    for count in (5, 30, 300):
        signal = np.convolve(random.normal(size=count + 2), np.ones(3), mode="valid")
        peaks = maxima(signal)
        np.testing.assert_allclose(prominences(signal, peaks), peak_prominences(signal, peaks)[0])
    wave = np.sin(np.linspace(0.0, 6.0 * np.pi, 301))
    frames, amounts = signal_extremes(wave, 1.5)
    assert sorted(frames.tolist()) == [75, 125, 175, 225]
    np.testing.assert_allclose(amounts, 2.0, atol=1e-3)


def test_of_two_extremes_the_stronger_one_belongs_to_the_pose():
    poses = np.array([0.0, 1.0, 2.0])
    found = JointExtremes(np.array([0.95, 1.15]), np.array([8.0, 40.0]))
    np.testing.assert_allclose(strongest(found, poses, 0.25), [0.0, 0.15, 0.0])
    np.testing.assert_allclose(strongest(found, poses, 0.1), [0.0, -0.05, 0.0])


def test_a_joint_that_twists_has_extremes():
    angles = 0.8 * np.sin(np.linspace(0.0, 6.0 * np.pi, 181))
    rotations = np.zeros((181, 2, 4))
    rotations[:, 0] = quaternion.from_axis_angle([0.0, 1.0, 0.0], angles)
    rotations[:, 1, 0] = 1.0
    motion = Motion.build(chain(2), rotations, rate=30.0)
    np.testing.assert_allclose(joint_extremes(motion, 0).times * 30.0, [15, 45, 75, 105, 135, 165], atol=1.0)
    assert not len(joint_extremes(motion, 1).times)


def test_extremes_that_are_no_pose_together_are_given_up():
    """Two joints that undo each other: their extremes a quarter of a second apart make a pose that never is."""
    swing = 1.2 * np.sin(np.linspace(0.0, 8.0 * np.pi, 241))
    vectors = np.zeros((241, 3, 3))
    vectors[:, 0, 0], vectors[:, 1, 0] = swing, -swing
    motion = Motion.build(chain(3), quaternion.exp(vectors), rate=60.0)
    frames = np.array([0, 60, 120, 240])
    asked = np.zeros((4, 3))
    asked[1:3, 0] = 0.24
    size = float(np.ptp(motion.skeleton.rest_positions, axis=0).max())
    kept = as_poses(asked, motion, frames, 0, size)
    assert not kept[1:3, 0].any()
    asked[1:3, 0] = 0.03
    np.testing.assert_array_equal(as_poses(asked, motion, frames, 0, size), asked)


def test_highest_and_lowest_moments_are_poses():
    frames, rate = 241, 60.0
    locations = np.zeros((frames, 2, 3))
    locations[:, 0, 1] = 0.4 * np.sin(np.linspace(0.0, 4.0 * np.pi, frames))
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 2, 1))
    motion = Motion.build(chain(2), rotations, rate=rate, locations=locations)
    found = extract_poses(motion, body_of(motion), contacts=NO_CONTACTS)
    np.testing.assert_allclose(found.frames, [0, 30, 90, 150, 210, 240], atol=1)


def test_a_loop_has_the_same_poses_wherever_it_begins():
    count, rate = 60, 30.0
    phase = 2.0 * np.pi * np.arange(count + 1) / count
    vectors = np.zeros((count + 1, 4, 3))
    for joint in range(4):
        vectors[:, joint, 0] = 0.7 * np.sin(phase + 0.2 * joint)
    motion = Motion.build(chain(4), quaternion.exp(vectors), rate=rate)
    turned = Motion.build(chain(4), quaternion.exp(np.roll(vectors[:-1], -12, axis=0)[[*range(60), 0]]), rate=rate)
    one, other = (extract_poses(each, body_of(each), contacts=NO_CONTACTS, seam=0.0) for each in (motion, turned))
    np.testing.assert_array_equal(other.refinements[0], other.refinements[-1])
    assert np.count_nonzero(other.refinements[0]) >= 3  # extremes on both sides of the seam belong to it
    assert other.refinements[0].min() < 0.0 < other.refinements[0].max()
    inner = sorted((one.frames[1:-1] - 12) % 60)
    shared = [f for f in inner if 3 < f < 57]
    assert len(shared) >= 1
    for frame in shared:
        assert np.abs(other.frames - frame).min() <= 1


@pytest.mark.parametrize("spread", [0.0, 0.3, 1.0, 2.1, 8.4])
def test_the_smoothing_kernel_is_the_iterated_step(spread):
    impulse = np.zeros(201)
    impulse[100] = 1.0
    kernel = evidence.laplacian_kernel(spread)
    assert len(kernel) % 2 == 1
    np.testing.assert_allclose(evidence.filtered(impulse, kernel), slow_extraction.smoothed(impulse, spread), atol=2e-5)
    reach = np.arange(len(kernel)) - len(kernel) // 2
    assert np.sqrt((kernel * reach**2).sum()) == pytest.approx(spread, rel=5e-3, abs=1e-12)


@pytest.mark.parametrize("samples", [2, 4, 18])
def test_the_tent_is_a_triangle(samples):
    triangle = windows.bartlett(samples + 1)[1:-1]
    np.testing.assert_allclose(evidence.tent_kernel(samples), triangle / triangle.sum(), atol=1e-12)


def test_curvature_is_the_sine_of_half_the_turn():
    for turn in (0.0, 0.1, 1.0, np.pi / 2, 3.0, np.pi):
        corner = np.array([[0.0, 1.0, 1.0 + np.cos(turn)], [0.0, 0.0, np.sin(turn)], [0.0, 0.0, 0.0]])
        found, length = evidence.path_evidence(corner, step=1, still=0.0)
        np.testing.assert_allclose(found, [0.0, np.sin(turn / 2), 0.0], atol=1e-7)
        assert length == pytest.approx(2.0)


def test_twisting_is_seen_by_the_second_trail_and_has_no_weight():
    skeleton = chain(2)
    angles = 0.8 * np.sin(np.linspace(0.0, 6 * np.pi, 90))
    rotations = quaternion.from_axis_angle([0.0, 1.0, 0.0], angles)
    (ends, _) = evidence.limb_ends(skeleton)
    turning, arcs = evidence.rotation_evidence(rotations.T, ends, step=1, still=0.0)
    assert turning.max() > 0.9
    np.testing.assert_allclose(arcs, 0.0, atol=1e-12)


def test_zero_length_bones_are_looked_through():
    positions = [[0, 0, 0], [0, 0, 0], [0, 2, 0], [1, 0, 0]]
    skeleton = Skeleton.build(["hips", "socket", "thigh", "side"], [-1, 0, 1, 0], np.array(positions, dtype=float))
    hips, socket, thigh, _ = evidence.limb_ends(skeleton)
    assert sorted(hips.joints) == [2, 3]
    assert socket.joints == (2,)
    assert thigh.joints == (2,)
    for ends in (hips, socket, thigh):
        np.testing.assert_allclose((ends.directions * ends.across).sum(axis=1), 0.0, atol=1e-12)
        np.testing.assert_allclose(np.linalg.norm(ends.across, axis=1), 1.0)


def test_a_motion_at_rest_has_only_its_ends():
    rotations = np.tile(quaternion.normalize([1.0, 2.0, 3.0, 4.0]), (50, 3, 1))
    motion = Motion.build(chain(3), rotations, rate=30.0)
    found = extract_poses(motion, body_of(motion))
    assert found.frames.tolist() == [0, 49]
    assert not found.probability.any()
    assert not found.refinements.any()


@pytest.mark.parametrize("frames", [1, 2, 3, 4])
def test_very_short_motions_keep_their_ends(frames):
    found = extract_poses(motion := swinging_chain(frames=frames), body_of(motion))
    assert found.frames[0] == 0
    assert found.frames[-1] == frames - 1
    assert len(found.probability) == frames


def test_the_motion_and_positions_are_left_alone():
    motion = busy_motion()
    positions = np.array(motion.poses.positions)
    copies = np.array(motion.rotations), positions.copy()
    extract_poses(motion, body_of(motion), positions=positions)
    np.testing.assert_array_equal(motion.rotations, copies[0])
    np.testing.assert_array_equal(positions, copies[1])


def test_places_from_elsewhere_decide_over_the_roots_path():
    motion = busy_motion()
    body = body_of(motion)
    straight = np.array(motion.poses.positions)
    straight[:, body.root] = np.linspace(0.0, 5.0, len(motion))[:, None]
    own = extract_poses(motion, body, contacts=NO_CONTACTS)
    given = extract_poses(motion, body, contacts=NO_CONTACTS, positions=straight)
    assert own.root_refinements.any()
    assert not given.root_refinements.any()


def test_turning_the_whole_scene_or_another_unit_changes_nothing():
    motion = busy_motion()
    body = body_of(motion)
    before = extract_poses(motion, body, contacts=NO_CONTACTS, options=PLAIN)  # heights know where up is
    turn, scale = quaternion.normalize([1.0, 0.3, -0.5, 0.2]), 39.37
    places = scale * quaternion.rotate(turn, motion.poses.positions)
    skeleton = replace(
        motion.skeleton, rest_positions=scale * motion.skeleton.rest_positions, tips=scale * motion.skeleton.tips
    )
    larger = replace(motion, skeleton=skeleton)
    body = replace(body, skeleton=skeleton, height=scale * body.height)
    after = extract_poses(larger, body, contacts=NO_CONTACTS, positions=places, options=PLAIN)
    np.testing.assert_allclose(after.probability, before.probability, atol=1e-9)
    assert after.frames.tolist() == before.frames.tolist()


def test_a_change_of_contact_makes_a_pose_and_its_weight_can_be_taken_away():
    motion = swinging_chain(joints=2, frames=120, rate=60.0)
    body = body_of(motion)
    spans = ContactSpans({"joint 1": ((0.0, float(motion.times[61])),)})
    strong, none = ExtractionOptions(contact_weight=20.0), ExtractionOptions(contact_weight=0.0)
    assert 61 in extract_poses(motion, body, contacts=spans, options=strong).frames
    without = extract_poses(motion, body, contacts=NO_CONTACTS)
    ignored = extract_poses(motion, body, contacts=spans, options=none)
    assert ignored.frames.tolist() == without.frames.tolist()


def test_refinements_keep_to_their_bounds():
    motion = busy_motion(frames=400, rate=60.0)
    found = extract_poses(motion, body_of(motion))
    refined = np.column_stack([found.refinements, found.root_refinements])
    assert not refined[[0, -1]].any()
    knots = found.times[:, None] + refined
    assert np.abs(refined).max() < 0.25
    middles = 0.5 * (found.times[1:] + found.times[:-1])
    assert (knots[:-1] < middles[:, None]).all()
    assert (knots[1:] > middles[:, None]).all()
    tight = extract_poses(motion, body_of(motion), options=ExtractionOptions(refinement_bound=0.05))
    assert 0.0 < np.abs(tight.refinements).max() < 0.05


def test_the_rate_hardly_matters():
    motions = [sample_motion(rate) for rate in (120.0, 60.0, 30.0, 24.0)]
    fine, *coarse = (extract_poses(motion, find_body(motion.skeleton, motion=motion)) for motion in motions)
    for other in coarse:
        assert abs(len(fine) - len(other)) <= 0.1 * len(fine)
        score = Score()
        score.add_times(other.times, fine.times, 0.08)
        assert min(score.precision, score.recall) > 0.85


def test_the_sample_motion_has_poses_at_its_steps_jump_and_punches():
    motion = sample_motion(60.0)
    found = extract_poses(motion, find_body(motion.skeleton, motion=motion))
    events = sample_events()
    # The landing's lowest point follows the touch-down within 0.2 s and shares its pose.
    extremes = [*(time for _, time in (*events.punches, *events.steps)), events.crouches[0], *events.flight]
    score = Score()
    score.add_times(found.times, extremes, 0.15)
    assert score.recall == 1.0
    assert len(found) < 3.5 * events.duration


def test_fewer_poses_are_always_among_more():
    motion = busy_motion(frames=600, rate=60.0)
    found = extract_poses(motion, body_of(motion))
    kept = [set(cull(found, share=share).tolist()) for share in np.linspace(0.0, 1.0, 9)]
    assert all(fewer <= more for fewer, more in pairwise(kept))
    assert len(kept[-1]) == len(found)


# Seconds within which a pose is at an event.
_NEAR = 0.05


def extraction_scores(folder: Path, *, share: float = 1.0) -> dict[str, tuple[Score, Score]]:
    """By clip, how the extracted poses and as many evenly spaced ones meet the annotated events.

    The forced first and last pose count for neither.
    """
    scores = {}
    for clip in annotated_clips(folder):
        events = clip.events() + clip.motion.times[0]
        if not len(events):
            continue
        found = extract_poses(clip.motion, clip.body)
        times = found.times[cull(found, share=share)]
        ours, even = Score(), Score()
        ours.add_times(times[1:-1], events, _NEAR)
        even.add_times(evenly_spaced(times)[1:-1], events, _NEAR)
        scores[clip.name] = ours, even
    return scores


def total(scores) -> Score:
    return Score(*(sum(getattr(score, name) for score in scores) for name in ("hits", "found", "met", "wanted")))


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_poses_fall_on_annotated_events(clips_folder: Path, share: float) -> None:
    scores = extraction_scores(clips_folder, share=share)
    ours, even = (total(column) for column in zip(*scores.values(), strict=True))
    assert ours.wanted > 150
    if share == 1.0:
        assert ours.recall >= 0.7
    assert ours.recall > 2.0 * even.recall
    assert ours.precision > 2.0 * even.precision
    # Sitting is annotated by levels that the hips cross, which are no extremes.
    worse = [name for name, (own, spaced) in scores.items() if own.recall < spaced.recall and "sit" not in name]
    assert len(worse) <= 2, worse


def test_extremes_of_clips_that_nothing_was_tuned_on_are_found(clips_folder: Path) -> None:
    scores = extreme_scores(clips_folder)
    assert scores.poses.wanted > 300
    assert scores.poses.recall > 0.7
    assert scores.poses.precision > 0.6
    assert scores.poses.recall > scores.peaks.recall + 0.2
    assert scores.poses.precision > scores.peaks.precision + 0.2
    assert scores.kinds["highest"].recall > 0.8
    assert scores.reversals.wanted > 1000
    assert scores.reversals.recall >= 0.8
    assert scores.no_pose == 0
