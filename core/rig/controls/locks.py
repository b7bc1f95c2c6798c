"""Channels of a rig that must stay."""

from dataclasses import dataclass

from ...motion import Mask


@dataclass(frozen=True, eq=False)
class Locks:
    """What may not change.

    Attributes:
        places: (J, 3) components of locations.
        turns: (J,) rotations.
    """

    places: Mask
    turns: Mask
