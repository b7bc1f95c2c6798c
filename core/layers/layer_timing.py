"""A layer that goes with a motion which gets another timing."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..numerics import Array
from .layer import Layer


def retimed_layer(layer: Layer, new_times: Callable[[Array], Array]) -> Layer:
    """The layer with its keys, scope, eases and influence when they are seen now.

    Where its scope is cut, or two of its keys meet, it stays as it is.

    Args:
        layer: Before the edit.
        new_times: Gives new for old seconds (N,), NaN for moments that are no longer seen.
    """
    scope = new_times(np.array([layer.start, layer.end]))
    inner = new_times(np.array([layer.start + layer.ease_in, layer.end - layer.ease_out]))
    order, times = _in_order(new_times(layer.times))
    influence, influence_times = _in_order(new_times(layer.influence_times))
    if len(layer.influence_times) < 2:
        influence, influence_times = np.arange(1), layer.influence_times
    if not (np.isfinite([*scope, *inner]).all() and _increases(times) and _increases(influence_times)):
        return layer
    way = 1 if scope[0] < scope[1] else -1
    arrays: dict[str, Any] = {name: getattr(layer, name)[order] for name in ("turns", "moves", "scalings", "changes")}
    eases = np.abs(inner - scope)[::way].tolist()
    start, end = scope[::way].tolist()
    return replace(
        layer,
        times=times,
        start=start,
        end=end,
        ease_in=eases[0],
        ease_out=eases[1],
        influence_times=influence_times,
        influence_values=layer.influence_values[influence],
        **arrays,
    )


def _in_order(times: Array) -> tuple[Any, Array]:
    """Which times there are, earliest first, and these."""
    order = np.argsort(times, kind="stable")[: int(np.isfinite(times).sum())]
    return order, times[order]


def _increases(times: Array) -> bool:
    return len(times) > 0 and bool((np.diff(times) > 0.0).all())
