"""What can be done without a window: every operator of the add-on with its parameters, asked from Blender itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import degrees, radians
from typing import TYPE_CHECKING, Any

import bpy

if TYPE_CHECKING:
    from bpy.types import Property

# Of Blender itself, or of its file dialog.
_NOT_OURS = {"rna_type", "check_existing", "filter_glob"}
# Operators that answer to the mouse and mean nothing without a window, and those that bring another figure: files to
# edit stand on the command line.
_NO_EDITS = (
    "strip_",
    "import_bvh",
    "bring_in_motion",
    "load_sample_motion",
    "save_recipe",
    "run_recipe",
    "remove_edit",
    "move_edit",
    "bake_stack",
    "update_source",
    "reopen_edit",
    # What was set by hand, as the stack does it again.
    "change_staggered_pose",
    "set_layers",
    "follow_timing",
    "compare_hold",
)
# The edit after which the motion is on another armature, its target.
RETARGETING = "retarget_motion"
# The edit that chooses a part of the motion, and the word by which steps after it are limited to that part.
CHOOSING, WINDOW = "find_similar", "window"
# How units are written; angles are degrees here and radians inside of Blender.
_UNITS = {
    "ROTATION": "degrees",
    "LENGTH": "scene units",
    "TIME": "frames",
    "TIME_ABSOLUTE": "seconds",
    "VELOCITY": "scene units a second",
}
_KINDS = {"BOOLEAN": "yes or no", "INT": "whole number", "FLOAT": "number", "STRING": "text", "ENUM": "choice"}
# Blender's own limits of numbers without one.
_NO_LIMIT = 1e9


@dataclass(frozen=True)
class Parameter:
    """A property of an operator as recipes write it.

    Attributes:
        name: As in a recipe.
        label: As in a panel.
        kind: 'yes or no', 'whole number', 'number', 'text' or 'choice'.
        default: What holds when the recipe is silent; angles in degrees.
        unit: Of numbers; empty for a bare one.
        low: Smallest value, None without limit.
        high: Largest value, None without limit.
        choices: Names of a choice; empty where they depend on the file.
        count: How many values; 0 for a single one.
        several: Whether a choice takes a list of names.
        description: The tooltip.
    """

    name: str
    label: str
    kind: str
    default: Any
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    count: int = 0
    several: bool = False
    description: str = ""

    def for_blender(self, value: Any) -> Any:
        """A checked value of a recipe as the operator takes it."""
        if self.unit == "degrees":
            return [radians(each) for each in value] if self.count else radians(value)
        return set(value) if self.several else value

    def for_recipe(self, value: Any) -> Any:
        """A value of the operator as a recipe writes it."""
        if self.count:
            return [_shown(each, self.unit) for each in value]
        return sorted(value) if self.several else _shown(value, self.unit)


@dataclass(frozen=True)
class Edit:
    """An operator: its name in recipes, its label in panels, its tooltip and its parameters."""

    name: str
    label: str
    description: str
    parameters: tuple[Parameter, ...]

    def parameter(self, name: str) -> Parameter | None:
        """The parameter with this name."""
        return next((each for each in self.parameters if each.name == name), None)


# Where batches differ from panels: results are files of their own, the take stays in the file that is read.
OWN_DEFAULTS = {"result": "THIS"}


@cache
def edits() -> dict[str, Edit]:
    """All edits by name."""
    return {name: _edit(name) for name in sorted(dir(bpy.ops.motion_editing)) if not name.startswith(_NO_EDITS)}


def _edit(name: str) -> Edit:
    rna = getattr(bpy.ops.motion_editing, name).get_rna_type()
    return Edit(name, rna.name, rna.description, tuple(_parameters(rna)))


def _parameters(rna: bpy.types.Struct) -> Iterator[Parameter]:
    for prop in rna.properties:
        hidden = prop.is_hidden and prop.identifier != "filepath"
        if prop.type in _KINDS and prop.identifier not in _NOT_OURS and not hidden:
            yield _parameter(prop)


def _parameter(prop: Property) -> Parameter:
    count = prop.array_length if getattr(prop, "is_array", False) else 0
    several = prop.type == "ENUM" and prop.is_enum_flag
    unit = _unit(prop)
    low, high = _limits(prop, unit)
    return Parameter(
        name=prop.identifier,
        label=prop.name,
        kind=_KINDS[prop.type],
        default=OWN_DEFAULTS.get(prop.identifier, _default(prop, count, several, unit)),
        unit=unit,
        low=low,
        high=high,
        choices=tuple(item.identifier for item in prop.enum_items) if prop.type == "ENUM" else (),
        count=count,
        several=several,
        description=prop.description,
    )


def _unit(prop: Property) -> str:
    if prop.type not in ("INT", "FLOAT"):
        return ""
    if prop.unit in _UNITS:  # then Blender has no name for the subtype, and complains when asked
        return _UNITS[prop.unit]
    return "%" if prop.subtype == "PERCENTAGE" else ""


def _limits(prop: Property, unit: str) -> tuple[float | None, float | None]:
    if prop.type not in ("INT", "FLOAT"):
        return None, None
    limits = prop.hard_min, prop.hard_max
    low, high = (None if abs(limit) > _NO_LIMIT else _shown(limit, unit) for limit in limits)
    return low, high


def _default(prop: Property, count: int, several: bool, unit: str) -> Any:
    if count:
        return [_shown(each, unit) for each in prop.default_array]
    if several:
        return sorted(prop.default_flag)
    return _shown(prop.default, unit)


def _shown(value: Any, unit: str) -> Any:
    """A value of Blender in the units of recipes, without the noise of single precision."""
    if not isinstance(value, float):
        return value
    return float(f"{degrees(value) if unit == 'degrees' else value:.6g}")
