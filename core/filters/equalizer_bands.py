"""Bands of the equalizer, from slow to quick, and how much of them each limb has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, log2
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..numerics import Array
from .equalizer import octaves, spectrum
from .equalizer_tool import MOST_BANDS

if TYPE_CHECKING:
    from ..motion import Motion

# The slowest band ends near this frequency, in hertz: a step takes about a second.
_SLOWEST = 0.5
_LEAST_BANDS = 3


def cutoffs_of(motion: Motion) -> list[float]:
    """Frequencies in hertz between the bands, slowest first: an octave each, as many as the rate allows."""
    count = ceil(log2(0.25 * motion.rate / _SLOWEST)) + 2
    return octaves(motion, count=min(max(count, _LEAST_BANDS), MOST_BANDS))[::-1]


def band_names(cutoffs: Sequence[float]) -> list[str]:
    """What people read below the bands, in hertz."""
    numbers = [f"{cutoff:.2g}" if cutoff < 10.0 else f"{cutoff:.0f}" for cutoff in cutoffs]
    return [
        f"< {numbers[0]}",
        *(f"{low}-{high}" for low, high in pairwise(numbers)),
        f"> {numbers[-1]}",
    ]


@dataclass(frozen=True, eq=False)
class LimbSpectrum:
    """How much of every band the limbs have.

    Attributes:
        cutoffs: (B - 1,) hertz, slowest first.
        names: L names of limbs.
        sizes: (B, L) root mean square size of the turns of a limb's joints, in degrees.
    """

    cutoffs: tuple[float, ...]
    names: tuple[str, ...]
    sizes: Array


def limb_spectrum(
    motion: Motion, rows: NDArray[np.intp], names: Sequence[str], joints: NDArray[np.bool_]
) -> LimbSpectrum:
    """The spectrum of every limb that has joints in scope.

    Args:
        motion: With evenly spaced frames.
        rows: (J,) number of the limb that each joint belongs to; below zero for none.
        names: Of the limbs.
        joints: (J,) joints in scope.
    """
    cutoffs = cutoffs_of(motion)
    turns = np.degrees(spectrum(motion, cutoffs=cutoffs[::-1])[0][::-1])
    own = [np.flatnonzero((rows == number) & joints) for number in range(len(names))]
    present = [number for number, members in enumerate(own) if len(members)]
    sizes = [np.sqrt((turns[:, own[number]] ** 2).mean(axis=1)) for number in present]
    shaped = np.array(sizes).T if sizes else np.empty((len(cutoffs) + 1, 0))
    return LimbSpectrum(tuple(cutoffs), tuple(names[number] for number in present), shaped)
