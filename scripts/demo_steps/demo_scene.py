"""What all steps of the demo share: rows of the picture, calling an operator, the motion as it is.

The extension must be loaded before this is imported; see checkout_as_extension.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import bpy
import numpy as np
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope

if TYPE_CHECKING:
    from motion_editing.core.motion import Motion

RATE = 30.0


@dataclass
class Row:
    """A row of the picture: a motion at some moments, in seconds."""

    label: str
    motion: Motion
    moments: Sequence[float]

    @property
    def frames(self) -> list[int]:
        """The motion's frames at the moments."""
        return [int(np.abs(self.motion.times - moment).argmin()) for moment in self.moments]


@dataclass
class Shown:
    """What a step has to show: lines to be printed, rows of the picture, and pictures of its own by file name."""

    lines: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    pictures: dict[str, np.ndarray] = field(default_factory=dict)


def run(operator: Callable[..., set[str]], **properties: object) -> None:
    """Call an operator as a button does; the demo ends where it refuses."""
    if operator(**properties) != {"FINISHED"}:
        raise SystemExit(f"error: {operator.idname_py()} did not finish")


def current_motion() -> Motion:
    """The active armature's motion as it is now."""
    armature = bpy.context.object
    return action_io.read(armature, rate=scope.source_rate(bpy.context, armature)).motion


def key_count() -> int:
    """All keys of the active armature."""
    return sum(len(curve.keyframe_points) for curve in action_io.channelbag(bpy.context.object).fcurves)
