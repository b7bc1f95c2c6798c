"""Timing edits that would let a joint jump are made smaller."""

from __future__ import annotations

import numpy as np
from made_motion import chain
from made_staggered import noisy_motion, staggered

from core.motion import Motion
from core.numerics import quaternion
from core.staggered import (
    Tightness,
    evaluate,
    fit,
    retime,
    scale_stagger,
    succession,
    timing_warnings,
    with_refinements,
    within_steps,
)

RATE, POSES = 60.0, [0.0, 0.5, 1.0, 1.5, 2.0]


def standing() -> Motion:
    """Three bones in a row, of which the last stands still: the second undoes the swings of the first."""
    swing = np.sin(2.0 * np.pi * np.arange(121) / 60.0)
    vectors = np.zeros((121, 3, 3))
    vectors[:, 0, 0], vectors[:, 1, 0] = 1.2 * swing, -1.2 * swing
    motion = Motion.build(chain(3), quaternion.exp(vectors), rate=RATE)
    places = motion.poses.positions
    locations = np.zeros((121, 3, 3))
    locations[:, 0] = places[0, 2] - places[:, 2]
    return Motion.build(chain(3), quaternion.exp(vectors), rate=RATE, locations=locations)


def largest_step(motion: Motion) -> float:
    return float(np.linalg.norm(np.diff(motion.poses.positions[:, 2], axis=0), axis=1).max())


def test_a_foot_that_stands_still_does_not_jump():
    model = fit(standing(), POSES)
    assert largest_step(model.source) < 1e-6
    asked = with_refinements(model, 0.2, joints=[0], poses=[1, 2, 3])
    limited = within_steps(asked)
    free = 0.3 / RATE * np.ptp(model.source.skeleton.rest_positions, axis=0).max()
    assert largest_step(evaluate(asked)) > 2.0 * free
    assert largest_step(evaluate(limited)) <= free
    assert limited.timing.amounts.min() < 1.0
    told = [warning for warning in timing_warnings(limited) if warning.kind is Tightness.LIMITED]
    assert told
    assert "only" in told[0].text(12.0)


def test_what_jumps_nowhere_is_done_as_asked():
    model = staggered(noisy_motion())
    for edited in (succession(model, 0, 0.02), retime(model, 2, 1.6), scale_stagger(model, 0.5)):
        assert within_steps(edited).timing.extreme_times is edited.timing.extreme_times
    assert within_steps(model) is model


def test_a_retimed_pose_goes_only_as_far_as_it_may():
    motion = standing()
    model = fit(motion, POSES, np.where(np.arange(3) == 0, 0.0, 0.03) * np.ones((5, 1)))
    limited = within_steps(with_refinements(retime(model, 2, 1.2), 0.2, joints=[1], poses=[2]))
    assert 1.0 <= limited.pose_times[2] < 1.2


def test_a_limited_edit_is_undone_exactly():
    model = fit(standing(), POSES, np.where(np.arange(3) == 0, 0.06, 0.0) * np.ones((5, 1)))
    limited = within_steps(with_refinements(model, 0.25, joints=[0]))
    back = with_refinements(limited, 0.06, joints=[0])
    assert evaluate(back) is model.source
