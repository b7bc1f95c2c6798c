"""The pose timeline of the sample motion in the window: its settings, what its lane shows, what an edit left alone."""

from __future__ import annotations

from typing import Any

import bpy
from curve_snapshot import CurveSnapshot, snapshot
from harness import Window, check, check_equal
from lane_gestures import place_of


def timeline() -> Any:
    """The timeline's settings of the sample motion."""
    return bpy.context.object.animation_data.action.motion_editing_timeline


def spans() -> list[tuple[float, float]]:
    """Start and end of the blue window, then of the others."""
    return [(timeline().start, timeline().end), *((item.start, item.end) for item in timeline().windows)]


def ticks() -> list[bool]:
    """Which of the other steps are ticked."""
    return [item.ticked for item in timeline().windows]


def shown(window: Window) -> Any:
    """What the lane shows now."""
    return place_of(window)[0]._picture.data


def icon_frames(window: Window) -> list[float]:
    """Where the icons stand."""
    return [icon.frame for icon in shown(window).icons]


def check_same(before: CurveSnapshot, when: str) -> None:
    """No key may have changed."""
    check(before.is_same(snapshot()), f"keys {when} should be the same bit for bit")


def check_last_operator(label: str) -> None:
    """The operator of the last gesture can be adjusted in the redo panel, as if it had been called from a menu."""
    registered = bpy.context.window_manager.operators
    check(registered, f"{label} should be known as the last operator, there is none")
    check_equal(registered[-1].bl_label, label, "last operator")
