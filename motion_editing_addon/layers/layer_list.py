"""The list of layers in the panel follows the saved layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.wording import frame_text
from ..border.translation import counted_text
from ..document import scope

if TYPE_CHECKING:
    from bpy.types import Object, PropertyGroup

    from ...core.layers import Layer
    from .session import LayerSession

# Filling the list sets properties whose updates must not answer.
_filling = False
_MOST_FRAMES = 8


def is_filling() -> bool:
    """Whether the list is being filled."""
    return _filling


def settings_of(armature: Object) -> PropertyGroup:
    """The list of the armature's action."""
    return scope.own_action(armature).motion_editing_layers


def refresh(armature: Object, session: LayerSession | None, *, active: str = "") -> None:
    """Fill the list anew, topmost layer first; a layer is made the active one by its name."""
    global _filling
    settings = settings_of(armature)
    layers, rate = (session.layers[::-1], session.rate) if session is not None else ((), 0.0)
    chosen = active or active_name(settings)
    _filling = True
    try:
        while len(settings.layers) > len(layers):
            settings.layers.remove(len(settings.layers) - 1)
        while len(settings.layers) < len(layers):
            settings.layers.add()
        for row, layer in zip(settings.layers, layers, strict=True):
            _fill(row, layer, rate)
        names = [layer.name for layer in layers]
        settings.active = names.index(chosen) if chosen in names else max(0, min(settings.active, len(names) - 1))
        settings.problem = ""
    finally:
        _filling = False


def active_name(settings: PropertyGroup) -> str:
    """Name of the active layer; empty if there is none."""
    rows = settings.layers
    return rows[settings.active].known_as if 0 <= settings.active < len(rows) else ""


def _fill(row: PropertyGroup, layer: Layer, rate: float) -> None:
    row.name = row.known_as = layer.name
    row.muted, row.solo = layer.muted, layer.solo
    for name in ("start", "end", "ease_in", "ease_out"):
        setattr(row, name, getattr(layer, name) * rate)
    row.bones = sum(bool(name) for name in layer.joints)
    row.key_frames = _frames_text(layer, rate)
    row.influence_keys.clear()
    for time, value in zip(layer.influence_times, layer.influence_values, strict=True):
        key = row.influence_keys.add()
        key.frame, key.value = time * rate, value


def _frames_text(layer: Layer, rate: float) -> str:
    """'10, 25, 40', or how many where there are more."""
    if not layer.smooth or len(layer.times) > _MOST_FRAMES:
        return counted_text(len(layer.times), "key")
    if layer.is_blank:
        return ""
    return ", ".join(frame_text(frame) for frame in layer.times * rate)
