"""Spans of a list that is saved with the action: dragging writes the list, Esc writes it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....border.lazy_modules import np
from ....document import scope
from . import span_data

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bpy.types import Context, Object, PropertyGroup

    from ...drawing.theme import Colour
    from .span_data import SpanLaneData

_JUMP = (("START", "Go to First Frame"), ("END", "Go to Last Frame"))
_DELETE = ("DELETE", "Delete")
MIDDLE = "MIDDLE"


class ListedSpans:
    """Feeds a lane of spans from a list with `bone`, `start` and `end`, in frames of the action.

    A capability says where its list is and what a span looks like, adds and removes.
    """

    least = 0.0  # frames from start to end

    def __init__(self) -> None:
        """Nothing is shown before the strip asks."""
        self._shown: tuple[object, SpanLaneData] | None = None
        self._before: tuple[int, float, float] | None = None

    # What a capability says

    def settings(self, armature: Object) -> PropertyGroup:
        """Has `active`, the number of the active item."""
        raise NotImplementedError

    def items(self, armature: Object) -> Iterable[tuple[int, PropertyGroup]]:
        """The items of the list that are about the armature, with their numbers."""
        raise NotImplementedError

    def colours(self, context: Context) -> dict[str, Colour]:
        """Of each kind of span."""
        raise NotImplementedError

    def look(self, item: PropertyGroup) -> tuple[str, str, str, bool, bool]:
        """Kind, label, tip, whether it is enabled, whether it is missed."""
        raise NotImplementedError

    def add(self, context: Context, row: str, frame: float) -> None:
        """A span is wanted for a bone from this scene frame on."""
        raise NotImplementedError

    def remove(self, context: Context, number: int) -> None:
        """A span shall go."""
        raise NotImplementedError

    # What the lane asks for

    def data(self, context: Context) -> SpanLaneData | None:
        """The list as it is; the same object as long as nothing changed."""
        armature = scope.edited_object(context)
        action = scope.action_of(armature)
        if not scope.is_armature(armature) or action is None:
            return None
        listed: list[tuple[Any, ...]] = [
            (number, item.bone, item.start, item.end, *self.look(item)) for number, item in self.items(armature)
        ]
        if not listed:
            return None
        paints = self.colours(context)
        key = (listed, paints, self.settings(armature).active, action.is_editable, _time_of(armature))
        if self._shown is None or self._shown[0] != key:
            self._shown = key, self._made(armature, listed, paints)
        return self._shown[1]

    def drag(self, context: Context, number: int, span: tuple[float, float], *, final: bool) -> bool:
        """Write the frames into the list; True if they are others than before the drag."""
        item = self._item(context, number)
        if self._before is None:
            self._before = number, item.start, item.end
        item.start, item.end = sorted(scope.from_scene(scope.known_object(context), frame) for frame in span)
        changed = (item.start, item.end) != self._before[1:]
        if final:
            self._before = None
        return changed

    def cancel(self, context: Context) -> None:
        """Write the frames from before the drag."""
        if self._before is not None:
            number, start, end = self._before
            item = self._item(context, number)
            item.start, item.end = start, end
            self._before = None

    def pick(self, context: Context, number: int) -> None:
        """Make an item the active one of its list."""
        self.settings(scope.known_object(context)).active = number

    def menu(self, context: Context, number: int) -> tuple[tuple[str, str], ...]:
        """Going to its frames, deleting it."""
        return (*_JUMP, _DELETE) if scope.own_action(scope.known_object(context)).is_editable else _JUMP

    def choose(self, context: Context, identifier: str, number: int) -> None:
        """Go there, or delete it."""
        if identifier == "DELETE":
            self.remove(context, number)
            return
        item = self._item(context, number)
        frames = sorted(_scene_frames(scope.known_object(context), [item.start, item.end]))
        frame = round(sum(frames) / 2) if identifier == MIDDLE else frames[identifier == "END"]
        context.scene.frame_set(int(frame // 1), subframe=frame % 1)

    def _item(self, context: Context, number: int) -> PropertyGroup:
        return dict(self.items(scope.known_object(context)))[number]

    def _made(self, armature: Object, listed: list[tuple[Any, ...]], paints: dict[str, Colour]) -> SpanLaneData:
        starts, ends = (_scene_frames(armature, [each[place] for each in listed]) for place in (2, 3))
        spans: list[span_data.Span] = []
        for (number, bone, _start, _end, kind, *words), start, end in zip(listed, starts, ends, strict=True):
            spans.append(span_data.Span(number, bone, min(start, end), max(start, end), paints[kind], *words))
        settings, action = self.settings(armature), scope.own_action(armature)
        rows = _in_order(armature, {span.row for span in spans})
        return span_data.SpanLaneData(rows, tuple(spans), settings.active, action.is_editable, self.least)


def _scene_frames(armature: Object, frames: list[float]) -> list[float]:
    found: list[float] = scope.to_scene(armature, np.array(frames, dtype=np.float64)).tolist()
    return found


def _time_of(armature: Object) -> tuple[float, ...]:
    """Changes with the relation of scene frames and action frames."""
    return tuple(_scene_frames(armature, [0.0, 1.0]))


def _in_order(armature: Object, names: set[str]) -> tuple[str, ...]:
    """Bones from the root on, then names of bones that are gone."""
    known = [bone.name for bone in armature.pose.bones if bone.name in names]
    return (*known, *sorted(names.difference(known)))
