"""Bézier keys fitted to dense curves under a stated bound on the error."""

from .curves import reduce_curves
from .keyed_curves import KeyedCurves, evaluate_keys
from .whole_channels import ReducedChannels, reduce_locations, reduce_rotations

__all__ = [
    "KeyedCurves",
    "ReducedChannels",
    "evaluate_keys",
    "reduce_curves",
    "reduce_locations",
    "reduce_rotations",
]
