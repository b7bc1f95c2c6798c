"""Staggered poses as a representation: exact, local, layered (section 3)."""

from __future__ import annotations

import numpy as np
import pytest
import slow_staggered
from made_motion import chain, noisy_curves, random_rotations, smooth_curves, swinging_chain

from core import quaternion
from core.body import find_body
from core.bvh import read_bvh
from core.errors import TooFewFramesError
from core.motion import Motion
from core.quaternion import Array
from core.sample_motion import sample_motion
from core.staggered import (
    StaggeredMotion,
    evaluate,
    extract_poses,
    fit,
    insert_pose,
    retime,
    scale_stagger,
    succession,
    tangents,
    true_pose,
    with_detail_strength,
    with_layer,
    with_tangents,
    without_layer,
)
from core.staggered.algebra import NUMBER, ROTATION

POSE_TIMES = [0.0, 0.7, 1.5, 2.1, 3.3]


def noisy_motion(joints: int = 4, frames: int = 100, seed: int = 0) -> Motion:
    """A chain with fine noise on every channel: rotations, two locations, scales, scalars."""
    vectors = 0.9 * noisy_curves(frames, joints * 3, seed).reshape(frames, joints, 3)
    locations, scales = np.zeros((frames, joints, 3)), np.ones((frames, joints, 3))
    locations[:, [0, 2]] = noisy_curves(frames, 6, seed + 1).reshape(frames, 2, 3)
    scales[:, 1] += 0.1 * smooth_curves(frames, 3, seed + 2)
    return Motion.build(
        chain(joints),
        quaternion.exp(vectors),
        rate=30.0,
        locations=locations,
        scales=scales,
        scalars=noisy_curves(frames, 2, seed + 3),
        scalar_names=("blink", "smile"),
    )


def staggered(motion: Motion, seed: int = 0, times: list[float] = POSE_TIMES) -> StaggeredMotion:
    """Fitted with refinements of up to a fifth of a second, none at the ends."""
    spread = np.random.default_rng(seed).uniform(-0.2, 0.2, size=(len(times), len(motion.skeleton)))
    spread[[0, -1]] = 0.0
    return fit(motion, times, spread)


def largest_difference(a: Motion, b: Motion) -> float:
    """Radians or units, over all channels."""
    numbers = [np.abs(getattr(a, name) - getattr(b, name)) for name in ("locations", "scales", "scalars")]
    turned = quaternion.angle_between(a.rotations, b.rotations)
    return float(max([turned.max(), *(part.max() for part in numbers if part.size)]))


def unchanged_frames(a: Motion, b: Motion) -> Array:
    """(F,) all channels of the frame are the same bit for bit."""
    same = [
        (getattr(a, name) == getattr(b, name)).reshape(len(a), -1).all(axis=1)
        for name in ("rotations", "locations", "scales", "scalars")
    ]
    return np.all(same, axis=0)


def test_operators_apply_the_second_after_the_first():
    a, b = random_rotations(5, seed=1), random_rotations(5, seed=2)
    composed = ROTATION.concatenate(a, b)
    expected = slow_staggered.rotation(b) * slow_staggered.rotation(a)
    np.testing.assert_allclose((slow_staggered.rotation(composed) * expected.inv()).magnitude(), 0.0, atol=1e-12)
    np.testing.assert_allclose(NUMBER.concatenate([[1.0]], [[2.0]]), [[3.0]])


@pytest.mark.parametrize("algebra", [ROTATION, NUMBER])
def test_factoring_undoes_concatenating(algebra):
    random = np.random.default_rng(3)
    a, b = (algebra.exp(random.normal(size=(6, algebra.offset_width))) for _ in range(2))
    np.testing.assert_allclose(algebra.factor(algebra.concatenate(a, b), a), b, atol=1e-12)


def test_unedited_poses_give_back_the_very_motion():
    motion = noisy_motion()
    assert evaluate(staggered(motion)) is motion


def test_splines_and_displacements_reproduce_the_motion():
    motion = noisy_motion()
    model = slow_staggered.everything_edited(staggered(motion))
    assert largest_difference(evaluate(model), motion) < 1e-12


def test_knots_between_frames_reproduce_the_motion():
    motion = noisy_motion()
    model = slow_staggered.everything_edited(staggered(motion, times=[0.0, 0.511, 1.2345, 2.02, 3.3]))
    assert largest_difference(evaluate(model), motion) < 1e-12


@pytest.mark.parametrize("frames", [2, 3, 4])
def test_short_motions(frames):
    motion = swinging_chain(joints=3, frames=frames)
    model = slow_staggered.everything_edited(fit(motion, [0.0, motion.times[-1]]))
    assert largest_difference(evaluate(model), motion) < 1e-12


def test_poses_need_not_cover_the_motion():
    motion = noisy_motion()
    model = slow_staggered.everything_edited(fit(motion, [1.0, 2.0]))
    assert largest_difference(evaluate(model), motion) < 1e-12


@pytest.mark.clips
@pytest.mark.parametrize("folder", ["dev", "odd"])
def test_every_clip_is_reproduced(clips_folder, folder):
    for path in sorted((clips_folder / folder).glob("*.bvh")):
        motion = read_bvh(path).to_motion()
        if len(motion) < 3:
            continue
        motion = motion.part(0, 1500)
        body = find_body(motion.skeleton, motion=motion)
        found = extract_poses(motion, body)
        model = fit(motion, found.times, found.refinements, root_refinements=found.root_refinements)
        again = evaluate(slow_staggered.everything_edited(model))
        height = body.height or np.ptp(motion.poses.positions[0], axis=0).max() or 1.0
        assert quaternion.angle_between(again.rotations, motion.rotations).max() < 1e-9, path.name
        assert np.abs(again.locations - motion.locations).max() < 1e-9 * height, path.name
        assert evaluate(model) is motion


def test_agrees_with_one_joint_and_one_time_at_once():
    motion = noisy_motion(joints=3, frames=60)
    model = staggered(motion, times=[0.0, 0.6, 1.2, motion.times[-1]])
    model = with_detail_strength(succession(retime(model, 1, 0.75), 0, 0.04), 1.7, poses=[1])
    times = np.array([0.0, 0.213, 0.61, 0.97, 1.31, 1.9])
    fast = evaluate(slow_staggered.everything_edited(model), times).rotations
    for frame, time in enumerate(times):
        for joint in range(3):
            slow = slow_staggered.evaluate_rotation(model, joint, float(time))
            assert quaternion.angle_between(fast[frame, joint], slow) < 1e-9


def test_single_frame_is_refused_with_a_reason():
    with pytest.raises(TooFewFramesError, match="need 2 frames, the motion has 1"):
        fit(swinging_chain(frames=3).part(0, 1), [0.0])


@pytest.mark.parametrize(("times", "message"), [([1.0, 1.0], "must increase"), ([0.0, 99.0], "within the motion")])
def test_bad_pose_times_are_refused(times, message):
    with pytest.raises(ValueError, match=message):
        fit(noisy_motion(), times)


def test_table_of_wrong_size_is_refused():
    with pytest.raises(ValueError, match="a column for each joint"):
        fit(noisy_motion(), POSE_TIMES, np.zeros((5, 3)))


def test_only_what_varies_is_a_variable():
    model = staggered(noisy_motion())
    assert model.variables.locations == (0, 2)
    assert model.variables.scales == (1,)
    assert model.variables.scalars == 2


def test_no_detail_leaves_the_bare_spline_through_the_same_knots():
    motion = noisy_motion()
    model = staggered(motion)
    bare = with_detail_strength(model, 0.0)
    knots = [float(time) for time in model.timing.extreme_times[:, 1]]
    np.testing.assert_allclose(evaluate(bare, knots).rotations[:, 1], motion.at(knots).rotations[:, 1], atol=1e-12)
    roughness = [np.abs(np.diff(m.rotations, n=4, axis=0)).mean() for m in (evaluate(bare), motion)]
    assert roughness[0] < 0.1 * roughness[1]


def test_detail_is_scaled_as_a_rotation():
    motion = noisy_motion()
    model = slow_staggered.everything_edited(staggered(motion))
    bare, double = (evaluate(with_detail_strength(model, strength)) for strength in (0.0, 2.0))
    once = quaternion.log(quaternion.multiply(motion.rotations, quaternion.conjugate(bare.rotations)))
    twice = quaternion.log(quaternion.multiply(double.rotations, quaternion.conjugate(bare.rotations)))
    np.testing.assert_allclose(twice, 2.0 * once, atol=1e-9)


def test_detail_of_one_joint_and_interval_leaves_the_rest():
    motion = noisy_motion()
    model = staggered(motion)
    result = evaluate(with_detail_strength(model, 0.0, poses=[2], joints=[1]))
    changed = (result.rotations != motion.rotations).any(axis=2)
    assert changed[:, 1].any()
    assert not np.delete(changed, 1, axis=1).any()
    first, last = np.flatnonzero(changed[:, 1])[[0, -1]]
    knots = model.timing.slot_times[:, 1]
    assert knots[5] <= motion.times[first]
    assert motion.times[last] <= np.nanmin(np.where(model.timing.slots_used[7:, 1], knots[7:], np.nan))


def test_tangents_bend_the_spline_and_move_with_their_knot():
    model = fit(noisy_motion(), POSE_TIMES)
    arriving, leaving = tangents(model, 2, 1)
    longer = leaving + np.array([0.3, 0.0, 0.0])
    bent = with_tangents(model, 2, 1, leaving=longer)
    np.testing.assert_array_equal(tangents(bent, 2, 1)[1], longer)
    np.testing.assert_array_equal(tangents(bent, 2, 1)[0], arriving)
    same = unchanged_frames(evaluate(bent), model.source)
    times = model.source.times
    assert not same[(times > 1.55) & (times < 2.05)].any()
    assert same[(times <= 1.5) | (times >= 2.1)].all()


def test_tangents_of_a_location_are_a_vector():
    model = fit(noisy_motion(), POSE_TIMES)
    bent = with_tangents(model, 1, 2, arriving=[1.0, 2.0, 3.0], channel="location")
    np.testing.assert_array_equal(tangents(bent, 1, 2, channel="location")[0], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="not a control variable"):
        tangents(model, 1, 1, channel="location")


def test_spline_velocity_is_continuous_at_editing_knots():
    model = with_detail_strength(staggered(noisy_motion()), 0.0)
    step, found = 1e-5, 0
    for pose in range(1, 4):
        for joint in range(4):
            if model.timing.has_companion[pose, joint]:
                time = model.timing.companion_times[pose, joint]
                before, at, after = evaluate(model, [time - step, time, time + step]).rotations[:, joint]
                speeds = [
                    quaternion.log(quaternion.multiply(b, quaternion.conjugate(a))) / step
                    for a, b in ((before, at), (at, after))
                ]
                np.testing.assert_allclose(speeds[0], speeds[1], atol=2e-2)
                found += 1
    assert found > 8


def test_layer_leads_to_another_motion_and_away_again():
    motion, target = noisy_motion(), noisy_motion(seed=9)
    model = staggered(motion)
    layered = with_layer(model, target)
    assert largest_difference(evaluate(layered), target) < 1e-12
    assert evaluate(without_layer(layered)) is motion
    assert largest_difference(evaluate(with_layer(layered, motion)), motion) < 1e-12


def test_layers_compose_in_order():
    motion = noisy_motion(joints=3, frames=40)
    model = fit(motion, [0.0, 0.6, motion.times[-1]])
    target = noisy_motion(joints=3, frames=40, seed=4)
    layered = with_layer(model, target)
    for time in (0.3, 0.95):
        slow = slow_staggered.evaluate_rotation(layered, 1, time)
        assert quaternion.angle_between(evaluate(layered, [time]).rotations[0, 1], slow) < 1e-9


def test_layer_on_one_joint_leaves_the_others_bit_for_bit():
    motion = noisy_motion()
    rotations = np.array(motion.rotations)
    rotations[:, 2] = quaternion.multiply(quaternion.exp([0.3, 0.0, 0.1]), rotations[:, 2])
    result = evaluate(with_layer(staggered(motion), motion.with_rotations(rotations)))
    changed = (result.rotations != motion.rotations).any(axis=(0, 2))
    assert changed.tolist() == [False, False, True, False]


def test_structure_change_merges_layers_without_changing_the_motion():
    model = with_layer(staggered(noisy_motion()), noisy_motion(seed=5))
    inserted = insert_pose(model, 1.0)
    assert len(inserted.rotations.layers) == 1
    assert largest_difference(evaluate(slow_staggered.everything_edited(inserted)), evaluate(model)) < 1e-9


def test_first_layer_stays():
    with pytest.raises(ValueError, match="cannot be taken away"):
        without_layer(staggered(noisy_motion()))


def test_input_is_left_alone():
    motion = noisy_motion()
    before = np.array(motion.rotations)
    model = staggered(motion)
    values = np.array(model.rotations.values)
    evaluate(scale_stagger(retime(model, 2, 1.6), 2.0))
    np.testing.assert_array_equal(motion.rotations, before)
    np.testing.assert_array_equal(model.rotations.values, values)
    with pytest.raises(ValueError, match="read-only"):
        model.pose_times[0] = 1.0


def test_one_time_is_what_the_whole_motion_shows():
    model = succession(retime(staggered(noisy_motion()), 2, 1.6), 0, 0.05)
    whole = evaluate(model)
    assert largest_difference(evaluate(model, whole.times[41]), whole.part(41, 42)) < 1e-12
    assert largest_difference(true_pose(model, 3), evaluate(model, [model.pose_times[3]])) < 1e-15


def test_sample_motion_is_reproduced():
    motion = sample_motion()
    found = extract_poses(motion, find_body(motion.skeleton, motion=motion))
    model = fit(motion, found.times, found.refinements, root_refinements=found.root_refinements)
    assert largest_difference(evaluate(slow_staggered.everything_edited(model)), motion) < 1e-12


def test_a_layer_reaches_places_that_never_moved_before():
    motion = swinging_chain(joints=3, frames=60)
    model = fit(motion, motion.times[[0, 20, 40, 59]])
    locations = np.array(motion.locations)
    locations[25:35, 1, 2] += np.hanning(10)
    reached = evaluate(with_layer(model, motion.with_locations(locations)))
    np.testing.assert_allclose(reached.locations, locations, atol=1e-12)
    np.testing.assert_array_equal(reached.rotations, motion.rotations)
