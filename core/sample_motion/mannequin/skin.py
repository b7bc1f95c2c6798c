"""Skin: how much each bone moves each vertex of the mannequin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...numerics import Array
from .body_form import body_solids
from .mesh import Mannequin
from .solids import part_distances

# Metres over which one part of the body hands over to the next.
_PART_WIDTH = 0.012
# Metres about the middle in which limbs of both sides may move the same vertex.
_MIDDLE_WIDTH = 0.03
# Bones of one part share a vertex whose distances to them differ by this part of the nearest.
_SHARE_WIDTH = 0.13
_SMALLEST = 0.02
_SMOOTHED = 4

Bone = tuple[Array, Array]


def skin_weights(body: Mannequin, bones: Mapping[str, Bone], parts: Mapping[str, Sequence[str]]) -> dict[str, Array]:
    """(V,) weights of each bone; of a vertex they add up to one.

    Args:
        body: The mesh.
        bones: Head and tail of each bone at rest, by name.
        parts: Which bones move each part of the body ('trunk', 'arm.L', 'index.R', ...).
    """
    names = list(bones)
    owners = _part_shares(body)
    weights = np.zeros((len(body.vertices), len(names)))
    for part, share in owners.items():
        own = [names.index(name) for name in parts[part]]
        weights[:, own] += share[:, None] * _bone_shares(body.vertices, [bones[names[bone]] for bone in own])
    weights = _smoothed(weights, body)
    weights[weights < _SMALLEST] = 0.0
    weights /= weights.sum(axis=1, keepdims=True)
    return {name: weights[:, bone] for bone, name in enumerate(names) if weights[:, bone].any()}


def _part_shares(body: Mannequin) -> dict[str, Array]:
    """How much each part has formed the surface at each vertex."""
    distances = part_distances(body_solids(), body.vertices)
    nearest = np.min(list(distances.values()), axis=0)
    side = np.clip(0.5 + body.vertices[:, 0] / _MIDDLE_WIDTH, 0.0, 1.0)
    own = {"L": side, "R": 1.0 - side}
    shares = {
        part: np.exp(-(each - nearest) / _PART_WIDTH) * own.get(part[-1], 1.0) for part, each in distances.items()
    }
    whole = np.sum(list(shares.values()), axis=0)
    return {part: np.where(body.on_head, part == "head", share / whole) for part, share in shares.items()}


def _bone_shares(places: Array, bones: Sequence[Bone]) -> Array:
    """(V, B) shares of the bones of one part: the nearest has most, and joints are soft."""
    distances = np.stack([_distance(places, *bone) for bone in bones], axis=1)
    nearest = np.maximum(distances.min(axis=1, keepdims=True), 1e-6)
    shares = np.exp(-(distances / nearest - 1.0) / _SHARE_WIDTH)
    normalised: Array = shares / shares.sum(axis=1, keepdims=True)
    return normalised


def _distance(places: Array, head: Array, tail: Array) -> Array:
    along = tail - head
    share = np.clip((places - head) @ along / (along @ along), 0.0, 1.0)
    distance: Array = np.linalg.norm(places - head - share[:, None] * along, axis=1)
    return distance


def _smoothed(weights: Array, body: Mannequin) -> Array:
    """Weights averaged with those of neighbours in the mesh."""
    edges = np.concatenate([body.squares[:, [k, (k + 1) % 4]] for k in range(4)])
    counts = np.bincount(edges.ravel(), minlength=len(weights))[:, None]
    for _ in range(_SMOOTHED):
        total = np.zeros_like(weights)
        np.add.at(total, edges[:, 0], weights[edges[:, 1]])
        np.add.at(total, edges[:, 1], weights[edges[:, 0]])
        weights = 0.5 * weights + 0.5 * total / counts
    return weights
