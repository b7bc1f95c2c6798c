"""Faults of a capture: what they are called, and samples that are far from all that surrounds them."""

from typing import TYPE_CHECKING

from ...lazy_door import lazy_door

if TYPE_CHECKING:
    from .flaw import CHANNELS, Flaw, FlawKind
    from .spikes import find_spikes
else:
    __getattr__ = lazy_door(__name__)
