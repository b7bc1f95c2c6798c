"""Layers that go with the motion when its timing changes, its sides are exchanged, or the original keys come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError
from ...core.layers import mirrored_layer, retimed_layer
from ..document import scope
from ..document.character.saved_body import body_of
from . import layer_list, session

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ...core.layers import Layer
    from ..document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """Let layers change the same moments of the same motion; the keys below follow when layers are next changed."""
    if change.joints is None or not scope.own_action(change.armature).motion_editing_layers.layers:
        return
    try:
        saved = session.load(change.armature)
        if saved is not None:
            names = change.clip.motion.skeleton.names
            edited = {name for name, chosen in zip(names, change.joints, strict=True) if chosen}
            layers = tuple(_followed(change, edited, layer) for layer in saved.layers)
            saved = session.save(change.armature, saved.with_layers(layers), fits=False)
            layer_list.refresh(change.armature, saved)
    except MotionEditError:  # said by the tools
        return


def _followed(change: MotionChange, edited: set[str], layer: Layer) -> Layer:
    """The layer where and when its change is seen now; as it is if only some of its bones were edited."""
    rate = change.clip.motion.rate
    if not change.is_whole and not edited.issuperset(layer.joints):
        return layer
    first, last = change.reach
    if change.partner is not None and first <= layer.start * rate and layer.end * rate <= last:
        layer = mirrored_layer(layer, body_of(change.armature, change.clip), name=layer.name)
    if change.time_map is None:
        return layer
    # Ends of a scope lie on frames: with rounding the last one would be outside.
    return retimed_layer(layer, lambda times: np.round(change.seen_frames(times * rate), 6) / rate)


def restore(armature: Object, original: Action) -> None:
    """Bring back the layers that the action had with these keys."""
    if not any(action.motion_editing_layers.layers for action in (scope.own_action(armature), original)):
        return
    try:
        session.bring_back(armature, original)
        layer_list.refresh(armature, session.load(armature))
    except MotionEditError:  # said by the tools
        return
