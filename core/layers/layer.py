"""One layer of changes: keyed offsets within a scope, which can be changed at any time (1.6.5).

Offsets are turns in the joints' own axes and differences of locations, scales and scalar channels.
Between its keys a layer leads smoothly from offset to offset, before the first and after the last key
it holds them, and at the ends of its scope it eases in and out. Outside of the scope it is nothing.
"""

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionEditError
from ..motion import Motion, PoseOffsets, smooth_offsets
from ..numerics import Array, ease, quaternion, stepped_offsets

_EMPTY = np.empty((0, 0))


class LayerError(MotionEditError):
    """A layer cannot be made or changed as asked."""


@dataclass(frozen=True, eq=False)
class Layer:
    """Changes of some joints over a part of time.

    Attributes:
        name: What it is called in its stack.
        joints: Names of the N joints that it changes.
        times: (K,) increasing times of its keys, in seconds.
        turns: (K, N, 3) rotation vectors in the joints' own axes, in radians.
        moves: (K, N, 3) added to locations.
        scalings: (K, N, 3) added to scales.
        start: First time of the scope, in seconds.
        end: Last time of the scope.
        ease_in: Seconds from the start on over which the layer sets in; 0 sets in at once.
        ease_out: Seconds up to the end over which it dies away.
        changes: (K, S) added to scalar channels.
        scalar_names: Names of the S scalar channels.
        weights: (N,) how much each joint takes of it.
        influence_times: (I,) increasing, in seconds.
        influence_values: (I,) how much of the layer counts; straight between, held outside.
        muted: It does not count.
        solo: Only layers with this flag count, if any layer of the stack has it.
        smooth: Between keys without corners; straight lines for layers with a key in every frame.
    """

    name: str
    joints: tuple[str, ...]
    times: Array
    turns: Array
    moves: Array
    scalings: Array
    start: float
    end: float
    ease_in: float = 0.0
    ease_out: float = 0.0
    changes: Array = field(default_factory=lambda: _EMPTY)
    scalar_names: tuple[str, ...] = ()
    weights: Array = field(default_factory=lambda: np.empty(0))
    influence_times: Array = field(default_factory=lambda: np.zeros(1))
    influence_values: Array = field(default_factory=lambda: np.ones(1))
    muted: bool = False
    solo: bool = False
    smooth: bool = True

    def __post_init__(self) -> None:
        keys, joints = len(self.times), len(self.joints)
        if not len(self.weights):
            object.__setattr__(self, "weights", np.ones(joints))
        if not self.scalar_names:
            object.__setattr__(self, "changes", np.zeros((keys, 0)))
        offsets = (keys, joints, 3)
        shapes = {"times": (keys,), "turns": offsets, "moves": offsets, "scalings": offsets, "weights": (joints,)}
        shapes |= {"changes": (keys, len(self.scalar_names)), "influence_times": np.shape(self.influence_values)}
        for name, shape in {**shapes, "influence_values": shapes["influence_times"]}.items():
            array = np.array(getattr(self, name), dtype=np.float64)
            if array.shape != shape or not np.isfinite(array).all():
                raise ValueError(f"{name} must be finite and have shape {shape}, not {array.shape}")
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        self._refuse_disorder()

    def _refuse_disorder(self) -> None:
        if not len(self.times):
            raise LayerError(f"The layer '{self.name}' has no keys; change a pose in it first")
        if (np.diff(self.times) <= 0.0).any() or (np.diff(self.influence_times) <= 0.0).any():
            raise LayerError(f"Keys of the layer '{self.name}' must be at increasing times; move one of them")
        if not self.start < self.end or min(self.ease_in, self.ease_out) < 0.0:
            raise LayerError(f"The layer '{self.name}' must begin before it ends, with eases that are not below 0")

    @property
    def is_blank(self) -> bool:
        """Whether nothing was changed in the layer yet."""
        changes = (self.turns, self.moves, self.scalings, self.changes)
        return len(self.times) == 1 and not any(each.any() for each in changes)

    def share(self, times: Any) -> Array:
        """How much of the layer counts at times, by its scope, its eases and its influence."""
        at = np.asarray(times, dtype=np.float64)
        inside = np.where((at >= self.start) & (at <= self.end), 1.0, 0.0)
        for way, seconds in ((at - self.start, self.ease_in), (self.end - at, self.ease_out)):
            inside *= ease(way / seconds) if seconds > 0.0 else 1.0
        share: Array = inside * np.interp(at, self.influence_times, self.influence_values)
        return share

    def offsets(self, motion: Motion) -> PoseOffsets:
        """What the layer adds to every frame of a motion, whose joints and channels are found by name.

        Raises:
            LayerError: The motion has none of them.
        """
        part, shape = self._part(motion), motion.locations.shape
        none = PoseOffsets(np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(motion.scalars.shape))
        for name in ("turns", "locations", "scales"):
            getattr(none, name)[part.joints] = getattr(part.offsets, name)
        none.scalars[part.channels] = part.offsets.scalars
        return none

    def applied(self, motion: Motion) -> Motion:
        """The motion with the layer on top; what the layer does not touch stays bit for bit."""
        part = self._part(motion)
        joints, channels = part.joints, part.channels
        offsets = part.offsets
        turned = quaternion.multiply(motion.rotations[joints], quaternion.exp(offsets.turns))
        changed = np.where(offsets.turns.any(axis=-1, keepdims=True), turned, motion.rotations[joints])
        return replace(
            motion,
            rotations=_without_jumps(_exchanged(motion.rotations, joints, changed), np.unique(joints[1])),
            locations=_added(motion.locations, joints, offsets.locations),
            scales=_added(motion.scales, joints, offsets.scales),
            scalars=_added(motion.scalars, channels, offsets.scalars),
        )

    def _part(self, motion: Motion) -> "_Part":
        """What the layer adds to the frames and joints of a motion that it reaches."""
        share = self.share(motion.times)
        rows = np.flatnonzero(share)
        own, theirs = _known(self.joints, motion.skeleton.names)
        channels, their_channels = _known(self.scalar_names, motion.scalar_names)
        if not len(own) and not len(channels):
            raise LayerError(f"The motion has no bone of the layer '{self.name}'; rename its bones or the layer's")
        at, weight = motion.times[rows], share[rows, None]
        per_joint = (weight * self.weights[own])[..., None]
        turns, moves, scalings = (
            self._between(at, keys[:, own]) * per_joint
            for keys in (continuous_turns(self.turns), self.moves, self.scalings)
        )
        changes = self._between(at, self.changes[:, channels]) * weight
        # What jumps takes the whole change of the key before, or none.
        held = stepped_offsets(at, self.times, self.changes[:, channels])
        changes = np.where(motion.steps[their_channels], held, changes)
        offsets = PoseOffsets(turns, moves, scalings, changes)
        return _Part(np.ix_(rows, theirs), np.ix_(rows, their_channels), offsets)

    def moved(self, seconds: float) -> "Layer":
        """The same layer later, or earlier for seconds below 0."""
        return self._retimed(1.0, 0.0, seconds)

    def stretched(self, factor: float, *, pivot: float | None = None) -> "Layer":
        """The same layer `factor` times as long; the time `pivot`, or its start, stays where it is."""
        if not factor > 0.0:
            raise LayerError("A layer can only be stretched by a factor above 0")
        return self._retimed(factor, self.start if pivot is None else pivot, 0.0)

    def with_influence(self, values: Any, times: Any = None) -> "Layer":
        """The same layer with another influence: one number, or values (I,) at times (I,)."""
        several = np.atleast_1d(np.asarray(values, dtype=np.float64))
        at = np.zeros(len(several)) if times is None else np.asarray(times, dtype=np.float64)
        return replace(self, influence_times=at, influence_values=several)

    def _retimed(self, factor: float, pivot: float, seconds: float) -> "Layer":
        def new(times: Any) -> Any:
            return pivot + factor * (times - pivot) + seconds

        return replace(
            self,
            times=new(self.times),
            start=new(self.start),
            end=new(self.end),
            ease_in=factor * self.ease_in,
            ease_out=factor * self.ease_out,
            influence_times=new(self.influence_times),
        )

    def _between(self, times: Array, keys: Array) -> Array:
        """(M, ...) offsets at times between the keys (K, ...)."""
        if self.smooth:
            return smooth_offsets(times, self.times, keys)
        lines = np.zeros((len(times), *keys.shape[1:]))
        for place in np.ndindex(keys.shape[1:]):
            lines[:, *place] = np.interp(times, self.times, keys[:, *place])
        return lines


class _Part(NamedTuple):
    """Offsets (R, N, 3) and (R, S) with the places of a motion's arrays that they belong to."""

    joints: Any
    channels: Any
    offsets: PoseOffsets


def _exchanged(values: Array, places: Any, others: Array) -> Array:
    """Values with those at some places exchanged, stored component-first as before."""
    result = np.array(values.T).T
    result[places] = others
    return result


def _added(values: Array, places: Any, offsets: Array) -> Array:
    """Values with offsets added at some places; the very same array where there are none."""
    if not offsets.any():
        return values
    own = values[places]
    return _exchanged(values, places, np.where(offsets != 0.0, own + offsets, own))


def _without_jumps(rotations: Array, joints: Any) -> Array:
    """Rotations whose signs are continuous in the given joints."""
    several = rotations[:, joints]
    jumps = (quaternion.dot(several[1:], several[:-1]) < 0.0).any(axis=0)
    if jumps.any():
        rotations[:, joints[jumps]] = quaternion.sign_continuous(several[:, jumps])
    return rotations


def continuous_turns(turns: Any) -> Array:
    """(K, ..., 3) the same turns as rotation vectors that lie as near as they can to the ones before.

    A turn of nearly half a round to one side and one to the other are neighbours; between their
    shortest vectors lies nearly a whole round.
    """
    vectors = np.array(turns, dtype=np.float64)
    if not (np.linalg.norm(np.diff(vectors, axis=0), axis=-1) > np.pi).any():
        return vectors
    for row in range(1, len(vectors)):
        length = np.linalg.norm(vectors[row], axis=-1, keepdims=True)
        safe = np.where(length > 0.0, length, 1.0)
        onto = (vectors[row] * vectors[row - 1]).sum(axis=-1, keepdims=True) / safe
        rounds = np.where(length > 0.0, np.round((onto - length) / (2.0 * np.pi)), 0.0)
        vectors[row] += vectors[row] / safe * (2.0 * np.pi * rounds)
    return vectors


def _known(names: tuple[str, ...], others: tuple[str, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Places of the names that both have, in the one list and in the other."""
    index = {name: number for number, name in enumerate(others)}
    pairs = [(number, index[name]) for number, name in enumerate(names) if name in index]
    own, theirs = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    return own, theirs
