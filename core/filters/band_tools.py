"""Filters as tools: what is slow, what is quick, what lies between, and the mean around every moment.

No NumPy here: what computes is asked for through the doors of its room when a tool is applied.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from .. import filters, motion, numerics
from ..editing import KEEP_CONTACTS, KEEP_FLOOR, KEEP_PEAKS, STRENGTH, Tool, Unit, choice, number, whole_number
from ..errors import MotionEditError

if TYPE_CHECKING:
    from ..editing import Change, Take

# Part of a filter's whole reach that most of its weight lies in.
_PEAK_REACH = 0.25
# Seconds beside a peak within which it passes over into the filtered motion.
_SHORTEST_FADE, _LONGEST_FADE = 0.1, 0.4
# What all frequencies have in common.
_HERTZ = {
    "limits": (0.01, 1000.0),
    "soft_limits": (0.1, 30.0),
    "step": 10,
    "precision": 2,
    "unit": Unit.HERTZ,
}
_SECONDS = {"soft_limits": (None, 1.0), "step": 1, "precision": 3, "unit": Unit.SECONDS, "drag": (0.01, 0.05)}
_CUTOFF = "Frequency in hertz at which movement is halved"
_STEEPNESS = whole_number(2, "Steepness of the filter at the limit; higher cuts more sharply", limits=(1, 8))
_OF_KIND = {"BUTTERWORTH": ("cutoff", "steepness"), "GAUSSIAN": ("width",), "BINOMIAL": ("passes",)}


class LowPass(Tool):
    """Remove high-frequency noise and jitter"""

    verb: ClassVar[str] = "Filtered"

    cutoff: float = number(6.0, _CUTOFF, drag=(0.1, 1), **_HERTZ)
    steepness: int = _STEEPNESS
    width: float = number(0.08, "Standard deviation of the bell, in seconds", limits=(0.001, 60.0), **_SECONDS)
    passes: int = whole_number(4, "Number of passes", limits=(1, 10000), soft_limits=(None, 100), drag=(1, 5))
    strength: float = STRENGTH
    kind: str = choice(
        "BUTTERWORTH",
        "Type of the filter",
        ("BUTTERWORTH", "Butterworth", "Flat below the cutoff and steep above, best for capture noise"),
        ("GAUSSIAN", "Gaussian", "Bell-shaped average, the softest, without overshoot"),
        ("BINOMIAL", "1-2-1", "Repeated average of each frame with its two neighbours"),
        label="Filter",
        key="F",
    )
    keep_peaks: bool = KEEP_PEAKS
    keep_contacts: bool = KEEP_CONTACTS
    keep_floor: bool = KEEP_FLOOR

    @property
    def sliders(self) -> tuple[str, ...]:
        """The main value of the present kind of filter, and strength."""
        return _OF_KIND[self.kind][0], "strength"

    @property
    def unused(self) -> frozenset[str]:
        """Values of the other kinds."""
        return frozenset(name for kind, names in _OF_KIND.items() if kind != self.kind for name in names)

    def apply(self, take: Take) -> Change:
        """Keep what is slow."""
        response = self._response(take.motion.rate)
        kept = partial(filters.filtered, keep_below=response, strength=self.strength, joints=take.joints)
        slow = take.filtered(kept, response.reach)
        return _changed(self, take, slow, reach=_PEAK_REACH * response.reach)

    def _own_seconds_around(self) -> float | None:
        return {"BUTTERWORTH": 2.0 / self.cutoff, "GAUSSIAN": 4.0 * self.width}.get(self.kind)

    def _response(self, rate: float) -> numerics.LowPass:
        if self.kind == "GAUSSIAN":
            return numerics.gaussian(self.width)
        if self.kind == "BINOMIAL":
            return numerics.binomial(rate, passes=self.passes)
        return numerics.butterworth(self.cutoff, order=self.steepness)


class HighPass(Tool):
    """Keep high-frequency movement around the mean pose"""

    verb: ClassVar[str] = "Filtered"
    sliders: ClassVar[tuple[str, ...]] = ("cutoff", "strength")

    cutoff: float = number(0.5, _CUTOFF, drag=(0.05, 0.5), **_HERTZ)
    steepness: int = _STEEPNESS
    strength: float = STRENGTH
    keep_peaks: bool = KEEP_PEAKS
    keep_contacts: bool = KEEP_CONTACTS
    keep_floor: bool = KEEP_FLOOR

    def apply(self, take: Take) -> Change:
        """Keep what is quick; peaks fade over a part of the slowest swing that stays."""
        slow = numerics.butterworth(self.cutoff, order=self.steepness)
        kept = partial(filters.filtered, keep_above=slow, strength=self.strength, joints=take.joints)
        quick = take.filtered(kept, slow.reach)
        return _changed(self, take, quick, reach=0.5 / self.cutoff)


class BandPass(Tool):
    """Keep movement between two frequencies around the mean pose"""

    verb: ClassVar[str] = "Filtered"
    sliders: ClassVar[tuple[str, ...]] = ("lowest", "highest", "strength")

    lowest: float = number(0.3, "Remove movement below this frequency in hertz", drag=(0.05, 0.5), **_HERTZ)
    highest: float = number(6.0, "Remove movement above this frequency in hertz", drag=(0.1, 1), **_HERTZ)
    steepness: int = _STEEPNESS
    strength: float = STRENGTH
    keep_peaks: bool = KEEP_PEAKS
    keep_contacts: bool = KEEP_CONTACTS
    keep_floor: bool = KEEP_FLOOR

    def apply(self, take: Take) -> Change:
        """Keep what lies between; peaks fade over a part of the quickest swing that stays."""
        if self.lowest >= self.highest:
            raise MotionEditError(f"Lowest ({self.lowest:.2f} Hz) must be below Highest ({self.highest:.2f} Hz)")
        slow, fast = (numerics.butterworth(cutoff, order=self.steepness) for cutoff in (self.lowest, self.highest))
        kept = partial(filters.filtered, keep_below=fast, keep_above=slow, strength=self.strength, joints=take.joints)
        between = take.filtered(kept, slow.reach)
        return _changed(self, take, between, reach=0.5 / self.highest)


class Smooth(Tool):
    """Average rotations, locations and scales over time"""

    verb: ClassVar[str] = "Smoothed"
    sliders: ClassVar[tuple[str, ...]] = ("radius", "strength")

    radius: float = number(0.1, "Seconds on each side to average", limits=(0.0, 60.0), **_SECONDS)
    strength: float = STRENGTH
    keep_peaks: bool = KEEP_PEAKS
    keep_contacts: bool = KEEP_CONTACTS
    keep_floor: bool = KEEP_FLOOR

    def apply(self, take: Take) -> Change:
        """The mean around every moment."""
        smooth = partial(motion.smooth, radius=self.radius, strength=self.strength, joints=take.joints)
        mean = take.filtered(smooth, self.radius)
        return _changed(self, take, mean, reach=self.radius)

    def _own_seconds_around(self) -> float:
        return self.radius


def _changed(tool: LowPass | HighPass | BandPass | Smooth, take: Take, after: motion.Motion, *, reach: float) -> Change:
    """The filtered motion, with its extremes put back and contacts held if that is wanted.

    Args:
        after: The filtered motion.
        reach: Seconds around a moment that have a say in it.
    """
    if tool.keep_peaks and after is not take.motion:
        fade = min(max(reach, _SHORTEST_FADE), _LONGEST_FADE)
        after = filters.keep_extremes(take.motion, after, take.extremes, fade=fade, joints=take.joints)
    return take.changed(after, keep_contacts=tool.keep_contacts, keep_floor=tool.keep_floor)
