"""Blender's properties and sliders, made of the options of a tool."""

from __future__ import annotations

from typing import Any

from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, StringProperty

from ...core.editing import Option, Unit, options_of

_PROPERTIES = {
    float: FloatProperty,
    int: IntProperty,
    bool: BoolProperty,
    str: StringProperty,
    tuple: FloatVectorProperty,
}
_UNITS = {
    Unit.SECONDS: {"unit": "TIME_ABSOLUTE"},
    Unit.ANGLE: {"subtype": "ANGLE"},
    Unit.FACTOR: {"subtype": "FACTOR"},
    Unit.DISTANCE: {"subtype": "DISTANCE"},
}


def label_of(name: str, option: Option) -> str:
    """What people read in front of an option."""
    return option.label or name.replace("_", " ").title()


def properties_of(tool: type) -> dict[str, Any]:
    """One property for each option of a tool, as annotations of an operator."""
    return {name: _property(name, option) for name, option in options_of(tool).items()}


def _property(name: str, option: Option) -> Any:
    make = EnumProperty if option.choices else _PROPERTIES[option.kind]
    details: dict[str, Any] = {"items": option.choices} if option.choices else {}
    details |= {"size": len(option.default)} if option.kind is tuple else {}
    details |= {} if option.is_remembered else {"options": {"SKIP_SAVE"}}
    limits = zip(("min", "max", "soft_min", "soft_max"), (*option.limits, *option.soft_limits), strict=True)
    details |= {key: value for key, value in limits if value is not None}
    details |= {key: value for key in ("step", "precision") if (value := getattr(option, key)) is not None}
    details |= _UNITS.get(option.unit, {}) if option.kind in (float, tuple) else {}
    label = label_of(name, option)
    return make(name=label, description=option.tooltip, default=option.default, **details)
