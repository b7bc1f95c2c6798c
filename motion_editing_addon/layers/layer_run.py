"""How a layer is retimed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...core.layers import LayeredTake
from ..border.translation import report_text
from ..document import scope
from ..interface.operators.take_run import TakeRun
from . import layer_writer
from .layer_list import active_name, settings_of

if TYPE_CHECKING:
    from bpy.types import Context

    from ...core.layers import LayerStack
    from ...core.motion import Motion
    from ..border.action_io import Clip
    from ..border.steps import Steps
    from ..interface.drawing.original_ghost import OriginalGhost


class LayerRun(TakeRun):
    """One call of Retime Layer."""

    _clip: Clip
    _stack: LayerStack

    def begin(self, context: Context) -> None:
        """Look once at the motion below and at the keys as they are."""
        armature = scope.armatures(context)[0]
        saved = layer_writer.require(context, armature)
        self._clip = scope.read_clip(context, armature)
        self._stack = layer_writer.stack_of(context, armature, saved)

    def preview(self, _context: Context) -> list[tuple[Clip, Motion]]:
        """What the layers show with this one retimed."""
        return [(self._clip, self._retimed(self._stack).evaluate())]

    def ghosts(self) -> list[OriginalGhost]:
        """None."""
        return []

    def work(self, context: Context) -> Steps[None]:
        """Change the layer and its keys, and tell what that did."""
        armature = scope.armatures(context)[0]
        name, measured = self.operator.layer or self._active(), layer_writer.Measured(context, armature)
        yield 0.1
        layer_writer.change(context, armature, self._retimed, active=name)
        self.operator.report({"INFO"}, report_text("Retimed layer '{layer}'", layer=name) + measured.text())

    def _retimed(self, stack: LayerStack) -> LayerStack:
        rate = scope.source_rate(bpy.context, scope.armatures(bpy.context)[0])
        changed: LayerStack = self.operator.present_tool().apply(LayeredTake(stack, self._active(), rate))
        return changed

    def _active(self) -> str:
        return active_name(settings_of(scope.armatures(bpy.context)[0]))
