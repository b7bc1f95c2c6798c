"""The equalizer: a row of sliders, one for every octave, with the rig showing the result until it is applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty
from bpy.types import Operator

from ....core.filters import MOST_BANDS, Equalize
from ...interface.operators.operator import MotionEditOperator
from . import equalizer_gesture

if TYPE_CHECKING:
    from bpy.types import Context, UILayout

    from .equalizer_settings import MOTIONEDIT_PG_equalizer


def _settings() -> MOTIONEDIT_PG_equalizer:
    return bpy.context.window_manager.motion_editing_equalizer


class MOTIONEDIT_OT_equalize(MotionEditOperator, Operator):
    bl_idname = "motion_editing.equalize"
    bl_label = "Equalizer"
    # Without BLOCKING and GRAB_CURSOR: the panel's sliders must be within reach while it is open.
    tool = Equalize

    def gesture(self) -> equalizer_gesture.EqualizerGesture:
        """The board."""
        return equalizer_gesture.EqualizerGesture(self, self.run())

    def draw_own(self, layout: UILayout) -> None:
        """The gains and what stays."""
        column = layout.column(align=True)
        for band in range(MOST_BANDS):
            column.prop(self, "gains", index=band, text="Gains" if band == 0 else " ", slider=True)
        layout.prop(self, "keep_contacts")


class MOTIONEDIT_OT_close_equalizer(Operator):
    """Apply or discard the equalizer's changes"""

    bl_idname = "motion_editing.close_equalizer"
    bl_label = "Close Equalizer"
    bl_options = {"INTERNAL"}

    apply: BoolProperty(name="Apply", description="Keep the changes", default=True)

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs the open equalizer."""
        is_open: bool = context.window_manager.motion_editing_equalizer.is_open
        if not is_open:
            cls.poll_message_set("The equalizer is not open")
        return is_open

    def execute(self, _context: Context) -> set[str]:
        """Tell the open equalizer; it answers at its next tick."""
        _settings().answer = "APPLY" if self.apply else "CANCEL"
        return {"FINISHED"}


class MOTIONEDIT_OT_reset_equalizer(Operator):
    """Reset all sliders of the equalizer to 1"""

    bl_idname = "motion_editing.reset_equalizer"
    bl_label = "Reset Equalizer"
    bl_options = {"INTERNAL"}

    poll = MOTIONEDIT_OT_close_equalizer.poll

    def execute(self, _context: Context) -> set[str]:
        """Leave every band as it is."""
        _settings().gains = (1.0,) * MOST_BANDS
        return {"FINISHED"}
