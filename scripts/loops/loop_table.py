"""The loops, a row each: what is loaded, which frames are shown, and the edit between before and after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import bpy


@dataclass(frozen=True)
class Loop:
    """A loop of two pictures side by side.

    Attributes:
        name: Of the file.
        before: What stands below the left picture.
        after: What stands below the right picture.
        frames: First and last frame that are shown, of the motion after the edit.
        edit: Makes the right picture of what the left one shows; the character is active.
        prepare: What happens to both before that.
        character: Which figure performs: 'MANNEQUIN' or 'RIGIFY'.
        view: Where the camera stands, seen from the figure, in degrees about the vertical and upwards.
        room: Metres that are seen across; 0 for as much as both motions need.
    """

    name: str
    before: str
    after: str
    frames: tuple[int, int]
    edit: Callable[[], None]
    prepare: Callable[[], None] = lambda: None
    character: str = "MANNEQUIN"
    view: tuple[float, float] = (60.0, 12.0)
    room: float = 0.0


def _exaggerate() -> None:
    bpy.ops.motion_editing.exaggerate_motion(amount=1.6)


def _smooth_carelessly() -> None:
    """Smooth so much that standing feet slide."""
    bpy.ops.motion_editing.low_pass(cutoff=1.2, keep_contacts=False)


def _lock_feet() -> None:
    bpy.ops.motion_editing.lock_feet()


# Later work adds a row, and `python3 scripts/render_loops.py NAME` makes the loop.
LOOPS: tuple[Loop, ...] = (
    Loop("exaggerate", "The sample motion", "Exaggerate Motion", (30, 75), _exaggerate, character="RIGIFY"),
    Loop("lock_feet", "Smoothed, feet slide", "Lock Feet", (30, 75), _lock_feet, _smooth_carelessly),
)
