"""On which line of a recipe something stands; Python's TOML reader does not say."""

from __future__ import annotations

import re
from typing import NamedTuple

_HEADER = re.compile(r"\s*\[{1,2}\s*([\w.\"'-]+)\s*\]{1,2}\s*(#.*)?$")


class Place(NamedTuple):
    """Where a mistake is: a table such as 'step', its number from 0, and a name in it; empty names are wider."""

    table: str = ""
    number: int = 0
    name: str = ""


class RecipeLines:
    """The lines of a recipe by place."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()

        found = ((number, _HEADER.match(line)) for number, line in enumerate(self._lines))
        self._headers = [(number, match[1]) for number, match in found if match]

    def number(self, place: Place) -> int:
        """The line, from 1; that of the whole table where the name is not found."""
        start, end = self._block(place)
        if place.name:
            written = re.compile(rf"(^|[\s{{,.])[\"']?{re.escape(place.name)}[\"']?\s*=")
            for number in range(start, end):
                if written.search(self._lines[number].split("#")[0]):
                    return number + 1
            start = self._header(place, start, end) or start
        return min(start + 1, max(len(self._lines), 1))

    def _header(self, place: Place, start: int, end: int) -> int | None:
        """Where a name stands as a table of its own: below the place, or anywhere for the recipe's own names."""
        full = f"{place.table}.{place.name}" if place.table else place.name
        first, last = (start, end) if place.table else (0, len(self._lines))
        return next((number for number, name in self._headers if name == full and first <= number < last), None)

    def _block(self, place: Place) -> tuple[int, int]:
        """First line and the one after the last of a table with what belongs to it."""
        if not place.table:
            return 0, self._headers[0][0] if self._headers else len(self._lines)
        starts = [number for number, name in self._headers if name == place.table]
        if place.number >= len(starts):
            return 0, len(self._lines)
        start = starts[place.number]
        ends = [number for number, name in self._headers if number > start and not name.startswith(f"{place.table}.")]
        return start, ends[0] if ends else len(self._lines)
