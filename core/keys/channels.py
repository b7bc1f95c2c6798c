"""The animated channels of a motion, as curves that are reduced and as poses that are measured."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion import Indices, Motion
from ..numerics import Array, quaternion, rotation_channels
from .bezier.corridor import build_corridor

_ARRAYS = {"rotation": "rotations", "location": "locations", "scale": "scales"}


def reader_of(mode: str) -> Callable[[Array], Array]:
    """What turns channels of a rotation mode into unit quaternions."""
    if mode == "QUATERNION":
        return quaternion.normalize
    if mode == "AXIS_ANGLE":
        return rotation_channels.from_axis_angle
    if mode in rotation_channels.EULER_ORDERS:
        return lambda angles: rotation_channels.from_euler(angles, mode)
    raise ValueError(f"Unknown rotation mode {mode!r}")


@dataclass(frozen=True, eq=False)
class Channel:
    """One property of a joint as the curves that animate it.

    Attributes:
        values: (F, C) samples, continuous: without turned signs and jumps by whole turns.
        part: 'rotation', 'location', 'scale' or, for any other number, 'value'.
        joint: Number of the joint; of no meaning for other numbers.
        mode: Of a rotation: 'QUATERNION', 'AXIS_ANGLE' or an Euler order such as 'XYZ'.
        held: (F - 1, C) intervals over which a curve stands still and then steps; none if not given.
        between: (F - 1, C) what the curves have halfway to the next sample; not a number where nobody knows, as
            everywhere if not given. There both the straight and the smooth way from sample to sample are right.
    """

    values: Array
    part: str
    joint: int = -1
    mode: str = ""
    held: Any = None
    between: Any = None

    @property
    def size(self) -> int:
        """Number of curves."""
        return int(self.values.shape[1])


def channels_of_motion(motion: Motion, *, joints: Any = None) -> tuple[Channel, ...]:
    """Rotations of the chosen joints as quaternions, and the locations and scales that change."""
    chosen = np.arange(len(motion.skeleton)) if joints is None else np.flatnonzero(joints)
    found = [Channel(motion.rotations[:, joint], "rotation", int(joint), "QUATERNION") for joint in chosen]
    for part in ("location", "scale"):
        values = getattr(motion, _ARRAYS[part])
        moving = [int(joint) for joint in chosen if np.ptp(values[:, joint], axis=0).any()]
        found += [Channel(values[:, joint], part, joint) for joint in moving]
    return tuple(found)


@dataclass(frozen=True, eq=False)
class ChannelSet:
    """P channels of one motion and their N curves, channel by channel.

    Everything is measured on a grid of all samples and the middles between them.

    Attributes:
        motion: F samples of the skeleton; gives the joints that have no channel.
        times: (F,) times of the samples, in the unit in which keys are wanted.
        channels: What is reduced.
    """

    motion: Motion
    times: Array
    channels: tuple[Channel, ...]

    @cached_property
    def offsets(self) -> Indices:
        """(P + 1,) first curve of every channel."""
        return np.concatenate([[0], np.cumsum([channel.size for channel in self.channels])]).astype(np.intp)

    def curves_of(self, number: int) -> slice:
        """The curves of a channel."""
        return slice(int(self.offsets[number]), int(self.offsets[number + 1]))

    @cached_property
    def by_joint(self) -> dict[int, list[int]]:
        """Numbers of the channels of every joint that has some."""
        found: dict[int, list[int]] = {}
        for number, channel in enumerate(self.channels):
            if channel.part in _ARRAYS:
                found.setdefault(channel.joint, []).append(number)
        return found

    @cached_property
    def values(self) -> Array:
        """(F, N) samples of all curves."""
        return np.concatenate([np.empty((len(self.times), 0)), *(channel.values for channel in self.channels)], axis=1)

    @cached_property
    def held(self) -> NDArray[np.bool_]:
        """(F - 1, N) where curves stand still and then step."""
        held = np.zeros((len(self.times) - 1, self.values.shape[1]), dtype=np.bool_)
        for number, channel in enumerate(self.channels):
            if channel.held is not None:
                held[:, self.curves_of(number)] = channel.held
        return held

    @cached_property
    def between(self) -> Array:
        """(F - 1, N) what curves have in the middles; not a number where nobody knows."""
        between = np.full((len(self.times) - 1, self.values.shape[1]), np.nan)
        for number, channel in enumerate(self.channels):
            if channel.between is not None:
                between[:, self.curves_of(number)] = channel.between
        return between

    @cached_property
    def grid(self) -> Array:
        """(G,) samples and middles, in the unit of the keys."""
        return with_middles(self.times)

    @cached_property
    def grid_seconds(self) -> Array:
        """(G,) the same in the motion's own time."""
        return with_middles(self.motion.times)

    @cached_property
    def references(self) -> tuple[Array, Array]:
        """Values (G, N) of the straight and of the smooth way between samples; both are what is known if it is."""
        return both_ways(self.times, self.values, self.held, self.between)

    @cached_property
    def _resting(self) -> Motion:
        return self.motion.at(self.grid_seconds)

    def posed(self, values: Array) -> Motion:
        """The motion on the grid with other values (G, N) of its channels."""
        resting = self._resting
        arrays: dict[str, Any] = {name: np.array(getattr(resting, name)) for name in _ARRAYS.values()}
        for number, channel in enumerate(self.channels):
            if channel.part in _ARRAYS:
                own = values[:, self.curves_of(number)]
                read = reader_of(channel.mode)(own) if channel.part == "rotation" else own
                arrays[_ARRAYS[channel.part]][:, channel.joint] = read
        return replace(resting, carriers=None, **arrays)


def channel_set(motion: Motion, channels: Sequence[Channel], times: Any = None) -> ChannelSet:
    """Channels of a motion; key times are in seconds if no others are given."""
    times = motion.times if times is None else np.asarray(times, dtype=np.float64)
    for channel in channels:
        if len(channel.values) != len(motion) or len(times) != len(motion):
            raise ValueError("channels and times must have as many samples as the motion")
    return ChannelSet(motion, times, tuple(channels))


def both_ways(times: Array, values: Array, held: Any, between: Array) -> tuple[Array, Array]:
    """Values (2F - 1, N) of the straight and of the smooth way through samples (F, N); see `ChannelSet`."""
    straight = with_middles(values)
    if len(times) == 1:
        return straight, straight
    straight[1::2] = np.where(np.isnan(between), straight[1::2], between)
    straight[1::2] = np.where(held, values[:-1], straight[1::2])
    return straight, build_corridor(times, np.ascontiguousarray(values.T), 0.0, held.T, between=between.T).target.T


def with_middles(samples: Array) -> Array:
    """(2F - 1, ...) the samples and the means of neighbours between them."""
    grid = np.empty((2 * len(samples) - 1, *samples.shape[1:]))
    grid[::2], grid[1::2] = samples, 0.5 * (samples[1:] + samples[:-1])
    return grid
