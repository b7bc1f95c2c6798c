"""Filters that keep some frequencies, and the equalizer (motion editing chapter, 1.6.3.1).

A motion is its mean pose, changed by its slowest band, changed by the next one, up to the finest
detail. Each band is what one low-pass filter keeps and the next one does not: an offset for
locations, a turn for rotations. Put together unchanged they are the motion.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from .. import quaternion
from ..displacement import displaced, displacement_between
from ..motion import Motion
from ..quaternion import Array
from ..scope import within_scope
from .low_pass import low_passed
from .responses import LowPass, butterworth

Band = tuple[Array, Array, Array, Array]


def filtered(
    motion: Motion,
    *,
    keep_below: LowPass | None = None,
    keep_above: LowPass | None = None,
    strength: float = 1.0,
    joints: Any = None,
) -> Motion:
    """Keep waves below one response, above another, or between the two; nothing is delayed.

    What is kept above a response plays around the motion's mean pose.

    Args:
        motion: With evenly spaced frames.
        keep_below: What passes a low-pass filter; everything by default.
        keep_above: What this low-pass filter would take away; everything by default.
        strength: 0 gives back the same motion, 1 the filtered one, values between a mixture.
        joints: (J,) joints to filter; all by default.
    """
    if not 0.0 <= strength <= 1.0:
        raise ValueError("strength must lie between 0 and 1")
    if strength == 0.0 or len(motion) < 3:
        return motion
    high = motion if keep_below is None else low_passed(motion, keep_below, joints=joints)
    if keep_above is not None:
        low = low_passed(motion, keep_above, joints=joints)
        band = displacement_between(low, high)
        high = displaced(_mean_motion(motion), *band)
    result = high if strength == 1.0 else displaced(motion, *_scaled(displacement_between(motion, high), strength))
    chosen = np.ones(len(motion.skeleton), dtype=np.bool_) if joints is None else joints
    return within_scope(motion, result, chosen, scalars=False)


def octaves(motion: Motion, *, count: int = 6) -> list[float]:
    """Frequencies in hertz, highest first, that part a motion into `count` bands of one octave each."""
    highest = 0.25 * motion.rate
    return [highest / 2.0**number for number in range(count - 1)]


def equalized(motion: Motion, gains: Sequence[float], *, cutoffs: Sequence[float], joints: Any = None) -> Motion:
    """Every band of frequencies made stronger or weaker.

    Args:
        motion: With evenly spaced frames.
        gains: One for each band, finest detail first; 1 leaves a band as it is. All at 1 give back
            the same motion bit for bit.
        cutoffs: Frequencies in hertz between the bands, highest first; one fewer than gains.
        joints: (J,) joints to change; all by default.
    """
    if len(gains) != len(cutoffs) + 1:
        raise ValueError(f"{len(gains)} gains need {len(gains) - 1} cutoffs, not {len(cutoffs)}")
    if all(gain == 1.0 for gain in gains) or len(motion) < 3:
        return motion
    # Neighbouring bands with one gain are one band: fewer filters, and nothing is taken apart needlessly.
    parting = [number for number in range(len(cutoffs)) if gains[number] != gains[number + 1]]
    levels = [motion, *(_below(motion, cutoffs[number], joints) for number in parting), _mean_motion(motion)]
    kept = [gains[number] for number in (*parting, len(cutoffs))]
    result = levels[-1]
    for gain, (fast, slow) in zip(reversed(kept), reversed(list(pairwise(levels))), strict=True):
        result = _with_band(result, slow, fast, gain)
    chosen = np.ones(len(motion.skeleton), dtype=np.bool_) if joints is None else joints
    return within_scope(motion, result, chosen, scalars=False)


def _below(motion: Motion, cutoff: float, joints: Any) -> Motion:
    return low_passed(motion, butterworth(cutoff, order=4), joints=joints)


def _with_band(result: Motion, slow: Motion, fast: Motion, gain: float) -> Motion:
    """A motion with what leads from a slower level to a faster one put on, stronger or weaker."""
    if result is slow and gain == 1.0:
        return fast
    turn = quaternion.multiply(quaternion.conjugate(slow.rotations), fast.rotations)
    if gain != 1.0:
        turn = quaternion.slerp(quaternion.identity(1, 1), turn, gain)
    return replace(
        result,
        rotations=quaternion.sign_continuous(quaternion.multiply(result.rotations, turn)),
        locations=result.locations + gain * (fast.locations - slow.locations),
        scales=result.scales + gain * (fast.scales - slow.scales),
    )


def motion_bands(motion: Motion, *, cutoffs: Sequence[float], joints: Any = None) -> list[Band]:
    """Displacements of every band, finest first; from the mean pose on, coarsest first, they make the motion."""
    levels = [motion]
    levels += [_below(motion, cutoff, joints) for cutoff in cutoffs]
    levels.append(_mean_motion(motion))
    return [displacement_between(slow, fast) for fast, slow in pairwise(levels)]


def spectrum(motion: Motion, *, cutoffs: Sequence[float]) -> tuple[Array, Array]:
    """(B, J) root mean square size of every band, finest first: turns in radians, moves in units."""
    bands = motion_bands(motion, cutoffs=cutoffs)
    sizes = [np.array([np.sqrt((band[kind] ** 2).sum(axis=-1).mean(axis=0)) for band in bands]) for kind in (0, 1)]
    return sizes[0], sizes[1]


def _mean_motion(motion: Motion) -> Motion:
    """The mean pose, held."""
    frames = len(motion)
    return replace(
        motion,
        rotations=np.repeat(quaternion.mean(motion.rotations)[None], frames, axis=0),
        locations=np.repeat(motion.locations.mean(axis=0, keepdims=True), frames, axis=0),
        scales=np.repeat(motion.scales.mean(axis=0, keepdims=True), frames, axis=0),
    )


def _scaled(band: Band, gain: float) -> Band:
    turns, moves, scalings, changes = band
    return gain * turns, gain * moves, gain * scalings, gain * changes
