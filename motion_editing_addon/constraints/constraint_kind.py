"""A kind of constraint: all that whoever lists, shows, draws or makes constraints has to know about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpy.types import Context, Object, PropertyGroup

    from ...core.solve.spacetime import Constraint
    from .constraint_list import Subject


class Span(Enum):
    """Over which frames a constraint holds unless told otherwise."""

    NOW = "the current one"
    FROM_NOW = "some from the current one on"
    ALWAYS = "all of the action"


def _nothing(_context: Context, _armature: Object, _item: PropertyGroup) -> None:
    """Take nothing from the pose."""


@dataclass(frozen=True)
class ConstraintKind:
    """A row of the table.

    Attributes:
        identifier: In files, scripts and recipes; it never changes.
        label: As the interface calls it.
        tooltip: What it does.
        icon: In the list.
        colour: On the strip: a bone colour set of the theme, and which of its shades.
        make: Makes core's constraint of an item of the list.
        properties: Settings of its own by name, as Blender declares them; the panel shows them.
        holds_point: It is about a point of the bone, its head or its tail.
        targets: Kinds of targets that it may have, with what they are called; the first is that of a new one.
        place: The setting that counts where its target is a place.
        span: Over which frames a new one holds.
        is_angle: It is missed by an angle, not by a length.
        ties: It may hold bones of two characters together, and so move both.
        stands: A foot stands where it is: footplants are of such kinds, and limb IK closes them at every frame.
        lets_stand: A foot on which it is asked can still be held by limb IK.
        from_pose: Takes more from the pose for a new one than place, orientation and angle.
    """

    identifier: str
    label: str
    tooltip: str
    icon: str
    colour: tuple[int, str]
    make: Callable[[Subject], Constraint]
    properties: dict[str, Any] = field(default_factory=dict)
    holds_point: bool = True
    targets: dict[str, str] = field(default_factory=dict)
    place: str = ""
    span: Span = Span.NOW
    is_angle: bool = False
    ties: bool = False
    stands: bool = False
    lets_stand: bool = False
    from_pose: Callable[[Context, Object, PropertyGroup], None] = _nothing

    @property
    def shown(self) -> tuple[str, ...]:
        """Settings that are shown besides bone, frames, target and softness."""
        return (*(("tail",) if self.holds_point else ()), *(name for name in self.properties if name != self.place))

    @property
    def first_target(self) -> str:
        """The kind of target of a new one."""
        return next(iter(self.targets), "PLACE")

    @property
    def needs_target(self) -> bool:
        """Whether it always has a target, which then may be a bone of its own armature."""
        return bool(self.targets) and "PLACE" not in self.targets
