"""The number behind a data path: what a key of it holds, whatever Python makes of it.

Choices are such a case: Python shows the name of the chosen item, keys hold its number. Rigs use them
to say whom a hand follows, often as custom properties that are whole numbers with a name for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

if TYPE_CHECKING:
    from bpy.types import ID


def number_at(owner: ID, path: str) -> float | None:
    """The number that a path leads to; None where there is none, or something else than a number."""
    try:
        value = _Place(owner, path).value
        return None if isinstance(value, str) else float(value)
    except (LookupError, AttributeError, TypeError, ValueError):
        return None


def is_whole(owner: ID, path: str) -> bool:
    """Whether a path leads to a switch, a choice or a whole number: there is nothing between two of its values."""
    try:
        return isinstance(_Place(owner, path).value, int)
    except (LookupError, AttributeError, TypeError, ValueError):
        return False


def put_number(owner: ID, path: str, value: float) -> None:
    """Set the number that a path leads to; whole ones and switches take the nearest value.

    Raises:
        ValueError: The path leads nowhere.
    """
    place = _Place(owner, path)
    present = place.value
    place.value = type(present)(round(value)) if isinstance(present, int) else value


class _Place:
    """Where a number is kept: an attribute or custom property, or one component of it."""

    def __init__(self, owner: ID, path: str) -> None:
        whole, self._index = _component(path)
        self._is_custom = whole.endswith('"]')
        holder, _, key = whole.rpartition('["' if self._is_custom else ".")
        self._key = bpy.utils.unescape_identifier(key.removesuffix('"]')) if self._is_custom else key
        self._holder: Any = owner.path_resolve(holder) if holder else owner

    @property
    def value(self) -> Any:
        """As a key holds it; text that is no choice stays text."""
        kept = self._kept
        if isinstance(kept, str):
            return kept if self._is_custom else self._choices[kept].value
        return kept[self._index] if hasattr(kept, "__getitem__") else kept

    @value.setter
    def value(self, value: Any) -> None:
        kept = self._kept
        if isinstance(kept, str) and not self._is_custom:
            named = {item.value: item.identifier for item in self._choices}
            value = named[min(named, key=lambda number: abs(number - value))]
        if hasattr(kept, "__getitem__") and not isinstance(kept, str):
            kept[self._index] = value
        elif self._is_custom:
            self._holder[self._key] = value
        else:
            setattr(self._holder, self._key, value)

    @property
    def _kept(self) -> Any:
        return self._holder[self._key] if self._is_custom else getattr(self._holder, self._key)

    @property
    def _choices(self) -> Any:
        return self._holder.bl_rna.properties[self._key].enum_items


def _component(path: str) -> tuple[str, int]:
    """A path without the number of its component, and that number: the first where the path names none."""
    if path.endswith("]") and not path.endswith('"]'):
        whole, _, index = path.rpartition("[")
        return whole, int(index.removesuffix("]"))
    return path, 0
