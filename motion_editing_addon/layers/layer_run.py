"""How a layer is retimed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..document import scope
from ..interface.operators.take_run import TakeRun
from . import changes, layer_writer, session
from .layer_list import active_name, settings_of

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...core.layers import Layer, LayerStack
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
        saved = session.require(armature)
        self._clip = scope.read_clip(context, armature)
        self._stack = layer_writer.stack_of(context, armature, saved)

    def preview(self, _context: Context) -> list[tuple[Clip, Motion]]:
        """What the layers show with this one retimed."""
        return [(self._clip, self._stack.changed(self._name(self._clip.armature), self._retimed).evaluate())]

    def ghosts(self) -> list[OriginalGhost]:
        """None."""
        return []

    def work(self, context: Context) -> Steps[None]:
        """Change the layer and its keys, and tell what that did."""
        armature = scope.armatures(context)[0]
        name, measured = self._name(armature), layer_writer.Measured(context, armature)
        yield 0.1
        layer_writer.change(context, armature, lambda stack: stack.changed(name, self._retimed), active=name)
        self.operator.report({"INFO"}, f"Retimed layer '{name}'{measured.text()}")

    def _name(self, armature: Object) -> str:
        return self.operator.layer or active_name(settings_of(armature))

    def _retimed(self, layer: Layer) -> Layer:
        rate = scope.source_rate(bpy.context, scope.armatures(bpy.context)[0])
        return changes.retimed(layer, self.operator.offset / rate, self.operator.stretch)
