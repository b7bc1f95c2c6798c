"""Kinds of options that a tool has. Written once with the tool; panels, recipes and manuals take them from here."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any

_METADATA = "option"


class Unit(Enum):
    """What a number means, by what is written after it."""

    NONE = ""
    HERTZ = "Hz"
    SECONDS = "s"
    FRAMES = "frames"
    ANGLE = "°"  # held in radians
    FACTOR = "%"  # held as a fraction
    DISTANCE = "units"


class Named(Enum):
    """What a text is the name of."""

    ANYTHING = ""
    ACTION = "action"
    ARMATURE = "armature"
    CURVE = "curve"


@dataclass(frozen=True)
class Option:
    """One option of a tool.

    Attributes:
        kind: float, int, bool, str for a text or a choice, tuple for several numbers.
        default: What holds when nobody says otherwise.
        tooltip: One line for people.
        label: What people read in front of it; made of the field's name if empty.
        limits: Lowest and highest value; None without limit.
        soft_limits: What sliders reach; the limits where None.
        unit: Of a number.
        precision: Digits after the point; None for Blender's own.
        step: Of the arrows beside a number, in hundredths; None for Blender's own.
        drag: Change for a few pixels of mouse travel, and multiples to snap to, both in the unit shown.
        drag_unit: What is shown while the mouse sets it, if that is another unit than the panel's.
        choices: Identifier, label and tooltip of each.
        names: What a text is the name of.
        key: Switches the option while the mouse sets another.
        is_remembered: Whether the next call of the tool begins with the value of the last one.
    """

    kind: type
    default: Any
    tooltip: str
    label: str = ""
    limits: tuple[float | None, float | None] = (None, None)
    soft_limits: tuple[float | None, float | None] = (None, None)
    unit: Unit = Unit.NONE
    precision: int | None = None
    step: int | None = None
    drag: tuple[float, float] = (0.01, 0.1)
    drag_unit: Unit | None = None
    choices: tuple[tuple[str, str, str], ...] = ()
    names: Named = Named.ANYTHING
    key: str = ""
    is_remembered: bool = True


def number(default: float, tooltip: str, **details: Any) -> Any:
    """A field that holds a number; details are those of `Option`."""
    return _field(Option(float, default, tooltip, **details))


def whole_number(default: int, tooltip: str, **details: Any) -> Any:
    """A field that holds a whole number."""
    return _field(Option(int, default, tooltip, **details))


def switch(default: bool, tooltip: str, **details: Any) -> Any:
    """A field that is on or off."""
    return _field(Option(bool, default, tooltip, **details))


def choice(default: str, tooltip: str, *choices: tuple[str, str, str], **details: Any) -> Any:
    """A field that holds the identifier of one of several choices."""
    return _field(Option(str, default, tooltip, choices=choices, **details))


def text(default: str, tooltip: str, **details: Any) -> Any:
    """A field that holds a text, such as a name; the detail `names` tells of what."""
    return _field(Option(str, default, tooltip, **details))


def numbers(default: tuple[float, ...], tooltip: str, **details: Any) -> Any:
    """A field that holds several numbers."""
    return _field(Option(tuple, default, tooltip, **details))


def _field(option: Option) -> Any:
    return field(default=option.default, metadata={_METADATA: option})


def option_in(declared: Any) -> Option:
    """The option that a field was declared with."""
    option: Option = declared.metadata[_METADATA]
    return option


def options_of(tool: Any) -> Mapping[str, Option]:
    """The options of a tool, or of its class, by name, in the order in which people see them."""
    return {each.name: each.metadata[_METADATA] for each in fields(tool) if _METADATA in each.metadata}
