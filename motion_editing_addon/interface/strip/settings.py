"""Which lanes are shown, saved with the scene."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup

from ...border.registration import attaching
from . import overlay

_SEPARATOR = "\n"


def _redraw(_self: PropertyGroup, _context: bpy.types.Context) -> None:
    overlay.redraw()


class MOTIONEDIT_PG_strip(PropertyGroup):
    """What the strip shows."""

    show: BoolProperty(
        name="Show Strip",
        description="Show the motion's lanes below the Dope Sheet and Timeline",
        default=True,
        update=_redraw,
    )
    hidden: StringProperty(description="Names of the hidden lanes", update=_redraw)

    def is_shown(self, lane: str) -> bool:
        """Whether a lane is wanted."""
        return lane not in self.hidden.split(_SEPARATOR)

    def set_shown(self, lane: str, state: bool) -> None:
        """Want a lane, or not."""
        others = [name for name in self.hidden.split(_SEPARATOR) if name not in ("", lane)]
        self.hidden = _SEPARATOR.join(others if state else [*others, lane])


register, unregister = attaching(
    (MOTIONEDIT_PG_strip,), {(bpy.types.Scene, "motion_editing_strip"): PointerProperty(type=MOTIONEDIT_PG_strip)}
)
