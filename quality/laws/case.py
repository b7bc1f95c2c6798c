"""What a law is given and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..recording import Recording

Curve = tuple[str, int]


@dataclass(frozen=True)
class Finding:
    """What one law measured.

    Attributes:
        value: What was found, in the unit that `text` names.
        bound: The most that the law allows.
        text: Unit, and where the worst was found.
    """

    value: float
    bound: float
    text: str = ""

    @property
    def broken(self) -> bool:
        """Whether the law does not hold; what is no number holds no law."""
        return not self.value <= self.bound


@dataclass(frozen=True)
class Request:
    """What was asked for, in the terms of the laws, computed from the parameters alone.

    Attributes:
        gain: How many times as large the swings may get.
        pace: How many times as fast single joints may run, beside the speed of time that the clock shows.
        angle: Degrees by which something is turned.
        distance: Length by which something is moved.
        falloff: Frames over which the request fades out.
        grabbed: Bones of the figure that were moved or turned by the request.
        bound: The most that a joint may be away from where it was, in heights, for all or as (F, J); None for any.
        scope: Bones that may get other keys; None for all.
        span: First and last frame that may change; None for all.
        keeps_contacts: Feet that stand must go on standing.
        locks_feet: Feet that stand must not slide at all.
        moves_time: It is an edit of time: poses stay what they are.
        is_mirrored: Left and right are exchanged.
        shortens: Time is taken away: stillness first.
        asked: Gives (F, J, 3), where the joints were asked to be, for the figure after; None if that cannot be told.
    """

    gain: float = 1.0
    pace: float = 1.0
    angle: float = 0.0
    distance: float = 0.0
    falloff: float = 1.0
    grabbed: frozenset[str] = frozenset()
    bound: float | np.ndarray | None = None
    scope: frozenset[str] | None = None
    span: tuple[float, float] | None = None
    keeps_contacts: bool = False
    locks_feet: bool = False
    moves_time: bool = False
    is_mirrored: bool = False
    shortens: bool = False
    asked: Callable[[Recording], np.ndarray] | None = None


@dataclass(frozen=True)
class KeyChange:
    """The keys of every curve before and after, (K, 2) frames and values, and what else a curve has as bytes.

    Attributes:
        before: Keys by data path and index.
        after: The same after the edit.
        bones: The bone that each curve belongs to, "" for the object.
        unseen: Bones that nobody can select: hidden, or of a mechanism.
        is_sparse: Whether the animator set few keys.
        places: Frames of what belongs to the motion (contacts, markers, ends) before and after.
    """

    before: dict[Curve, tuple[np.ndarray, bytes]]
    after: dict[Curve, tuple[np.ndarray, bytes]]
    bones: dict[Curve, str]
    unseen: frozenset[str] = frozenset()
    is_sparse: bool = False
    places: dict[str, tuple[list[float], list[float]]] = field(default_factory=dict)

    def changed(self) -> list[Curve]:
        """Curves that are not the same bit for bit, new and deleted ones included."""
        both = self.before.keys() | self.after.keys()
        return [curve for curve in both if self._bits(curve, self.before) != self._bits(curve, self.after)]

    @staticmethod
    def _bits(curve: Curve, keys: dict[Curve, tuple[np.ndarray, bytes]]) -> Any:
        return (keys[curve][0].tobytes(), keys[curve][1]) if curve in keys else None


@dataclass(frozen=True)
class Case:
    """One edit that was made.

    Attributes:
        before: The figure before.
        after: The figure after.
        request: What was asked for.
        keys: What became of the keys.
        loops: Whether the motion plays round and round.
        is_other_figure: Whether the result is on other bones, whose axes differ.
    """

    before: Recording
    after: Recording
    request: Request
    keys: KeyChange
    loops: bool = False
    is_other_figure: bool = False
