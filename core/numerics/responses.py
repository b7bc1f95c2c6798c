"""What becomes of waves by their frequency: low-pass responses, from which all other filters are made.

A response gives for frequencies in hertz the factor by which waves are kept; slow movement keeps
everything. All are without delay: nothing is moved in time.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .quaternion import Array

# Length of the tail, in widths of the filter, after which what is left of a wave cannot be seen.
_TAIL = 6.0


@dataclass(frozen=True)
class LowPass:
    """A low-pass filter.

    Attributes:
        factor: From frequencies in hertz to factors from 0 to 1; 1 at zero.
        reach: Seconds around a sample beyond which nothing has a say in it.
    """

    factor: Callable[[Array], Array]
    reach: float


def gaussian(width: float) -> LowPass:
    """The bell-shaped mean.

    Args:
        width: Standard deviation in seconds.
    """
    _refuse_not_above_zero(width, "width")
    return LowPass(lambda hertz: np.exp(-2.0 * (np.pi * width * hertz) ** 2), _TAIL * width)


def butterworth(cutoff: float, *, order: int = 2) -> LowPass:
    """Flat below the cutoff, steep above it: the filter of that order run forward and backward.

    Args:
        cutoff: Frequency in hertz that keeps half of its size.
        order: Steepness; waves of twice the cutoff keep one part in 1 + 4 to the order.
    """
    _refuse_not_above_zero(cutoff, "cutoff")
    return LowPass(lambda hertz: 1.0 / (1.0 + (hertz / cutoff) ** (2 * order)), _TAIL * order / (2.0 * cutoff))


def binomial(rate: float, *, passes: int = 1) -> LowPass:
    """The mean 1/4 [1 2 1] of neighbours, some times over.

    Args:
        rate: Samples per second of the motion that is filtered.
        passes: How many times.
    """
    _refuse_not_above_zero(rate, "rate")
    return LowPass(lambda hertz: np.cos(np.pi * hertz / rate) ** (2 * passes), (passes + 1) / rate)


def _refuse_not_above_zero(value: float, name: str) -> None:
    if not value > 0.0:
        raise ValueError(f"{name} must be above zero")
