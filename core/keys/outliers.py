"""Leaving out samples that are far from all that surrounds them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..analysis.flaws import Flaw, find_spikes
from ..editing import repaired
from ..motion import Motion
from ..numerics import Array, quaternion, rotation_channels
from .channels import Channel

# Fewer samples than this have no surroundings to be far from.
_LEAST_SAMPLES = 9


def without_outliers(
    motion: Motion, channels: Sequence[Channel]
) -> tuple[Motion, tuple[Channel, ...], tuple[Flaw, ...]]:
    """The motion and its channels with outliers bridged, and what was bridged.

    Samples that are no outliers stay bit for bit.
    """
    if len(motion) < _LEAST_SAMPLES:
        return motion, tuple(channels), ()
    # A curve that steps is meant to jump.
    wanted = {(channel.joint, channel.part) for channel in channels if not np.any(channel.held)}
    index = motion.skeleton.index
    flaws = tuple(flaw for flaw in find_spikes(motion) if (index[flaw.joint], flaw.channel) in wanted)
    clean = repaired(motion, flaws)
    return clean, tuple(_bridged(channel, clean, flaws) for channel in channels), flaws


def _bridged(channel: Channel, clean: Motion, flaws: tuple[Flaw, ...]) -> Channel:
    """The channel with the values of the repaired motion where it was repaired."""
    if channel.part not in ("rotation", "location"):
        return channel
    name = clean.skeleton.names[channel.joint]
    own = [flaw for flaw in flaws if (flaw.joint, flaw.channel) == (name, channel.part)]
    values = np.array(channel.values, dtype=np.float64)
    between = None if channel.between is None else np.array(channel.between, dtype=np.float64)
    for flaw in own:
        span = slice(flaw.first, flaw.last + 1)
        if between is not None:
            between[max(flaw.first - 1, 0) : flaw.last + 1] = np.nan
        before = values[max(flaw.first - 1, 0)]
        if channel.part == "location":
            values[span] = clean.locations[span, channel.joint]
        else:
            values[span] = _as_channels(clean.rotations[span, channel.joint], channel.mode, before)
    return replace(channel, values=values, between=between) if own else channel


def _as_channels(rotations: Array, mode: str, before: Array) -> Array:
    """Rotations (n, 4) as channels that go on from those before."""
    if mode == "QUATERNION":
        signed: Array = quaternion.aligned(rotations, before / np.linalg.norm(before)) * np.linalg.norm(before)
        return signed
    if mode == "AXIS_ANGLE":
        return rotation_channels.to_axis_angle(rotations, before)
    return rotation_channels.to_euler(rotations, mode, before)
