"""The choice that every tool offers for the keys it writes. Imports nothing heavy: operators need it early."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians

from ...core import editing

AUTOMATIC, EVERY_FRAME, REDUCED = "AUTOMATIC", "EVERY_FRAME", "REDUCED"

KEY_CHOICES = (
    (AUTOMATIC, "Automatic", "Sparse keys stay sparse, baked curves stay baked"),
    editing.EVERY_FRAME,
    editing.REDUCED,
)


@dataclass(frozen=True)
class KeyOptions:
    """How results become keys.

    Attributes:
        keys: AUTOMATIC, EVERY_FRAME or REDUCED.
        rotation_error: Largest error of a reduced rotation, in radians of the whole rotation.
        location_error: Largest error of a reduced location, in units of the scene.
        scalar_error: Largest error of reduced scales and scalar channels.
    """

    keys: str = AUTOMATIC
    rotation_error: float = radians(0.5)
    location_error: float = 0.002
    scalar_error: float = 0.002
