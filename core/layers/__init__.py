"""Layers of changes over a motion (motion editing chapter, 1.6.5)."""

from .edits import Scope, layer_from_edits, with_key, without_key
from .layer import Layer, LayerError
from .mirrored_layer import mirrored_layer
from .stack import LayerStack, merged_layer
from .storage import from_arrays, to_arrays

__all__ = [
    "Layer",
    "LayerError",
    "LayerStack",
    "Scope",
    "from_arrays",
    "layer_from_edits",
    "merged_layer",
    "mirrored_layer",
    "to_arrays",
    "with_key",
    "without_key",
]
