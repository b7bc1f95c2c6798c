"""Layers over a base motion, each on top of the ones before it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..motion import Indices, Motion, PoseOffsets, chosen
from ..numerics import quaternion
from .edits import difference, with_key
from .layer import Layer, LayerError, continuous_turns


@dataclass(frozen=True, eq=False)
class LayerStack:
    """A base motion and the layers that change it, lowest first.

    Attributes:
        base: The motion below all layers.
        layers: Each with a name of its own.
    """

    base: Motion
    layers: tuple[Layer, ...] = ()

    def __post_init__(self) -> None:
        names = [layer.name for layer in self.layers]
        double = next((name for name in names if names.count(name) > 1), None)
        if double is not None:
            raise LayerError(f"There are two layers '{double}'; give each a name of its own")

    @property
    def counting(self) -> tuple[Layer, ...]:
        """Layers that are seen: not muted, and solo ones only if there are any."""
        alone = any(layer.solo for layer in self.layers)
        return tuple(layer for layer in self.layers if not layer.muted and (layer.solo or not alone))

    def evaluate(self) -> Motion:
        """The base with all layers that count."""
        return self._up_to(len(self.layers), self.base)

    def over(self, motion: Motion) -> "LayerStack":
        """The same layers over another motion; joints are found by name."""
        return LayerStack(motion, self.layers)

    def layer(self, name: str) -> Layer:
        """The layer of that name.

        Raises:
            LayerError: There is none.
        """
        return self.layers[self._place(name)]

    def with_layer(self, layer: Layer, *, place: int | None = None) -> "LayerStack":
        """The stack with a further layer, on top or at a place counted from below."""
        at = len(self.layers) if place is None else place
        return replace(self, layers=(*self.layers[:at], layer, *self.layers[at:]))

    def without(self, name: str) -> "LayerStack":
        """The stack without one layer."""
        at = self._place(name)
        return replace(self, layers=self.layers[:at] + self.layers[at + 1 :])

    def changed(self, name: str, change: Callable[[Layer], Layer]) -> "LayerStack":
        """The stack with one layer replaced by what `change` makes of it."""
        at = self._place(name)
        return replace(self, layers=(*self.layers[:at], change(self.layers[at]), *self.layers[at + 1 :]))

    def reordered(self, name: str, place: int) -> "LayerStack":
        """The stack with one layer moved to a place counted from below."""
        return self.without(name).with_layer(self.layer(name), place=place)

    def with_pose(self, name: str, frame: int, pose: Motion) -> "LayerStack":
        """The stack whose result has the given pose at a frame, by a key in one layer.

        Args:
            name: The layer that takes the key; it must count at that frame.
            frame: Of the base.
            pose: One frame.

        Raises:
            LayerError: The layer is not seen at that frame.
        """
        at = self._place(name)
        if self.layers[at] not in self.counting:
            raise LayerError(f"The layer '{name}' is not seen; unmute it or take solo off the others")
        now = replace(chosen(self.base, [frame]), times=self.base.times[[frame]])
        below, own, above = (self._up_to(count, now) for count in (at, at + 1, len(self.layers)))
        return self.changed(name, lambda layer: with_key(layer, below, difference(own, above, pose)))

    def merged(self, lower: str, upper: str, *, name: str | None = None) -> "LayerStack":
        """The stack with two neighbouring layers made one, which gives the same motion.

        The new layer has a key in every frame of the base between their first and last.

        Raises:
            LayerError: They are not neighbours, in this order, or one of them is muted.
        """
        at = self._place(lower)
        if self._place(upper) != at + 1:
            raise LayerError(f"'{upper}' does not lie right above '{lower}'; put them in this order to merge them")
        pair = self.layers[at : at + 2]
        muted = next((layer.name for layer in pair if layer.muted), None)
        if muted is not None:
            raise LayerError(f"The layer '{muted}' is muted and would be lost; unmute or delete it before merging")
        solo = any(layer.solo for layer in pair)
        one = replace(merged_layer(self.base, *pair, name=name or lower), solo=solo)
        return replace(self, layers=(*self.layers[:at], one, *self.layers[at + 2 :]))

    def _place(self, name: str) -> int:
        for number, layer in enumerate(self.layers):
            if layer.name == name:
                return number
        raise LayerError(f"There is no layer '{name}'")

    def _up_to(self, count: int, motion: Motion) -> Motion:
        """A motion with those of the lowest layers that count."""
        counting = self.counting
        for layer in self.layers[:count]:
            motion = layer.applied(motion) if layer in counting else motion
        return motion


def merged_layer(base: Motion, lower: Layer, upper: Layer, *, name: str) -> Layer:
    """One layer that does in every frame of a motion what two do on top of each other.

    Raises:
        LayerError: No frame lies in their scopes.
    """
    both = _composed(lower.offsets(base), upper.offsets(base))
    start, end = min(lower.start, upper.start), max(lower.end, upper.end)
    rows = np.flatnonzero((base.times >= start) & (base.times <= end))
    if not len(rows):
        raise LayerError(f"The layers '{lower.name}' and '{upper.name}' lie outside of the motion; move them first")
    names = base.skeleton.names
    joints = _places(names, {*lower.joints, *upper.joints})
    channels = _places(base.scalar_names, {*lower.scalar_names, *upper.scalar_names})
    block = np.ix_(rows, joints)
    return Layer(
        name=name,
        joints=tuple(names[joint] for joint in joints),
        times=base.times[rows],
        turns=continuous_turns(both.turns[block]),
        moves=both.locations[block],
        scalings=both.scales[block],
        changes=both.scalars[np.ix_(rows, channels)],
        scalar_names=tuple(base.scalar_names[channel] for channel in channels),
        start=start,
        end=end,
        smooth=False,
    )


def _places(names: tuple[str, ...], wanted: set[str]) -> Indices:
    return np.array([number for number, name in enumerate(names) if name in wanted], dtype=np.intp)


def _composed(lower: PoseOffsets, upper: PoseOffsets) -> PoseOffsets:
    """One after the other: turns compose, all else adds up."""
    turned = quaternion.log(quaternion.multiply(quaternion.exp(lower.turns), quaternion.exp(upper.turns)))
    one, other = (offsets.turns.any(axis=-1, keepdims=True) for offsets in (lower, upper))
    turns = np.where(one & other, turned, lower.turns + upper.turns)
    return PoseOffsets(
        turns,
        lower.locations + upper.locations,
        lower.scales + upper.scales,
        lower.scalars + upper.scalars,
    )


def without_layers(motion: Motion, layers: tuple[Layer, ...]) -> Motion:
    """The motion that shows the given one when the layers that count are put over it."""
    for layer in reversed(LayerStack(motion, layers).counting):
        offsets = layer.offsets(motion)
        turned = quaternion.multiply(motion.rotations, quaternion.exp(-offsets.turns))
        touched = offsets.turns.any(axis=-1, keepdims=True)
        motion = replace(
            motion,
            rotations=quaternion.sign_continuous(np.where(touched, turned, motion.rotations)),
            locations=motion.locations - offsets.locations,
            scales=motion.scales - offsets.scales,
            scalars=motion.scalars - offsets.scalars,
        )
    return motion
