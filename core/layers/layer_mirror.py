"""A layer for the other side of the body: a wave of the left hand made one of the right."""

from dataclasses import replace
from typing import Any

import numpy as np

from ..body import Body, mirror_name
from ..editing import Mirror, mirror_paths
from ..numerics import Array
from .layer import Layer, LayerError


def mirrored_layer(layer: Layer, body: Body, *, name: str | None = None) -> Layer:
    """The same changes with left and right exchanged; scope, eases and influence stay.

    Args:
        layer: Its joints are found in the body by name; those that it does not have are left out.
        body: Its pairs are used.
        name: Of the new layer; the mirrored name of the old one if not given.

    Raises:
        LayerError: The body has no bone of the layer.
        MissingRoleError: Nothing tells left from right.
    """
    mirror, names = Mirror.of(body), body.skeleton.names
    known = [number for number, joint in enumerate(layer.joints) if joint in body.skeleton.index]
    if not known and layer.joints:
        raise LayerError(f"The character has no bone of the layer '{layer.name}'; rename its bones or the layer's")
    here = [body.skeleton.index[layer.joints[number]] for number in known]
    there = [int(mirror.partner[joint]) for joint in here]

    def whole(offsets: Array) -> Array:
        values = np.zeros((len(offsets), len(names), 3))
        values[:, here] = offsets[:, known]
        return values

    arrays: dict[str, Any] = {
        "turns": mirror.rotation_vectors(whole(layer.turns))[:, there],
        "moves": mirror.locations(whole(layer.moves))[:, there],
        "scalings": mirror.scales(whole(layer.scalings))[:, there],
    }
    return replace(
        layer,
        name=mirror_name(layer.name) if name is None else name,
        joints=tuple(names[joint] for joint in there),
        weights=layer.weights[known],
        scalar_names=tuple(mirror_paths(channel)[0] for channel in layer.scalar_names),
        **arrays,
    )
