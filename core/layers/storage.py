"""Layers as flat arrays and short strings, to be saved with an action or by themselves, and back without loss."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .layer import Layer

Arrays = dict[str, Any]

_PER_JOINT = ("turns", "moves", "scalings")
_FLAT = ("times", "weights", "influence_times", "influence_values")
_NUMBERS = ("start", "end", "ease_in", "ease_out")
_FLAGS = ("muted", "solo", "smooth")
_NAMES = ("joints", "scalar_names")


def to_arrays(layers: Iterable[Layer]) -> Arrays:
    """Names to 1-D float64 arrays, numbers and strings."""
    listed = tuple(layers)
    arrays: Arrays = {"count": len(listed)}
    for number, layer in enumerate(listed):
        arrays[f"{number}.name"] = layer.name
        for name in (*_PER_JOINT, *_FLAT, "changes"):
            arrays[f"{number}.{name}"] = np.array(getattr(layer, name), dtype=np.float64).ravel()
        arrays |= {f"{number}.{name}": float(getattr(layer, name)) for name in _NUMBERS}
        arrays |= {f"{number}.{name}": int(getattr(layer, name)) for name in _FLAGS}
        arrays |= {f"{number}.{name}": json.dumps(getattr(layer, name)) for name in _NAMES}
    return arrays


def from_arrays(arrays: Mapping[str, Any]) -> tuple[Layer, ...]:
    """The layers that were saved, lowest first."""
    return tuple(_layer(arrays, number) for number in range(int(arrays["count"])))


def _layer(arrays: Mapping[str, Any], number: int) -> Layer:
    def get(name: str) -> Any:
        return arrays[f"{number}.{name}"]

    values: Arrays = {name: np.array(get(name), dtype=np.float64) for name in _FLAT}
    values |= {name: tuple(json.loads(get(name))) for name in _NAMES}
    keys, joints, channels = len(values["times"]), len(values["joints"]), len(values["scalar_names"])
    values |= {name: np.array(get(name), dtype=np.float64).reshape(keys, joints, 3) for name in _PER_JOINT}
    values["changes"] = np.array(get("changes"), dtype=np.float64).reshape(keys, channels)
    values |= {name: float(get(name)) for name in _NUMBERS}
    values |= {name: bool(get(name)) for name in _FLAGS}
    return Layer(name=str(get("name")), **values)
