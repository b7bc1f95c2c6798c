"""Modifiers of F-curves, taken from one curve to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bpy.types import FCurve, FModifier

# How modifiers are shown, which is none of their settings.
_SHOWN = {"active", "show_expanded"}


def copy_modifiers(source: FCurve, target: FCurve) -> None:
    """Give a curve the modifiers of another in the place of its own, unless they are the same."""
    if modifier_settings(source) == modifier_settings(target):
        return
    while len(target.modifiers):
        target.modifiers.remove(target.modifiers[0])
    for modifier in source.modifiers:
        _copy_settings(modifier, target.modifiers.new(modifier.type))


def modifier_settings(curve: FCurve) -> list[dict[str, Any]]:
    """What tells the modifiers of a curve apart: all their settings, numbers in arrays and envelopes included."""
    return [_settings(modifier) for modifier in curve.modifiers]


def _settings(modifier: FModifier) -> dict[str, Any]:
    found = {name: getattr(modifier, name) for name in _names(modifier)}
    found = {name: value[:] if hasattr(value, "__len__") else value for name, value in found.items()}
    points = [(point.frame, point.min, point.max) for point in _points(modifier)]
    return {"type": modifier.type, **found, "points": points}


def _names(modifier: FModifier) -> list[str]:
    """Settings that can be changed."""
    return [
        each.identifier
        for each in modifier.bl_rna.properties
        if not each.is_readonly and each.type not in {"COLLECTION", "POINTER"} and each.identifier not in _SHOWN
    ]


def _copy_settings(source: FModifier, target: FModifier) -> None:
    # Twice, as some settings hold others within limits.
    for name in 2 * _names(source):
        setattr(target, name, getattr(source, name))
    points = _points(source)
    for point in points:
        target.control_points.add(point.frame)
    for name in ("min", "max") if len(points) else ():
        # At once: where a single one is set, Blender takes the point for its modifier and may read anywhere.
        target.control_points.foreach_set(name, [getattr(point, name) for point in points])


def _points(modifier: FModifier) -> Any:
    """Control points of an envelope; nothing for others."""
    return getattr(modifier, "control_points", ())
