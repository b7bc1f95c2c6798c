"""The walk-through of the pose timeline, word for word: change one punch, and all punches of that hand change."""

from __future__ import annotations

import bpy
from curve_snapshot import CurveSnapshot, snapshot
from figure_in_view import click_bone, turn_up
from harness import Window, check, check_equal
from lane_gestures import header_at, let_go, press_and_move
from newcomer import drag_timeline_up, go_to, press_button, switch_mode
from timeline_in_window import spans, ticks
from walkthrough import play as play_page
from window_input import REDRAW_PAUSE, Steps

PUNCH = (175.0, 194.0)  # frames of the first punch of the right hand at 24 frames a second
LONGER = 8.0
kept: dict[str, CurveSnapshot] = {}


def scenario(window: Window) -> Steps:
    """Slower punches with another look."""
    yield from window.open_sidebar("Motion")
    steps = (load, enlarge, choose, stretch, change)
    yield from play_page(window, "docs/pose_timeline.md", "Example: change all punches", *steps)


def load(window: Window) -> Steps:
    """Click **Load Sample Motion**. The figure punches five times, three of them with the right hand."""
    yield from press_button(window, "Load Sample Motion")


def enlarge(window: Window) -> Steps:
    """Drag the upper edge of the Timeline up until the strip appears."""
    yield from drag_timeline_up(window, 200)


def choose(window: Window) -> Steps:
    """Drag across the strip around the first punch of the right hand. Two enabled green windows appear: the other
    punches of this hand."""
    yield from press_and_move(window, header_at(window, PUNCH[0]), header_at(window, PUNCH[1]))
    yield from let_go(window)
    check_equal(sum(ticks()), 2, f"enabled green windows among {spans()}")


def stretch(window: Window) -> Steps:
    """Drag the end of the blue window to the right. All three punches become slower by the same factor, and the rest of
    the motion only moves along."""
    before, old, ticked = snapshot(), spans(), [True, *ticks()]
    end = old[0][1]
    yield from press_and_move(window, header_at(window, end), header_at(window, end + LONGER))
    yield from let_go(window)
    factors = [(new[1] - new[0]) / (was[1] - was[0]) for was, new in zip(old, spans(), strict=True)]
    slower = [factor for factor, is_ticked in zip(factors, ticked, strict=True) if is_ticked]
    check(min(slower) > 1.3 and max(slower) - min(slower) < 0.03, f"all punches should be slower alike, not {slower}")
    check(abs(before.shift_in(snapshot(), 3, PUNCH[0] - 2)) < 0.01, "what is before the first punch should stay")


def change(window: Window) -> Steps:
    """Now change the pose: rotate the head in the blue window and key it, or smooth the arm. Click **Propagate Edit**.
    All three punches have the new look."""
    yield from go_to(window, round(sum(spans()[0]) / 2))
    yield from switch_mode(window, "POSE")
    yield from click_bone(window, "head")
    yield from turn_up(window, "head", 30.0)
    before = snapshot()
    yield from window.press("I")
    yield REDRAW_PAUSE
    edited = snapshot()
    check_equal(before.changed(edited)[0], {"head"}, "bones that were keyed")
    yield from press_button(window, "Propagate Edit")
    bones, frames = edited.changed(snapshot())
    check_equal(bones, {"head"}, "bones that changed")
    others = [span for span, is_ticked in zip(spans()[1:], ticks(), strict=True) if is_ticked]
    for start, end in others:
        check(any(start < frame < end for frame in frames), f"the punch from {start} to {end} should have the new look")
    outside = [frame for frame in frames if not any(start - 1 <= frame <= end + 1 for start, end in others)]
    check(not outside, f"the rest should stay, but changed at {outside}")
    check_equal(bpy.context.object.mode, "POSE", "mode")
