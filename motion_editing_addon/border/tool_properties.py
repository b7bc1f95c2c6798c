"""Blender's properties and sliders, made of the options of a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...core.editing import Named, Option, Unit, option_in, options_of

if TYPE_CHECKING:
    from bpy.types import UILayout

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


# Where the things are that a text may name, the icon of its field, and their type.
_COLLECTIONS: dict[Named, tuple[str, Any, str]] = {
    Named.ACTION: ("actions", "ACTION", ""),
    Named.ARMATURE: ("objects", "ARMATURE_DATA", "ARMATURE"),
    Named.CURVE: ("objects", "OUTLINER_OB_CURVE", "CURVE"),
}


def label_of(name: str, option: Option) -> str:
    """What people read in front of an option."""
    return option.label or name.replace("_", " ").title()


def properties_of(tool: type, **more: Any) -> dict[str, Any]:
    """One property for each option of a tool, as annotations of an operator or of settings, with more details."""
    return {name: _property(name, option, **more) for name, option in options_of(tool).items()}


def property_of(name: str, declared: Any) -> Any:
    """The property of an option that several tools have, as core declares it."""
    return _property(name, option_in(declared))


def setting_of(tool: type, name: str, **more: Any) -> Any:
    """The property of a tool's option where a panel keeps it; `more` is what Blender alone has to know."""
    return _property(name, options_of(tool)[name], **more)


def pointer_of(tool: type, name: str) -> Any:
    """Where a panel keeps the thing that an option names: a pointer to an action, or to an object of its type."""
    option = options_of(tool)[name]
    collection, _icon, wanted = _COLLECTIONS[option.names]
    details: dict[str, Any] = {"name": label_of(name, option), "description": option.tooltip}
    if collection == "objects":
        details["poll"] = lambda _settings, thing: thing.type == wanted
    return PointerProperty(**details, type=bpy.types.Action if collection == "actions" else bpy.types.Object)


def draw_option(layout: UILayout, holder: Any, name: str, option: Option) -> None:
    """The field of an option; the names that a text may be are offered."""
    if option.names is Named.ANYTHING:
        layout.prop(holder, name)
        return
    collection, icon, _type = _COLLECTIONS[option.names]
    layout.prop_search(holder, name, bpy.data, collection, icon=icon)


def values_in(settings: Any, tool: type) -> dict[str, Any]:
    """The options of a tool that settings have too, as an operator holds them: actions and objects by their names."""
    found = {name: getattr(settings, name) for name in options_of(tool) if hasattr(settings, name)}
    return {name: "" if value is None else getattr(value, "name", value) for name, value in found.items()}


def _property(name: str, option: Option, **more: Any) -> Any:
    make: Any = EnumProperty if option.choices else _PROPERTIES[option.kind]
    details: dict[str, Any] = {"items": option.choices} if option.choices else {}
    details |= {"size": len(option.default)} if option.kind is tuple else {}
    details |= {} if option.is_remembered else {"options": {"SKIP_SAVE"}}
    limits = zip(("min", "max", "soft_min", "soft_max"), (*option.limits, *option.soft_limits), strict=True)
    details |= {key: value for key, value in limits if value is not None}
    details |= {key: value for key in ("step", "precision") if (value := getattr(option, key)) is not None}
    if option.kind is tuple and option.unit is Unit.DISTANCE:
        details |= {"subtype": "XYZ", "unit": "LENGTH"}
    elif option.kind in (float, tuple):
        details |= _UNITS.get(option.unit, {})
    label = label_of(name, option)
    return make(name=label, description=option.tooltip, default=option.default, **details, **more)
