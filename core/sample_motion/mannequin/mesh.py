"""The mannequin: a human body as a mesh, with a face of shape keys, made without any file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array
from .body_form import body_solids
from .face_form import SHAPES, cheek_lift, face_patches, jaw_drop, patch_squares
from .solids import Solid, melted_distances
from .surface import Field, surface_of

MATERIALS = ("skin", "dark", "light")
HAND_PARTS = frozenset({"hand", "thumb", "index", "middle", "ring", "pinky"})
# Where neck and wrists are cut; the shells beyond are finer. Metres.
_NECK, _WRIST = 1.508, 0.712
# Rings of the dark material: axis, from, to.
_BANDS = ((2, _NECK, 1.524), (0, 0.437, 0.483), (0, _WRIST, 0.730), (2, 0.452, 0.528), (2, 0.092, 0.122))


@dataclass(frozen=True)
class Mannequin:
    """The mesh at rest.

    Attributes:
        vertices: (V, 3) places in metres, z up, facing -y.
        squares: (Q, 4) vertices of each face, looking outwards.
        materials: (Q,) number of each face's material in `MATERIALS`.
        shapes: By name, (V, 3) how far a shape key moves each vertex.
        on_head: (V,) vertices of the face, which belong to the head alone.
    """

    vertices: Array
    squares: Array
    materials: Array
    shapes: dict[str, Array]
    on_head: NDArray[np.bool_]


@lru_cache(maxsize=1)
def mannequin() -> Mannequin:
    """Make the mannequin for the sample figure at rest."""
    shells = [_body(), _head(), *_hands()]
    skin, squares = _joined(shells)
    skin, materials = _banded(skin, squares)
    head = _field(s for s in body_solids() if s.part in ("head", "neck"))
    calm = [patch.places(head) for patch in face_patches({})]
    whole, whole_squares = _joined([(skin, squares), *((places, patch_squares()) for places in calm)])
    dark = [MATERIALS.index(patch.material) for patch in face_patches({})]
    return Mannequin(
        whole,
        whole_squares,
        np.concatenate([materials, np.repeat(dark, len(patch_squares()))]),
        {name: _shape(name, skin, head, whole) for name in SHAPES},
        np.arange(len(whole)) >= len(skin),
    )


def _shape(name: str, skin: Array, head: Field, whole: Array) -> Array:
    """How a shape key moves the mesh: the patches as they are drawn, then what moves the head."""
    patches = np.concatenate([patch.places(head) for patch in face_patches({name: 1.0})])
    moved = np.concatenate([skin, patches])
    if name == "jaw_open":
        moved = moved + np.where(np.arange(len(whole)) < len(skin), 1.0, 0.5)[:, None] * jaw_drop(whole)
    if name == "smile":
        moved = moved + cheek_lift(whole)
    return moved - whole


def _field(solids: Iterable[Solid], *cuts: tuple[int, float, float]) -> Field:
    """Distances to solids that are cut off by planes: axis, the side that stays away, and its place.

    Both sides are taken from the left one, so that they are alike and legs do not melt into each other.
    """
    chosen = [solid for solid in solids if not solid.part.endswith(".R")]

    def distances(points: Array) -> Array:
        found = melted_distances(chosen, np.column_stack([np.abs(points[:, 0]), points[:, 1:]]))
        for axis, sign, place in cuts:
            found = np.maximum(found, sign * (points[:, axis] - place))
        return found

    return distances


def _body() -> tuple[Array, Array]:
    solids = [solid for solid in body_solids() if solid.part.split(".")[0] not in HAND_PARTS]
    field = _field(solids, (2, 1.0, _NECK), (2, -1.0, 0.0), (0, 1.0, _WRIST), (0, -1.0, -_WRIST))
    return surface_of(field, np.array([-0.738, -0.225, -0.036]), np.array([0.738, 0.135, 1.54]), 0.018)


def _head() -> tuple[Array, Array]:
    field = _field((s for s in body_solids() if s.part.split(".")[0] in ("head", "neck")), (2, -1.0, _NECK))
    return surface_of(field, np.array([-0.116, -0.15, 1.48]), np.array([0.116, 0.13, 1.78]), 0.008)


def _hands() -> list[tuple[Array, Array]]:
    parts = {f"{part}.L" for part in HAND_PARTS}
    field = _field((solid for solid in body_solids() if solid.part in parts), (0, -1.0, _WRIST))
    left, squares = surface_of(field, np.array([0.69, -0.11, 1.37]), np.array([0.92, 0.07, 1.46]), 0.006)
    return [(left, squares), (left * [-1.0, 1.0, 1.0], squares[:, ::-1])]


def _joined(shells: Iterable[tuple[Array, Array]]) -> tuple[Array, Array]:
    places, squares, count = [], [], 0
    for vertices, faces in shells:
        places.append(vertices)
        squares.append(faces + count)
        count += len(vertices)
    return np.concatenate(places), np.concatenate(squares)


def _banded(vertices: Array, squares: Array) -> tuple[Array, Array]:
    """Vertices with clean edges of the dark rings, and each face's material."""
    vertices = vertices.copy()
    materials = np.zeros(len(squares), dtype=int)
    for axis, start, stop in _BANDS:
        along = vertices[:, axis] if axis == 2 else np.abs(vertices[:, axis])
        middles = along[squares].mean(axis=1)
        dark = (middles > start) & (middles < stop) & _belongs(axis, vertices[squares].mean(axis=1))
        materials[dark] = 1
        edge = np.intersect1d(squares[dark], squares[~dark])
        nearest = np.where(np.abs(along[edge] - start) < np.abs(along[edge] - stop), start, stop)
        vertices[edge, axis] = nearest * np.where(vertices[edge, axis] < 0.0, -1.0, 1.0)
    return vertices, materials


def _belongs(axis: int, places: Array) -> NDArray[np.bool_]:
    """Rings across the arms leave the trunk out, those across legs and neck the hands."""
    return np.abs(places[:, 0]) < 0.3 if axis == 2 else places[:, 2] > 1.3
