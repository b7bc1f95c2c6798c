"""Blends, transitions, gaps, mirror, loops, ways over the ground and locked feet as tools."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.blending import (
    AppendTransition,
    BlendAction,
    BridgeGap,
    MakeLoop,
    MirrorMotion,
    Partner,
    Travel,
    blend,
    loop,
    transition,
)
from core.contacts import LockFeet
from core.editing import Take, in_place, mirrored, options_of
from core.errors import MotionEditError
from core.root_motion import ChangeHeading, FollowCurve, InPlace, along_curve, heading_change
from core.sample_motion import sample_motion
from core.solve.contact_lock import lock_feet

PROJECT = Path(__file__).resolve().parents[3]
TOOLS = [
    BlendAction,
    AppendTransition,
    BridgeGap,
    MirrorMotion,
    MakeLoop,
    InPlace,
    FollowCurve,
    ChangeHeading,
    LockFeet,
]
POINTS = np.array([[0.0, 0.0, 0.0], [2.0, 1.0, 0.0], [4.0, 0.0, 0.0]])

# Nothing but the edit itself.
PLAIN = {"keep_contacts": False, "keep_floor": False}


@pytest.fixture(scope="module")
def take() -> Take:
    """A part of the sample motion, in which the character walks."""
    return Take(sample_motion(rate=30.0).part(0, 150))


def same(one, two):
    for name in ("rotations", "locations", "scales", "scalars"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))


def test_ways_over_the_ground_are_those_of_their_functions(take):
    motion, body = take.motion, take.body
    moves = [
        (InPlace(keep_turn=False), in_place(motion, body, keep_turn=False)),
        (FollowCurve(sway=0.2, points=POINTS), along_curve(motion, body, POINTS, sway=0.2)),
        (ChangeHeading(angle=0.5), heading_change(motion, body, 0.5)),
    ]
    for tool, move in moves:
        change = replace(tool, keep_contacts=False).apply(take)
        same(change.motion, move.applied(motion))
        assert not change.holds_contacts
        assert replace(tool, keep_contacts=True).apply(take).holds_contacts


def test_a_gradual_turn_happens_between_its_frames(take):
    gradual = ChangeHeading(angle=0.5, gradual=True, start_frame=30, end_frame=60, keep_contacts=False)
    turned = gradual.apply(take).motion
    whole = ChangeHeading(angle=0.5, bend_path=False, keep_contacts=False).apply(take).motion
    np.testing.assert_array_equal(turned.rotations[:30], take.motion.rotations[:30])
    assert np.abs(turned.rotations[60:] - whole.rotations[60:]).max() < 1e-9
    with pytest.raises(MotionEditError, match="must be after"):
        ChangeHeading(gradual=True, start_frame=60, end_frame=30).apply(take)


def test_a_mirror_exchanges_sides_and_tells_which(take):
    change = MirrorMotion(**PLAIN).apply(take)
    same(change.motion, mirrored(take.motion, take.body))
    np.testing.assert_array_equal(change.partner, take.body.mirror)
    assert change.has_new_contacts
    assert not MirrorMotion(about="REST").carries


def test_a_gap_is_filled_between_its_ends_alone(take):
    joints = np.arange(len(take.motion.skeleton)) % 2 == 0
    part = Take(take.motion, joints=joints)
    after = BridgeGap(gap=(40, 60), **PLAIN).apply(part).motion
    changed = (after.rotations != take.motion.rotations).any(axis=-1)
    assert changed[41:60].any()
    assert not changed[:41].any()
    assert not changed[60:].any()
    assert not changed[:, ~joints].any()
    carried = BridgeGap(gap=(40, 60), carry=True, **PLAIN).apply(take).motion
    same(carried.part(0, 41), take.motion.part(0, 41))


def test_a_blend_keeps_to_its_weight_and_to_the_joints_that_the_other_has(take):
    other = take.motion.part(0, len(take.motion)).with_rotations(take.motion.rotations[::-1])
    partner = Partner.of(take.motion, other, take.body, ground="PLACES")
    present = np.arange(len(take.motion.skeleton)) > 2
    tool = BlendAction(weight=0.25, partner=partner, present=present, **PLAIN)
    expected = blend([take.motion, other], [0.75, 0.25])
    after = tool.apply(take).motion
    np.testing.assert_array_equal(after.rotations[:, present], expected.rotations[:, present])
    np.testing.assert_array_equal(after.rotations[:, ~present], take.motion.rotations[:, ~present])
    assert replace(tool, weight=0.0).apply(take).motion is take.motion
    with pytest.raises(ValueError, match="other motion"):
        BlendAction().apply(take)


def test_loops_and_transitions_tell_what_they_found(take):
    motion, body = take.motion, take.body
    looped = MakeLoop(travel="CLOSE", shortest=1.0, **PLAIN).apply(take)
    same(looped.motion, loop(motion, body, travel=Travel.CLOSE, shortest=1.0).motion)
    assert looped.found.end - looped.found.start == len(looped.motion) - 1
    appended = AppendTransition(other=motion, **PLAIN).apply(take)
    same(appended.motion, transition(motion, motion, body).motion)
    given = AppendTransition(other=motion, automatic=False, leave_frame=100, enter_frame=21, other_start=1.0).apply(
        take
    )
    assert (given.found.moments.first, given.found.moments.second) == (100, 20)


def test_feet_are_locked_as_by_the_function_and_the_report_is_told(take):
    change = LockFeet(fade=0.2, lowering=0.05).apply(take)
    expected, report = lock_feet(take.motion, take.body, take.contacts, fade=0.2, giving=0.05)
    same(change.motion, expected)
    assert change.found == report
    assert change.holds_contacts


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.__name__)
def test_options_have_tooltips_and_name_sliders(tool):
    options = options_of(tool)
    assert set(tool().sliders) | tool().unused <= set(options)
    assert all(option.tooltip and not option.tooltip.endswith(".") for option in options.values())
    assert tool.__doc__
    assert "\n" not in tool.__doc__


def test_options_without_effect_are_those_that_others_leave_out():
    assert BlendAction().unused == {"fade"}
    assert BlendAction(profile="IN_OUT", armature="Rig").unused == {"action"}
    assert AppendTransition(automatic=False).unused == frozenset()
    assert MakeLoop(automatic=False).unused == {"shortest"}


def test_the_tools_are_known_before_numpy_is_loaded():
    names = ", ".join(tool.__name__ for tool in TOOLS[:5])
    asked = (
        f"import sys; from core.blending import {names}; from core.contacts import LockFeet;"
        "from core.root_motion import ChangeHeading, FollowCurve, InPlace; from core.editing import options_of;"
        "[options_of(each) for each in (BlendAction, MakeLoop, FollowCurve, LockFeet)]; print('numpy' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", asked], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"
