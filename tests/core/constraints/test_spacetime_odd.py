"""Spacetime edits of two characters, of hardly anything, and of what cannot be: refused with the reason."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_spacetime import FRAMES, JOINTS, basis, made, point

from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.solve.spacetime import ConstraintError, Distance, Position, SamePlace, Spacetime, SplineBasis

# Two characters


def test_two_characters_meet_half_way():
    one, other = made(0), made(3)
    frames = [30, 31, 32]
    held = Distance(frames=frames, joint=5, other_joint=5, distance=0.5, other_character=1)
    result = Spacetime([one, other], [held], basis=basis()).solve(steps=30)
    ends = [motion.poses.positions[frames, 5] for motion in result.motions]
    np.testing.assert_allclose(np.linalg.norm(ends[0] - ends[1], axis=1), 0.5, atol=1e-5)
    assert all(np.abs(change).max() > 1e-3 for change in result.changes)


def test_hands_that_shake_stay_together_when_one_is_dragged():
    one, other = made(0), made(3)
    frames = np.arange(30, 50, 4)
    shaking = SamePlace(frames=frames, joint=5, other_joint=5, other_character=1, name="shake")
    together = Spacetime([one, other], [shaking], basis=basis()).solve(steps=30).motions
    ends = [motion.poses.positions[frames, 5] for motion in together]
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-5)
    dragged = Position(frames=[38], joint=5, target=ends[0][2] + (0.3, 0.2, 0.1))
    result = Spacetime(together, [shaking, dragged], basis=basis()).solve(steps=30)
    ends = [motion.poses.positions[frames, 5] for motion in result.motions]
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-5)
    np.testing.assert_allclose(ends[0][2], dragged.target, atol=1e-5)
    assert all(np.abs(change).max() > 1e-3 for change in result.changes)
    assert not result.violations


def test_single_steps_meet_what_a_drag_asks_for():
    """Points near each other that are dragged far, one step at a time as on a slow machine: each second step closes."""
    one, other = made(0), made(3)
    frames = np.arange(40, 50, 3)
    together = Spacetime(
        [one, other], [SamePlace(frames=frames, joint=5, other_joint=5, other_character=1)], basis=basis()
    ).solve(steps=30)
    place = point(together.motions[0], 5, 43)
    near = Distance(
        frames=frames, joint=5, other_joint=5, other_character=1, other_offset=(0.0, 0.0, 0.1), distance=0.1
    )

    def pulled(share: float) -> list:
        return [near, Position(frames=[43], joint=5, target=place + share * np.array([0.4, 0.3, -0.3]))]

    problem = Spacetime(together.motions, pulled(0.0), basis=basis())
    for share in (0.3, 0.6, 1.0, 1.0, 1.0, 1.0):
        problem = problem.with_constraints(pulled(share))
        result = problem.solve(steps=1)
    assert max((violation.amount for violation in result.violations), default=0.0) < 0.01


def test_small_characters_are_judged_by_their_own_size():
    """A hand that misses by a part of a tiny character is told, though a bare point is in the scene too."""
    motion, small = made(), 1e-4
    bones = replace(motion.skeleton, rest_positions=small * motion.skeleton.rest_positions)
    tiny = replace(motion, skeleton=bones, locations=small * motion.locations)
    bare = Skeleton.build(["target"], [-1], np.zeros((1, 3)))
    target = Motion.build(bare, quaternion.identity(FRAMES, 1), rate=30.0)
    near = np.linalg.norm(point(tiny, 5, 40))
    held = [
        Distance(frames=[40], joint=5, other_joint=0, distance=near + miss, other_character=1, name=name)
        for name, miss in (("near", 0.0), ("far", 0.02 * small))
    ]
    result = Spacetime([tiny, target], held, basis=basis(), joint_weights=[np.ones(JOINTS), [np.inf]]).solve(steps=30)
    assert sorted((violation.name, round(violation.amount / small, 4)) for violation in result.violations) == [
        ("far", 0.01),
        ("near", 0.01),
    ]


# Hardly anything


def test_a_pose_by_itself_meets_a_handle():
    pose = made().part(45, 46)
    handle = Position(frames=[0], joint=5, target=point(pose, 5, 0) + np.array([0.3, 0.1, 0.2]))
    result = Spacetime([pose], [handle], basis=SplineBasis.build(1, spacing=10)).solve()
    np.testing.assert_allclose(point(result.motions[0], 5, 0), handle.target, atol=1e-6)
    assert not result.violations


def test_where_nothing_may_move_all_stays_and_what_is_missed_is_told():
    motion = made()
    handle = Position(frames=[45], joint=5, target=point(motion, 5, 45) + np.array([0.3, 0.0, 0.0]), name="hand")
    result = Spacetime([motion], [handle], basis=basis(), joint_weights=[np.full(JOINTS, np.inf)]).solve()
    assert result.motions[0] is motion
    assert [(each.name, each.frame, round(each.amount, 9)) for each in result.violations] == [("hand", 45, 0.3)]


# Refusals


@pytest.mark.parametrize(
    ("frames", "joint", "reason"),
    [
        ([80, 95], 5, "'hand' is at frames 80 to 95, the motion has 0 to 89"),
        ([5, 5], 5, "frames of 'hand' must be increasing"),
        ([], 5, "at least one"),
        ([5], 9, "a joint that is not there: 9 of character 0"),
    ],
)
def test_constraints_that_do_not_fit_are_refused(frames, joint, reason):
    with pytest.raises(ConstraintError, match=reason):
        Spacetime([made()], [Position(frames=frames, joint=joint, target=(0, 0, 0), name="hand")], basis=basis())


def test_characters_with_other_frames_are_refused():
    with pytest.raises(ConstraintError, match="need the same frames"):
        Spacetime([made(), made().part(0, 50)], [], basis=basis())


def test_only_the_same_constraints_go_on():
    problem = Spacetime([made()], [Position(frames=[45], joint=5, target=(0, 0, 0))], basis=basis())
    with pytest.raises(ValueError, match="about the same joints and frames"):
        problem.with_constraints([Position(frames=[46], joint=5, target=(0, 0, 0))])


@pytest.mark.parametrize(("place", "reason"), [(np.nan, "that is no number"), (3e38, "too far away")])
def test_senseless_targets_are_refused(place, reason):
    handle = Position(frames=[45], joint=5, target=(0.0, place, 0.0), name="hand")
    with pytest.raises(ConstraintError, match=f"'hand' .*{reason}"):
        Spacetime([made()], [handle], basis=basis()).solve()
