"""What a warp is guided by: the pace that every moment of the motion should have, and how much that matters.

A motion that guides itself should stay as it is, moment for moment. Played at pace p, a velocity v becomes v / p and
an acceleration a becomes a / p^2; near p = 1 both are off by

    |v|^2 (p - 1)^2  and  4 |a|^2 (p - 1)^2

in heights and seconds. So what moves and what is thrown about is stiff, and stillness costs nothing: it is spent
first. None of this depends on keytimes: while they are dragged, a guide is kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...numerics import Array
from ..spans import TimeSpan
from .movement import RATE, Movement

# Seconds in which an acceleration counts as much as the velocity that it makes.
_REACTION = 0.1
# Stiffness of perfect stillness: as of joints that move with a twentieth of a height in a second.
_STILL = 0.05**2
# Exponent of the stiffness where something else guides: weak punches then get as quick as strong ones although the
# length stays, because what lies between them gives way.
_CONTRAST = 2.0
# How many times as fast what moves may become before spans that are not firm give way.
_RACE = 2.0
# Share of the moments that are slower than the motion's usual speed.
_USUAL = 0.75


@dataclass(frozen=True, eq=False)
class Guide:
    """Samples of what is wanted, in order of old time.

    Attributes:
        times: (S,) seconds.
        wanted: (S,) new seconds for a second of old time.
        stiffness: (S,) how much that matters.
        shortest: (S,) pace below which a moment would race.
        spans: What is protected, and what is rhythmic.
        rate: Frames a second of the motion.
        is_cyclic: Time runs in circles.
    """

    times: Array
    wanted: Array
    stiffness: Array
    shortest: Array
    spans: tuple[TimeSpan, ...] = ()
    rate: float = RATE
    is_cyclic: bool = False

    def shifted(self, offset: float) -> "Guide":
        """The same so many seconds later."""
        spans = tuple(
            replace(
                span,
                start=span.start + offset,
                end=span.end + offset,
                beats=tuple(beat + offset for beat in span.beats),
            )
            for span in self.spans
        )
        return replace(self, times=self.times + offset, spans=spans)

    def mean(self, samples: Array, knots: Array) -> Array:
        """(N,) mean of samples (S,) between neighbouring knots (N + 1,), straight lines between them."""
        step = float(self.times[1] - self.times[0])
        sums = np.append(0.0, np.cumsum(0.5 * step * (samples[1:] + samples[:-1])))
        place = np.clip((knots - self.times[0]) / step, 0.0, len(samples) - 1.0)
        first = np.minimum(place.astype(np.intp), len(samples) - 2)
        share = place - first
        rise = samples[first + 1] - samples[first]
        integral = sums[first] + step * share * (samples[first] + 0.5 * share * rise)
        means: Array = np.diff(integral) / np.diff(knots)
        return means


def merged_guide(lead: Guide, others: Sequence[Guide]) -> Guide:
    """One guide for motions that play together: what any of them does counts, as long as the first one lasts."""
    stiffness, shortest = lead.stiffness, lead.shortest
    for other in others:
        stiffness = np.maximum(stiffness, np.interp(lead.times, other.times, other.stiffness, 0.0, 0.0))
        shortest = np.maximum(shortest, np.interp(lead.times, other.times, other.shortest, 0.0, 0.0))
    spans = (*lead.spans, *(span for other in others for span in other.spans))
    return replace(lead, stiffness=stiffness, shortest=shortest, spans=spans)


def own_guide(movement: Movement, spans: tuple[TimeSpan, ...] = (), *, rate: float = RATE) -> Guide:
    """The motion should stay as it is."""
    wanted = np.ones(len(movement.times))
    return Guide(movement.times, wanted, _stiffness(movement), _shortest(movement), spans, rate, movement.is_cyclic)


def reference_guide(
    movement: Movement, wanted: Array, spans: tuple[TimeSpan, ...] = (), *, rate: float = RATE
) -> Guide:
    """The motion should have a pace (S,) that a reference asks for."""
    stiffness = (_stiffness(movement) / _STILL) ** _CONTRAST / wanted**2
    return Guide(movement.times, wanted, stiffness, _shortest(movement), spans, rate, movement.is_cyclic)


def _stiffness(movement: Movement) -> Array:
    stiffness: Array = _STILL + movement.speed**2 + (2.0 * _REACTION * movement.force) ** 2
    return stiffness


def _shortest(movement: Movement) -> Array:
    """Pace at which a moment is as fast as the motion usually is, or twice as fast as it was."""
    usual = float(np.quantile(movement.speed, _USUAL))
    shortest: Array = np.minimum(movement.speed / max(usual, 1e-9), 1.0) / _RACE
    return shortest
