"""How a layer is retimed, and how layers are put over a motion."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import bpy

from ...core.errors import MotionEditError
from ...core.layers import LayeredTake
from ..border.action_io.curves.key_arrays import restore_key_arrays
from ..border.saved_state import LAYERS
from ..border.translation import counted_text, report_text
from ..document import scope, watched_keys
from ..document.stack import last_edit, parameters
from ..document.take.other_action import playing
from ..interface.operators.take_run import TakeRun
from . import layer_list, layer_writer, session
from .layer_list import active_name, settings_of

if TYPE_CHECKING:
    from bpy.types import Context, Object

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


class LayersRun(TakeRun):
    """One call of the operator that puts layers over a motion."""

    def work(self, context: Context) -> Steps[None]:
        """Put the layers over the keys in the place of those that there are."""
        operator: Any = self.operator
        armature, (layers, _rate) = scope.armatures(context)[0], session.layers_of(operator.layers)
        yield 0.5
        there = session.load(armature)
        start = session.start(armature) if there is None else layer_writer.require(context, armature)
        layer_writer.carry_out(context, armature, start, lambda stack: replace(stack, layers=layers), changed=True)
        text = report_text("Put {layers} over the motion", layers=counted_text(len(layers), "layer"))
        self.operator.report({"INFO"}, text)


def begin_stack(armature: Object) -> None:
    """Let a stack begin with layers that an action has from before there were stacks: over the keys below them."""
    action = scope.own_action(armature)
    try:
        saved = session.load(armature)
    except MotionEditError:  # said by the tools
        return
    if saved is None or watched_keys.state(armature, LAYERS, exact=True) is not watched_keys.State.CURRENT:
        return
    stack, base = action.motion_editing_stack, action.copy()
    base.name, base.use_fake_user = f"{action.name} (base)", False
    with playing(armature, base):
        restore_key_arrays(armature, saved.base)
        session.remove(armature)
        layer_list.refresh(armature, None)
    stack.base = base
    entry = stack.new(armature, "Layers")
    parameters.keep_values(entry, "set_layers", {"layers": session.layers_text(saved.layers, saved.rate)})
    entry.done = parameters.state_of(entry)
    last_edit.close(armature)
