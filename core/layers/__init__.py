"""Layers of changes over a motion (motion editing chapter, 1.6.5)."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from . import influence
    from .edits import Scope, layer_from_edits, with_key, without_key
    from .layer import Layer, LayerError
    from .layer_keys import edited_pose, nearest_key, with_neutral_key, with_pose_key, with_scalars_of
    from .layer_mirror import mirrored_layer
    from .layer_timing import retimed_layer
    from .retime_tool import LayeredTake, RetimeLayer
    from .stack import LayerStack, merged_layer, without_layers
    from .storage import from_arrays, to_arrays
else:
    __getattr__ = lazy_door(__name__)
