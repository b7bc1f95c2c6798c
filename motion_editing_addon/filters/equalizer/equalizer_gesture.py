"""What mouse, keys and the panel's sliders do while the equalizer is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ....core.errors import MotionEditError
from ....core.filters import band_names, limb_spectrum
from ...interface.drawing import viewport
from ...interface.drawing.theme import palette
from ...interface.operators.slider_gesture import SliderGesture
from ...interface.strip.limb_rows import limb_rows
from . import equalizer_settings
from .equalizer_board import BoardDrag
from .equalizer_overlay import BoardOverlay
from .equalizer_picture import board_picture

if TYPE_CHECKING:
    from bpy.types import Context, Event

    from ....core.filters import LimbSpectrum
    from ...interface.drawing.theme import Colour
    from ...interface.operators.value_drag import Outcome
    from .equalizer_settings import MOTIONEDIT_PG_equalizer

_open: EqualizerGesture | None = None


def opened() -> EqualizerGesture | None:
    """The equalizer that is open now."""
    return _open


def _settings() -> MOTIONEDIT_PG_equalizer:
    return bpy.context.window_manager.motion_editing_equalizer


class EqualizerGesture(SliderGesture):
    """The board of sliders in the viewport, and the same sliders in the panel."""

    _overlay: BoardOverlay
    _spectrum: LimbSpectrum
    _colours: list[Colour]

    def begin(self, context: Context) -> None:
        """Read the motion and its spectrum."""
        if _open is not None:
            raise MotionEditError("The equalizer is open already: apply or cancel it first")
        super().begin(context)
        take = self.run.takes[0]
        rows, numbers = limb_rows(context, take.body)
        self._spectrum = limb_spectrum(take.motion, numbers, [row.name for row in rows], take.joints)
        colours = {row.name: row.colour for row in rows}
        self._colours = [colours[name] for name in self._spectrum.names]

    def start(self, context: Context, _event: Event) -> set[str]:
        """Open the board."""
        global _open
        names = band_names(self._spectrum.cutoffs)
        held = self.operator.hold(context)
        self.drag = BoardDrag(len(names))
        self._overlay = BoardOverlay(context, self.drag.board)
        settings, gains = _settings(), self.operator.gains
        settings.bands, settings.names, settings.answer, settings.is_open = len(names), "|".join(names), "", True
        settings.gains = gains
        self.drag.gains = list(gains)[: len(names)]
        equalizer_settings.listen(self._slider_moved)
        _open = self
        viewport.show_mode("equalizer", "Equalizer    Enter: apply    Esc: cancel")
        # Ticks let a click in the panel be answered although it sends no event here.
        held.timer(0.1)
        context.window_manager.modal_handler_add(self.operator)
        return self.show(context)

    def answer(self, context: Context, event: Event) -> set[str]:
        """The panel's buttons first: they send no event of their own."""
        if _settings().answer:
            return self.confirm(context) if _settings().answer == "APPLY" else {"CANCELLED"}
        return super().answer(context, event)

    def taken(self, event: Event) -> Outcome:
        """What the board makes of an event; it shows that itself."""
        before, hovered = list(self.drag.gains), self.drag.hovered
        x, y = self._overlay.place(event.mouse_x, event.mouse_y)
        outcome: Outcome = self.drag.take(event.type, event.value, x=x, y=y, shift=event.shift, ctrl=event.ctrl)
        if self.drag.gains != before:
            # Shows the result, too.
            _settings().gains = [*self.drag.gains, *self.operator.gains[len(before) :]]
        elif self.drag.hovered != hovered:
            self._draw_board(bpy.context)
        return outcome

    def show(self, context: Context) -> set[str]:
        """Show the present gains on the board and on the rig; what cannot be is told in the status bar."""
        self.operator.gains = _settings().gains
        text = self.show_motion(context) or self.keys_text()
        self._draw_board(context)
        self.operator.hold(context).status(f"Equalizer    Enter: apply    Esc: cancel    {text}")
        return {"RUNNING_MODAL"}

    def leave(self, context: Context) -> None:
        """Close the board."""
        global _open
        if self.drag is not None:
            equalizer_settings.listen(None)
            _open = None
            _settings().is_open, _settings().answer = False, ""
            viewport.hide_mode("equalizer")
            self._overlay.close()
        super().leave(context)

    def _slider_moved(self) -> None:
        """A slider of the panel has moved, or one of the board."""
        if self.drag is not None and not self.operator.is_lost():
            self.drag.gains = list(_settings().gains)[: self.drag.board.bands]
            self.show(bpy.context)

    def _draw_board(self, context: Context) -> None:
        hovered = self.drag.hovered if self.drag.grabbed is None else self.drag.grabbed
        picture = board_picture(self._spectrum, self._colours, self.drag.gains, palette(context), hovered=hovered)
        self._overlay.show(picture)
