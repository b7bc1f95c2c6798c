"""What Reduce Keys has been through already, saved with the action: a second press has nothing left to do.

Errors are measured from the curves that are there. Reduced again, those would stray from the motion that they
stand for by more than what was stated.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...core.errors import DamagedDataError
from ..border import saved_state
from ..border.action_io.curves.fingerprint import fingerprint_of
from ..border.saved_state import REDUCED
from ..document import scope

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bpy.types import ID, Action

    from ..border.action_io import Clip, Property


@dataclass(frozen=True, eq=False)
class ReductionMemory:
    """Remembers with which choices the properties of a clip were reduced, for as long as their keys stay.

    Attributes:
        clip: Whose properties.
        choices: Everything that the user chose, but for bones.
    """

    clip: Clip
    choices: str

    def holds(self, prop: Property) -> bool:
        """Whether the property has the keys that the same choices left it with."""
        return self._saved[prop.owner].get(prop.path) == self._state(prop)

    def keep(self, properties: Iterable[Property]) -> None:
        """Remember properties with the keys that they have now."""
        by_owner: dict[ID, dict[str, str]] = {}
        for prop in properties:
            by_owner.setdefault(prop.owner, {})[prop.path] = self._state(prop)
        for owner, states in by_owner.items():
            texts = {"states": json.dumps(self._saved[owner] | states)}
            saved_state.save(*_place(owner), REDUCED, texts, "")

    @cached_property
    def _saved(self) -> dict[ID, dict[str, str]]:
        """By the owners of curves, what was remembered so far."""
        return {owner: _saved_states(owner) for owner in {prop.owner for prop, _index in self.clip.channels.curves}}

    def _state(self, prop: Property) -> str:
        curves = {(prop, index): curve for index, curve in enumerate(self.clip.channels.of(prop)) if curve is not None}
        return f"{fingerprint_of(curves)} {self.clip.frames[0]:g} {self.clip.frames[-1]:g} {self.choices}"


def _saved_states(owner: ID) -> dict[str, str]:
    """States by the paths of properties; none where they cannot be read: reducing again is all that it costs."""
    with suppress(DamagedDataError), saved_state.reading(REDUCED):
        saved = saved_state.load(*_place(owner), REDUCED)
        return {} if saved is None else dict(json.loads(saved.arrays["states"]))
    return {}


def _place(owner: Any) -> tuple[Action, str]:
    """Where the states of an owner's properties are saved; it need not be an object."""
    return scope.saved_place(owner)
