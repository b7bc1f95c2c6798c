"""Damage to what the extension saves with actions, objects and scenes: each value by itself, in many ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from idprop.types import IDPropertyArray, IDPropertyGroup

_OWN = "motion_editing"
_NUMBERS = {
    int: (0, -1, -7, 1, 1_000_000, 2**31 - 1),
    float: (float("nan"), float("inf"), -float("inf"), -1.0, 0.0, 1e30, 1_000_000.0),
}
_TEXTS = (
    "",
    "x",
    "{",
    "[]",
    "{}",
    "null",
    "1",
    '{"a": [1, {"b": null}]}',
    '[["f8", [1000000000000]]]',
    "a\nb",
    "é" * 500,
)


@dataclass(frozen=True)
class Place:
    """One saved value: the names and numbers that lead to it from the owner's own properties."""

    owner: bpy.types.ID
    path: tuple[str | int, ...]

    @property
    def kind(self) -> tuple[str, ...]:
        """Which of the extension's data it is a part of."""
        return tuple(map(str, self.path[:4] if "saved_models" in self.path else self.path[:1]))

    @property
    def name(self) -> tuple[str, ...]:
        """The same for all items of a list."""
        return tuple("item" if isinstance(step, int) else step for step in self.path)

    @property
    def holder(self) -> Any:
        """The group that holds the value."""
        found = own_properties(self.owner)
        for step in self.path[:-1]:
            found = found[step]
        return found

    def __str__(self) -> str:
        return f"{self.owner.name}: {'/'.join(map(str, self.path))}"


def own_properties(owner: bpy.types.ID) -> Any:
    """What the extension keeps with a data-block, as Blender stores it."""
    return owner.bl_system_properties_get() if bpy.app.version >= (5, 0) else owner


def forget_checksums(owners: list[bpy.types.ID]) -> None:
    """Leave the saved models as earlier versions of the extension wrote them."""
    for place in [place for owner in owners for place in places(owner) if place.path[-1] == "checksum"]:
        del place.holder["checksum"]


def places(owner: bpy.types.ID) -> list[Place]:
    """Everything that the extension has saved with a data-block, groups too."""
    root = own_properties(owner)
    names = [name for name in (root.keys() if root is not None else ()) if name.startswith(_OWN)]
    return [Place(owner, path) for name in names for path in _paths(root[name], (name,))]


def _paths(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, IDPropertyGroup):
        if _is_free(path):
            yield path
        for name in value.keys():  # noqa: SIM118
            yield from _paths(value[name], (*path, name))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _paths(each, (*path, number))
    elif isinstance(value, (int, float, str, IDPropertyArray)):
        yield path


def damage(place: Place, random: np.random.Generator) -> str:
    """Damage a value in one of the ways that there are for its kind; gives what was done."""
    holder, name = place.holder, place.path[-1]
    value = holder[name]
    ways = list(_ways(value, free=_is_free(place.path)))
    way, new = ways[random.integers(len(ways))]
    del holder[name]  # Blender would write a longer array beyond the end of a shorter one.
    if new is not None:
        holder[name] = new
    return f"{place} {way}"


def _is_free(path: tuple[str | int, ...]) -> bool:
    """Whether Blender itself knows no type for what is there."""
    return "saved_models" in path or "before" in path or "shown" in path


def _ways(value: Any, *, free: bool) -> Iterator[tuple[str, Any]]:
    if free:
        yield "gone", None
        yield "a number", 5
        yield "a text", "text"
        yield "an empty group", {}
    if isinstance(value, IDPropertyArray):
        yield from _array_ways(np.array(value), free)
    elif isinstance(value, str):
        yield from ((f"= {text[:20]!r}", text) for text in (*_TEXTS, value[: len(value) // 2]))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from ((f"= {number}", number) for number in _NUMBERS[type(value)])


def _array_ways(values: np.ndarray, free: bool) -> Iterator[tuple[str, Any]]:
    whole, where = values.dtype.kind == "i", len(values) // 2
    kind = np.int32 if whole else values.dtype
    if free:
        yield "shorter", values[:-1].astype(kind) if len(values) > 1 else None
        yield "one element", values[:1].astype(kind)
        yield "longer", np.concatenate([values, values]).astype(kind)
        yield "of the other kind", values.astype(np.float64 if whole else np.int32)
    for number in _NUMBERS[int if whole else float]:
        one = values.copy()
        one[where] = number
        yield f"one is {number}", one.astype(kind)
        yield f"all are {number}", np.full(len(values), number, dtype=kind)
