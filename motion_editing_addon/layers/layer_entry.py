"""All layers of an action as an edit of its stack: put over whatever the motion below has become."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.layers import from_arrays, retimed_layer, to_arrays
from ..border import saved_state
from ..border.saved_state import LAYERS_SET
from ..border.translation import counted_text, report_text
from ..document import scope
from ..interface.operators.take_run import TakeRun
from . import layer_writer, session

if TYPE_CHECKING:
    from bpy.types import Context

    from ...core.layers import Layer
    from ..border.steps import Steps


def layers_text(layers: tuple[Layer, ...], rate: float) -> str:
    """Layers as a parameter of an entry."""
    arrays = to_arrays(layers)
    plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in arrays.items()}
    return saved_state.to_text(LAYERS_SET, {"rate": float(rate), "layers": plain})


def layers_of(text: str) -> tuple[tuple[Layer, ...], float]:
    """Layers of an entry, and the rate of their times."""
    saved = saved_state.from_text(LAYERS_SET, text)
    with saved_state.reading(LAYERS_SET):
        return from_arrays(saved["layers"]), float(saved["rate"])


def moved_text(text: str, moved: Callable[[Any], Any]) -> str:
    """Layers at the frames that their moments have become."""
    layers, rate = layers_of(text)

    def new_times(times: np.ndarray) -> np.ndarray:
        return np.round(np.asarray(moved(times * rate)), 6) / rate

    return layers_text(tuple(retimed_layer(layer, new_times) for layer in layers), rate)


class LayersRun(TakeRun):
    """One call of the operator that puts layers over a motion."""

    def work(self, context: Context) -> Steps[None]:
        """Put the layers over the keys in the place of those that there are."""
        operator: Any = self.operator
        armature, (layers, _rate) = scope.armatures(context)[0], layers_of(operator.layers)
        yield 0.5
        there = session.load(armature)
        start = session.start(armature) if there is None else layer_writer.require(context, armature)
        layer_writer.carry_out(context, armature, start, lambda stack: replace(stack, layers=layers), changed=True)
        text = report_text("Put {layers} over the motion", layers=counted_text(len(layers), "layer"))
        self.operator.report({"INFO"}, text)
