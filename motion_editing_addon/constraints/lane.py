"""Constraints on the strip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..document import scope
from ..interface import strip
from ..interface.drawing.theme import bone_colour
from .kinds import KINDS, TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bpy.types import Context, Object, PropertyGroup

    from ..interface.drawing.theme import Colour

NAME = "constraints"
_SECONDS = 0.5
_TURN_OVER = "TURN_OVER"


class ConstraintsOnStrip(strip.ListedSpans):
    """Feeds a lane of spans with the constraints of the active armature."""

    def settings(self, armature: Object) -> PropertyGroup:
        """The constraints of its action."""
        return scope.own_action(armature).motion_editing_constraints

    def items(self, armature: Object) -> Iterable[tuple[int, PropertyGroup]]:
        """Those of its slot."""
        found: Iterable[tuple[int, PropertyGroup]] = self.settings(armature).of(armature)
        return found

    def colours(self, context: Context) -> dict[str, Colour]:
        """One for each type."""
        return {kind.identifier: bone_colour(context, *kind.colour) for kind in TABLE}

    def look(self, item: PropertyGroup) -> tuple[str, str, str, bool, bool]:
        """The type on the bar, with the target under the mouse."""
        label, target = KINDS[item.kind].label, item.target_text
        return item.kind, label, f"{label} {target}" if target else label, item.enabled, bool(item.missed)

    def menu(self, context: Context, number: int) -> tuple[tuple[str, str], ...]:
        """Turning it on or off, too."""
        entries = super().menu(context, number)
        if not scope.own_action(scope.known_object(context)).is_editable:
            return entries
        return ((_TURN_OVER, "Turn Off" if self._item(context, number).enabled else "Turn On"), *entries)

    def choose(self, context: Context, identifier: str, number: int) -> None:
        """Turn it on or off, or what is offered for all spans."""
        if identifier != _TURN_OVER:
            super().choose(context, identifier, number)
            return
        item = self._item(context, number)
        item.enabled = not item.enabled

    def add(self, context: Context, row: str, frame: float) -> None:
        """Keep the bone where it moves, or let it stand still if that is what its row has: no pose is needed."""
        kinds = {item.kind for _number, item in self.items(scope.known_object(context)) if item.bone == row}
        kind = "NO_SKID" if "NO_SKID" in kinds and "KEEP" not in kinds else "KEEP"
        end = frame + round(_SECONDS * scope.scene_rate(context))
        bpy.ops.motion_editing.add_constraint(kind=kind, bone=row, start=frame, end=end)

    def remove(self, _context: Context, number: int) -> None:
        """Hold it no longer."""
        bpy.ops.motion_editing.remove_constraint(number=number)


def add() -> None:
    """Show constraints on the strip."""
    strip.add_lane(strip.SpanLane(NAME, "Constraints", "Constraint", ConstraintsOnStrip(), order=22))


def remove() -> None:
    """Show them no more."""
    strip.remove_lane(NAME)
