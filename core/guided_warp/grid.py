"""The samples among which a warp chooses.

Everything is compared at 30 samples a second whatever the clip's rate: at 120 the accelerations
vanish beside the poses. Between two keytimes samples are evenly spaced, as near to that rate as
whole numbers of them allow, so that keytimes are samples and are met exactly.
"""

from dataclasses import dataclass

import numpy as np

from ..numerics import Array
from .shortest_path import Path, Reach

RATE = 30.0
# Input samples between output samples that are tried even if the keytimes need fewer, or twice the
# old speed. The work grows with the square; the paper uses 8 to 10.
_MOST_STEPS = 8
# Room that the steepest part gets to vary its speed, and the slowest one its slowness.
_ROOM = 1.5
# Input samples for each output sample where the reference may ask for slowness. With 2 the speeds
# are so coarse that single punches of a captured clip are missed.
_FOR_REFERENCE = 4
# And where its length is free besides. Speeds that are no whole number of samples cost more than
# those that are: with 4, steps that should last half as long again last only a third longer.
_FOR_FREE_LENGTH = 8
# Input samples beyond which there are no more of them than a reference needs anyway.
_MOST_SAMPLES = 20000


@dataclass(frozen=True, eq=False)
class Grid:
    """Times of input and output samples and where the keytimes are among them.

    Attributes:
        old_times: (n,) of the input samples; falling where time runs backward.
        new_times: (m,) of the output samples.
        places: (K,) output samples at the keytimes.
        samples: (K,) input samples at the keytimes.
        upsampling: Input samples for each thirtieth of a second.
        most_steps: Most input samples between neighbouring output samples.
        one_way: A part between keytimes that gets shorter gets nowhere slower, and one that gets
            longer nowhere faster.
    """

    old_times: Array
    new_times: Array
    places: Path
    samples: Path
    upsampling: int
    most_steps: int
    one_way: bool = False

    @property
    def reach(self) -> Reach:
        """Input samples that every output sample may show."""
        return Reach.between(self.places, self.samples, self.most_steps)


def plan_grid(
    old: Array, new: Array, *, upsampling: int, speed_limit: float, own_reference: bool = False, rate: float = RATE
) -> Grid:
    """Lay samples over the parts between keytimes.

    Args:
        old: (K,) old times of the keytimes.
        new: (K,) new times.
        upsampling: Input samples for each output sample.
        speed_limit: As in `GuidedWarpOptions`.
        own_reference: The motion is its own reference. Standing is the cheapest there is to show, so
            that it would be drawn out even where time is to be saved: parts go one way only.
        rate: Output samples a second.
    """
    outputs = np.maximum(1, np.round(np.diff(new) * rate)).astype(np.intp)
    inputs = np.round(np.abs(np.diff(old)) * rate * upsampling).astype(np.intp)
    gaps = inputs / outputs
    stretched = own_reference and gaps.max() <= upsampling
    steps = upsampling if stretched and upsampling > 1 else _most_steps(gaps, upsampling, speed_limit)
    inputs = np.clip(inputs, outputs, outputs * steps)
    return Grid(
        _divided(old, inputs),
        _divided(new, outputs),
        np.append(0, np.cumsum(outputs)),
        np.append(0, np.cumsum(inputs)),
        upsampling,
        steps,
        own_reference,
    )


def usual_upsampling(old: Array, new: Array, *, own_reference: bool, free_length: bool) -> int:
    """Input samples for each output sample that the slowest part needs.

    A motion that guides itself and is shortened needs no slowness; a reference may ask for it.
    """
    slowness = float((np.diff(new) / np.abs(np.diff(old))).max())
    stretched = int(np.ceil(_ROOM * slowness)) if slowness > 1.0 + 1e-6 else 1
    if free_length and np.abs(np.diff(old)).sum() * RATE * _FOR_FREE_LENGTH <= _MOST_SAMPLES:
        return max(stretched, _FOR_FREE_LENGTH)
    return max(stretched, 1 if own_reference and not free_length else _FOR_REFERENCE)


def _most_steps(gaps: Array, upsampling: int, speed_limit: float) -> int:
    """Most input samples between output samples; at least old speed and what the keytimes need."""
    wanted = max(_MOST_STEPS, 2 * upsampling, int(np.ceil(_ROOM * float(gaps.max()))))
    allowed = int(np.floor(speed_limit * upsampling + 1e-9))
    return max(1, upsampling, min(wanted, allowed))


def _divided(times: Array, counts: Path) -> Array:
    """Evenly spaced times from each of the given ones to the next, these bit for bit."""
    parts = [
        np.linspace(start, end, count + 1)[:-1] for start, end, count in zip(times[:-1], times[1:], counts, strict=True)
    ]
    return np.append(np.concatenate(parts), times[-1])
