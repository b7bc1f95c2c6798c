"""Changing when poses and their parts happen (5.2)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import slow_staggered
from hypothesis import given, settings, strategies
from made_staggered import POSE_TIMES, largest_difference, noisy_motion, staggered, unchanged_frames
from scipy.optimize import isotonic_regression

from core.numerics import quaternion
from core.staggered import (
    Tightness,
    copy_stagger,
    evaluate,
    fit,
    frame_times,
    random_stagger,
    restagger,
    retime,
    scale_stagger,
    succession,
    time_limits,
    timing_warnings,
    with_detail_strength,
    with_extreme_pose,
    with_refinements,
)
from core.staggered.edits.timing_edits import with_times_of
from core.staggered.warping.knot_order import in_order


def test_retiming_one_pose_moves_nothing_outside_its_two_intervals():
    model = staggered(noisy_motion())
    result = evaluate(retime(model, 2, 1.62))
    same, times = unchanged_frames(result, model.source), model.source.times
    knots = model.timing
    before = np.maximum(knots.extreme_times[1], knots.companion_times[1]).min()
    after = np.maximum(knots.extreme_times[3], knots.companion_times[3]).max()
    assert same[(times < before) | (times > after)].all()
    assert not same[(times > 1.4) & (times < 1.6)].any()


def test_retimed_pose_shows_at_its_new_time_what_it_showed_at_the_old():
    model = fit(noisy_motion(), POSE_TIMES)
    result = retime(model, 2, 1.63)
    assert largest_difference(evaluate(result, [1.63]), model.source.at([1.5])) < 1e-12


def test_time_runs_smoothly_and_forward_through_the_extremes():
    model = staggered(noisy_motion())
    moved = random_stagger(retime(model, 2, 1.66), 0.1, seed=4)
    for variable in range(4):
        knots = moved.timing.extreme_times[:, variable]
        times = np.linspace(knots[0], knots[-1], 3301)
        old = moved.warps.old_times(variable, times)
        speeds = np.diff(old) / np.diff(times)
        assert speeds.min() > 0.0
        assert np.abs(np.diff(speeds)).max() < 0.12
        np.testing.assert_array_equal(moved.warps.old_times(variable, knots), model.timing.extreme_times[:, variable])
        np.testing.assert_allclose(moved.warps.new_times(variable, old), times, atol=1e-9)
        slow = [slow_staggered.old_time(moved, variable, float(time)) for time in times[::100]]
        np.testing.assert_allclose(old[::100], slow, atol=1e-9)


def test_editing_knots_ride_along_between_their_extremes():
    model = staggered(noisy_motion())
    moved = retime(model, 2, 1.75)
    old, new = model.settled_timing(), moved.settled_timing()
    riding = np.flatnonzero(old.has_companion[2, :4])
    assert len(riding) > 2
    for joint in riding:
        extremes = [float(moved.timing.extreme_times[pose, joint]) for pose in (1, 2, 3)]
        low, high = extremes[:2] if old.companions[2, joint] < 0.0 else extremes[1:]
        companion = float(new.companion_times[2, joint])
        assert low < companion < high
        assert companion != pytest.approx(float(old.companion_times[2, joint]) + 0.25)
        assert moved.warps.old_times(int(joint), np.array([companion]))[0] == pytest.approx(
            float(old.companion_times[2, joint])
        )


def test_time_is_never_so_fast_that_a_joint_outruns_itself():
    motion = noisy_motion()
    model = staggered(motion)
    paces = quaternion.angle_between(motion.rotations[1:], motion.rotations[:-1]) * motion.rate
    for edited in (
        scale_stagger(model, 3.0),
        scale_stagger(model, 0.0),
        random_stagger(model, 0.4),
        retime(model, 2, 2.0),
    ):
        shown = evaluate(edited)
        found = quaternion.angle_between(shown.rotations[1:], shown.rotations[:-1]) * motion.rate
        assert (found.max(axis=0) < 4.0 * paces.max(axis=0) + np.radians(150.0)).all()
        assert (np.diff(edited.timing.extreme_times, axis=0) > 0.0).all()


def test_refinements_move_with_their_pose():
    model = staggered(noisy_motion())
    moved = retime(model, 2, 1.62)
    np.testing.assert_allclose(moved.timing.extreme_times[2] - 1.62, model.timing.extreme_times[2] - 1.5)


def test_back_again_is_the_motion_bit_for_bit():
    model = staggered(noisy_motion())
    assert evaluate(retime(retime(model, 2, 1.7), 2, 1.5)) is model.source


def test_poses_stay_between_their_neighbours():
    model = staggered(noisy_motion())
    low, high = time_limits(model, 2)
    assert low > POSE_TIMES[1]
    assert high < POSE_TIMES[3]
    assert retime(model, 2, 99.0).pose_times[2] == high
    assert retime(model, 2, -5.0).pose_times[2] == low


def test_several_poses_move_together_past_each_others_old_places():
    model = staggered(noisy_motion())
    moved = retime(model, [1, 2, 3], [1.6, 2.2, 2.9])
    np.testing.assert_allclose(moved.pose_times, [0.0, 1.6, 2.2, 2.9, 3.3])


def test_last_pose_takes_the_end_of_the_motion_along():
    model = fit(noisy_motion(), POSE_TIMES)
    longer = retime(model, 4, 4.3)
    result = evaluate(longer)
    assert result.times[-1] == pytest.approx(4.3)
    assert len(result) == len(model.source) + 30
    assert largest_difference(result.part(len(result) - 1, len(result)), model.source.part(99, 100)) < 1e-9
    assert unchanged_frames(result.part(0, 64), model.source.part(0, 64)).all()
    shorter = retime(model, 4, 2.8)
    assert frame_times(shorter)[-1] == pytest.approx(2.8)
    assert largest_difference(evaluate(shorter, [2.8]), model.source.part(99, 100)) < 1e-9


def test_succession_is_linear_for_exponent_one():
    model = fit(noisy_motion(), POSE_TIMES)
    np.testing.assert_allclose(
        succession(model, 0, 0.05).joint_refinements, np.tile([0.0, 0.05, 0.1, 0.15], (5, 1)), atol=1e-15
    )


def test_succession_follows_a_power_of_the_depth():
    model = staggered(noisy_motion())
    late = succession(model, 1, 0.02, exponent=2.0, poses=[1, 3]).joint_refinements - model.joint_refinements
    np.testing.assert_allclose(late[[1, 3]], np.tile([0.0, 0.0, 0.02, 0.08], (2, 1)), atol=1e-15)
    assert not late[[0, 2, 4]].any()


def test_succession_leaves_joints_above_bit_for_bit():
    model = staggered(noisy_motion())
    result = evaluate(succession(model, 2, 0.05))
    changed = (result.rotations != model.source.rotations).any(axis=(0, 2))
    assert changed.tolist() == [False, False, False, True]


def test_late_joint_shows_later_what_it_showed():
    model = fit(noisy_motion(), POSE_TIMES)
    result = succession(model, 0, 0.1)
    for pose in (1, 2, 3):
        late = evaluate(result, [POSE_TIMES[pose] + 0.1]).rotations[0, 1]
        np.testing.assert_allclose(late, model.source.at([POSE_TIMES[pose]]).rotations[0, 1], atol=1e-12)


def test_random_stagger_is_bounded_seeded_and_the_same_for_a_part():
    model = fit(noisy_motion(), POSE_TIMES)
    table = random_stagger(model, 0.08, seed=3).joint_refinements
    assert np.abs(table).max() <= 0.08
    assert np.abs(table).min() > 0.0
    np.testing.assert_array_equal(table, random_stagger(model, 0.08, seed=3).joint_refinements)
    assert (table != random_stagger(model, 0.08, seed=4).joint_refinements).any()
    part = random_stagger(model, 0.08, seed=3, poses=[2], joints=[1, 3]).joint_refinements
    expected = np.zeros((5, 4))
    expected[2, [1, 3]] = table[2, [1, 3]]
    np.testing.assert_array_equal(part, expected)


def test_stagger_is_scaled():
    model = staggered(noisy_motion())
    assert evaluate(scale_stagger(model, 1.0)) is model.source
    double = scale_stagger(model, 2.0, poses=[2]).joint_refinements
    np.testing.assert_array_equal(double[2], 2.0 * model.joint_refinements[2])
    np.testing.assert_array_equal(double[1], model.joint_refinements[1])


def test_unstagger_then_restagger_gives_back_the_motion_bit_for_bit():
    model = staggered(noisy_motion())
    flat = scale_stagger(model, 0.0)
    assert not flat.joint_refinements.any()
    assert largest_difference(evaluate(flat), model.source) > 0.01
    assert evaluate(restagger(flat)) is model.source


def test_restagger_of_chosen_joints_and_poses():
    flat = scale_stagger(staggered(noisy_motion()), 0.0)
    table = restagger(flat, poses=[2], joints=[1]).joint_refinements
    assert table[2, 1] == staggered(noisy_motion()).joint_refinements[2, 1]
    assert np.count_nonzero(table) == 1


def test_unstaggered_pose_shows_all_extremes_at_its_time():
    model = staggered(noisy_motion())
    pose = evaluate(scale_stagger(model, 0.0), [POSE_TIMES[2]])
    for joint in range(4):
        extreme = evaluate(model, [model.timing.extreme_times[2, joint]]).rotations[0, joint]
        np.testing.assert_allclose(pose.rotations[0, joint], extreme, atol=1e-12)


def test_stagger_is_copied_and_mirrored():
    model = staggered(noisy_motion())
    row = model.joint_refinements[2]
    copied = copy_stagger(model, 2).joint_refinements
    np.testing.assert_array_equal(copied, np.tile(row, (5, 1)))
    mirrored = copy_stagger(model, 2, poses=[1], mirror=[0, 1, 3, 2]).joint_refinements
    np.testing.assert_array_equal(mirrored[1], row[[0, 1, 3, 2]])
    np.testing.assert_array_equal(mirrored[3], model.joint_refinements[3])


def test_edits_combine():
    model = fit(noisy_motion(), POSE_TIMES)
    both = random_stagger(succession(model, 0, 0.03), 0.02, seed=1, joints=[3])
    expected = np.tile([0.0, 0.03, 0.06, 0.09], (5, 1))
    expected[:, 3] += random_stagger(model, 0.02, seed=1).joint_refinements[:, 3]
    np.testing.assert_allclose(both.joint_refinements, expected, atol=1e-15)


def test_absent_joints_get_no_refinement():
    present = np.ones((5, 4), dtype=bool)
    present[2, 3] = False
    model = succession(fit(noisy_motion(), POSE_TIMES, present=present), 0, 0.05)
    assert model.joint_refinements[2].tolist() == pytest.approx([0.0, 0.05, 0.1, 0.0])


def test_knots_of_a_joint_never_cross_and_it_is_reported():
    model = fit(noisy_motion(), POSE_TIMES)
    crossed = with_refinements(model, 0.5, poses=[2], joints=[1])
    crossed = with_refinements(crossed, -0.5, poses=[3], joints=[1])
    assert (np.diff(crossed.timing.extreme_times[:, 1]) >= crossed.timing.margin * 0.999).all()
    found = [warning for warning in timing_warnings(crossed) if warning.kind is Tightness.HELD_APART]
    assert [(warning.pose, warning.names) for warning in found] == [(2, ("joint 1",)), (3, ("joint 1",))]
    assert found[0].text(45.2).startswith("Pose 3 at frame 45: joint 1 held back")
    assert "\n" not in found[0].text(45.2)
    np.testing.assert_array_equal(
        with_refinements(crossed, 0.0, poses=[2, 3], joints=[1]).timing.extreme_times,
        model.timing.extreme_times,
    )


def test_refined_time_nearer_to_another_pose_is_warned_about():
    motion = noisy_motion()
    rotations = np.array(motion.rotations)
    rotations[:, [0, 3]] = rotations[:1, [0, 3]]  # what stands still may hurry
    model = fit(replace(motion, rotations=rotations, locations=0.0 * motion.locations), POSE_TIMES)
    assert timing_warnings(model) == ()
    late = with_refinements(model, 0.31, poses=[2], joints=[0, 3])
    (warning,) = timing_warnings(late)
    assert warning.kind is Tightness.NEARER_TO_ANOTHER
    assert (warning.pose, warning.names) == (2, ("joint 0", "joint 3"))
    assert timing_warnings(with_refinements(model, 0.29, poses=[2])) == ()


@given(strategies.lists(strategies.floats(-1.0, 1.0), min_size=2, max_size=9))
@settings(max_examples=60, deadline=None)
def test_order_is_restored_by_least_squares(shifts):
    times = np.arange(len(shifts)) * 0.4 + shifts
    result = in_order(times[:, None], np.ones((len(times), 1), dtype=bool), 0.05)[:, 0]
    steps = 0.05 * np.arange(len(times))
    np.testing.assert_allclose(result - steps, isotonic_regression(times - steps).x, atol=1e-6)


def test_knots_in_order_are_left_bit_for_bit():
    times = np.sort(np.random.default_rng(0).uniform(0, 50, size=(12, 30)), axis=0) + np.arange(12)[:, None]
    np.testing.assert_array_equal(in_order(times, np.ones_like(times, dtype=bool), 0.5), times)


def test_detail_follows_the_timing():
    """Stretching a pose's intervals stretches the noise on them: the same values at other times."""
    model = fit(noisy_motion(), POSE_TIMES)
    wide = retime(model, 2, 1.9)
    rough = evaluate(wide).rotations - evaluate(with_detail_strength(wide, 0.0)).rotations
    original = model.source.rotations - evaluate(with_detail_strength(model, 0.0)).rotations
    stretched = slice(30, 48)
    assert 0.5 < np.abs(rough[stretched]).mean() / np.abs(original[24:42]).mean() < 2.0


def test_edits_leave_their_input_alone():
    model = staggered(noisy_motion())
    before = {name: np.array(getattr(model.timing, name)) for name in ("pose_times", "refinements", "collapsed")}
    for edited in (retime(model, 1, 0.8), succession(model, 0, 0.1), scale_stagger(model, 0.0)):
        evaluate(edited)
    for name, value in before.items():
        np.testing.assert_array_equal(getattr(model.timing, name), value)


def test_a_model_takes_over_the_times_of_an_edited_one_and_nothing_else():
    model, times = staggered(noisy_motion()), np.linspace(0.0, 3.3, 777)
    edited = random_stagger(retime(model, 2, 1.62), 0.05)
    retimed = with_times_of(model, edited)
    assert retimed.tracks == model.tracks
    np.testing.assert_array_equal(evaluate(retimed, times).rotations, evaluate(edited, times).rotations)


def test_between_the_frames_too_an_edited_pose_changes_its_joint_alone():
    model, times = staggered(noisy_motion()), np.linspace(0.0, 3.3, 777)
    edited = with_extreme_pose(model, 1, noisy_motion(seed=5).part(0, 1), joints=[1])
    changed = evaluate(with_times_of(model, edited), times).rotations != evaluate(edited, times).rotations
    assert set(np.flatnonzero(changed.any(axis=(0, 2)))) == {1}
