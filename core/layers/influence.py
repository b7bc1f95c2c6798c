"""The influence of a layer as a curve of keys: straight between them, held outside."""

import numpy as np

from ..errors import MotionEditError
from ..wording import frame_text
from .layer import Layer

# Keys nearer than this, in frames, are the same.
_SAME_KEY = 0.25


def with_value(layer: Layer, value: float, time: float, rate: float) -> Layer:
    """The layer with another influence: everywhere, or at one time where it is keyed."""
    if len(layer.influence_times) < 2:
        return layer.with_influence(value)
    return _with_key(layer, value, time, rate)


def keyed(layer: Layer, value: float | None, time: float, rate: float) -> Layer:
    """The layer with a key of its influence at a time; the present value if none is given.

    The first key comes with a second one, at the layer's start or end, that holds the value from before.
    """
    held = float(np.interp(time, layer.influence_times, layer.influence_values))
    if len(layer.influence_times) < 2:
        other = layer.start if time - layer.start > _SAME_KEY / rate else layer.end
        if abs(other - time) < _SAME_KEY / rate:
            raise MotionEditError("The layer is too short for an influence that changes: widen its scope")
        layer = layer.with_influence([held], [other])
    return _with_key(layer, held if value is None else value, time, rate)


def unkeyed(layer: Layer, time: float, rate: float) -> Layer:
    """The layer without the key of its influence at a time; the last one that is left counts everywhere.

    Raises:
        MotionEditError: There is no key.
    """
    kept = np.abs(layer.influence_times - time) > _SAME_KEY / rate
    if len(kept) < 2 or kept.all():
        raise MotionEditError(f"The influence of '{layer.name}' has no key at frame {frame_text(time * rate)}")
    return layer.with_influence(layer.influence_values[kept], layer.influence_times[kept])


def _with_key(layer: Layer, value: float, time: float, rate: float) -> Layer:
    kept = np.abs(layer.influence_times - time) > _SAME_KEY / rate
    times, values = np.append(layer.influence_times[kept], time), np.append(layer.influence_values[kept], value)
    order = np.argsort(times)
    return layer.with_influence(values[order], times[order])
