"""Corrections that are needed in some frames, and come and go beside them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...motion import Mask
from ...numerics import Array
from .calm import Calm

# Rounds in which frames that need a lift are found, and the share of what is needed that nobody misses.
_ROUNDS, _ENOUGH = 10, 1e-3
# Share of the time within which most of a correction dies away that is the reach, and times it that it lasts at most.
_REACH, _LONGEST = 0.6, 3.0
# Seconds that are rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Fading:
    """How corrections come and go beside the frames that need them.

    Attributes:
        times: (F,) seconds.
        seconds: Time beside these frames in which most of a correction dies away; after three times as long it has.
        fixed: (F,) frames that no correction reaches; none if not given.
    """

    times: Array
    seconds: float
    fixed: Mask | None = None

    @cached_property
    def calm(self) -> Calm:
        """What paths that come and go so cost."""
        step = float(np.median(np.diff(self.times))) if len(self.times) > 1 else 1.0
        return Calm.of(len(self.times), _REACH * self.seconds / step)

    def reached(self, active: Mask) -> Mask:
        """(F,) frames in which corrections of active frames are not over."""
        if not active.any() or self.seconds == 0.0:
            return active
        held = self.times[active]
        place = np.searchsorted(held, self.times)
        until = held[np.minimum(place, len(held) - 1)] - self.times
        since = self.times - held[np.maximum(place - 1, 0)]
        nearest = np.minimum(np.abs(until), np.abs(since))
        near: Mask = active | (nearest < _LONGEST * self.seconds - _ROUNDING)
        return near if self.fixed is None else near & (active | ~self.fixed)

    def carried(self, corrections: Array, active: Mask) -> Array:
        """Corrections (F, D) kept where active and carried on beside it until they have died away."""
        if not corrections[active].any():
            return np.zeros_like(corrections)
        held = active | ~self.reached(active)
        kept = np.where(active[:, None], corrections, 0.0)
        stiffness = np.where(held, self.calm.held, 0.0)
        path = self.calm.path(stiffness[:, None, None] * np.eye(corrections.shape[1]), stiffness[:, None] * kept)
        return np.where(held[:, None], kept, path)

    def lifted(self, corrections: Array, active: Mask, up: Array, lift: Array) -> Array:
        """The same with, beside the active frames, at least a way (F,) along a direction (D,).

        Where nothing is needed the way is below zero, or minus infinity.
        """
        carried, needs = self.carried(corrections, active), np.zeros_like(active)
        for _ in range(_ROUNDS):
            low = ~active & (carried @ up < lift - _ENOUGH * float(np.maximum(lift, 0.0).max()))
            if not (low & ~needs).any():
                break
            needs |= low
            carried = self._lifted(corrections, active, up, np.where(needs, lift, 0.0), needs)
        return carried

    def _lifted(self, corrections: Array, active: Mask, up: Array, lift: Array, needs: Mask) -> Array:
        """Corrections carried on that are lifted in the frames (F,) that need it."""
        held = active | ~self.reached(active | needs)
        kept = np.where(active[:, None], corrections, 0.0)
        stiffness, lifts = (np.where(frames, self.calm.held, 0.0) for frames in (held, needs))
        pulls = stiffness[:, None, None] * np.eye(len(up)) + lifts[:, None, None] * np.outer(up, up)
        right = stiffness[:, None] * kept + (lifts * lift)[:, None] * up
        return np.where(held[:, None], kept, self.calm.path(pulls, right))
