"""The equalizer: a row of sliders, one for every octave, with the rig showing the result until it is applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, FloatVectorProperty
from bpy.types import Operator

from ..signal_operator import ORIGINAL, SignalOperator
from . import equalizer_settings
from .equalizer_board import Answer, BoardDrag
from .equalizer_settings import MOST_BANDS

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Event, UILayout

    from ....core.motion import Motion
    from ...document.take.clip_facts import ClipFacts
    from .equalizer_settings import MOTIONEDIT_PG_equalizer

_running: MOTIONEDIT_OT_equalize | None = None


def _settings() -> MOTIONEDIT_PG_equalizer:
    return bpy.context.window_manager.motion_editing_equalizer


class MOTIONEDIT_OT_equalize(SignalOperator, Operator):
    """Scale the strength of each frequency band of the motion"""

    bl_idname = "motion_editing.equalize"
    bl_label = "Equalizer"
    # Without BLOCKING and GRAB_CURSOR: the panel's sliders must be within reach while it is open.
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    verb = "Equalized"

    _overlay = None
    _look = None

    gains: FloatVectorProperty(
        name="Gains",
        description="Factor of each band, slowest first; 1 changes nothing, 0 removes it",
        size=MOST_BANDS,
        default=(1.0,) * MOST_BANDS,
        min=0.0,
        max=10.0,
        soft_max=2.0,
        precision=2,
        options={"SKIP_SAVE"},
    )

    def change(self, facts: ClipFacts, joints: np.ndarray) -> Motion:
        """Every band times its gain."""
        from .equalizer_bands import with_gains

        return with_gains(facts.clip.motion, self.gains, joints)

    def draw_own(self, layout: UILayout) -> None:
        """The gains and what stays."""
        column = layout.column(align=True)
        for band in range(len(self.gains)):
            column.prop(self, "gains", index=band, text="Gains" if band == 0 else " ", slider=True)
        layout.prop(self, "keep_contacts")

    # While it is open

    def begin(self, context: Context) -> None:
        """Read the motion and its spectrum."""
        from ....core.errors import MotionEditError
        from ...interface.strip.limb_rows import limb_rows
        from .equalizer_bands import limb_spectrum

        if _running is not None:
            raise MotionEditError("The equalizer is open already: apply or cancel it first")
        super().begin(context)
        self._find_facts()
        facts, joints = self._facts[0]
        rows, numbers = limb_rows(context, facts.body)
        spectrum = limb_spectrum(facts.clip.motion, numbers, [row.name for row in rows], joints)
        colours = {row.name: row.colour for row in rows}
        self._look = spectrum, [colours[name] for name in spectrum.names]

    def _start(self, context: Context, _event: Event) -> set[str]:
        global _running
        from ...interface.drawing import viewport
        from .equalizer_bands import band_names
        from .equalizer_overlay import BoardOverlay

        names = band_names(self._look[0].cutoffs)
        held = self.hold(context)
        self._drag, self._previews = BoardDrag(len(names)), {}
        self._overlay = BoardOverlay(context, self._drag.board)
        settings = _settings()
        settings.bands, settings.names, settings.answer, settings.is_open = len(names), "|".join(names), "", True
        settings.gains = self.gains
        self._drag.gains = list(self.gains)[: len(names)]
        equalizer_settings.listen(self._slider_moved)
        _running = self
        viewport.show_mode("equalizer", "Equalizer    Enter: apply    Esc: cancel")
        # Ticks let a click in the panel be answered although it sends no event here.
        held.timer(0.1)
        context.window_manager.modal_handler_add(self)
        return self._show(context)

    def _slider_moved(self) -> None:
        """A slider of the panel has moved, or one of the board."""
        if self._drag is not None and not self._subjects.loss():
            self._drag.gains = list(_settings().gains)[: self._drag.board.bands]
            self._show(bpy.context)

    def _respond(self, context: Context, event: Event) -> set[str]:
        settings = _settings()
        if settings.answer:
            return self._closed(context, settings.answer == "APPLY")
        if event.type == ORIGINAL:
            return self._show_original(context, event.value != "RELEASE")
        if event.value == "PRESS" and event.type in self.switches:
            self.switch(self.switches[event.type])
            return self._show(context)
        before, hovered = list(self._drag.gains), self._drag.hovered
        x, y = self._overlay.place(event.mouse_x, event.mouse_y)
        answer = self._drag.take(event.type, event.value, x=x, y=y, shift=event.shift, ctrl=event.ctrl)
        if self._drag.gains != before:
            settings.gains = [*self._drag.gains, *self.gains[len(before) :]]  # shows the result, too
        elif self._drag.hovered != hovered:
            self._draw_board(context)
        if answer in (Answer.APPLIED, Answer.CANCELLED):
            return self._closed(context, answer is Answer.APPLIED)
        return {"PASS_THROUGH"} if answer is Answer.PASSED_ON else {"RUNNING_MODAL"}

    def _closed(self, context: Context, apply: bool) -> set[str]:
        return self._confirmed(context) if apply else {"CANCELLED"}

    def _show(self, context: Context) -> set[str]:
        """Show the present gains on the board and on the rig; what cannot be is told in the status bar."""
        from ....core.errors import MotionEditError

        self.gains = _settings().gains
        text = f"{self.switches_text()}    Hold O: original"
        try:
            for clip, motion in self.preview_motion(context):
                self._preview_of(clip).show(motion)
            self._show_ghosts()
        except MotionEditError as error:
            self._restore()
            text = str(error)
        self._draw_board(context)
        self.hold(context).status(f"Equalizer    Enter: apply    Esc: cancel    {text}")
        return {"RUNNING_MODAL"}

    def _draw_board(self, context: Context) -> None:
        from ...interface.drawing.theme import palette
        from .equalizer_picture import board_picture

        spectrum, limb_colours = self._look
        drag = self._drag
        hovered = drag.hovered if drag.grabbed is None else drag.grabbed
        self._overlay.show(board_picture(spectrum, limb_colours, drag.gains, palette(context), hovered=hovered))

    def leave(self, context: Context) -> None:
        """Close the board."""
        global _running
        if self._drag is not None:
            from ...interface.drawing import viewport

            equalizer_settings.listen(None)
            _running = self._look = None
            _settings().is_open, _settings().answer = False, ""
            viewport.hide_mode("equalizer")
            self._overlay.close()
        super().leave(context)


class MOTIONEDIT_OT_close_equalizer(Operator):
    """Apply or discard the equalizer's changes"""

    bl_idname = "motion_editing.close_equalizer"
    bl_label = "Close Equalizer"
    bl_options = {"INTERNAL"}

    apply: BoolProperty(name="Apply", description="Keep the changes", default=True)

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs the open equalizer."""
        is_open = context.window_manager.motion_editing_equalizer.is_open
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


classes = (MOTIONEDIT_OT_equalize, MOTIONEDIT_OT_close_equalizer, MOTIONEDIT_OT_reset_equalizer)
