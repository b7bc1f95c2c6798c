"""Rows of a lane from a character's parts: one for every limb, with a colour of the theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..drawing.theme import bone_colour
from .stagger_data import LimbRow

if TYPE_CHECKING:
    from bpy.types import Context

    from ...core.body import Body

# Bone colour sets of the theme: yellow and grey in the middle, warm on the right, cold on the left.
_MIDDLE, _OTHER = 2, 13
_HEAD = 9
_SETS = {"left": (4, 7, 6, 8), "right": (5, 14, 11, 1), "centre": (3, 12)}


def limb_rows(context: Context, body: Body) -> tuple[tuple[LimbRow, ...], NDArray[np.intp]]:
    """Rows from head to feet, and (J,) the row of every joint.

    Joints that are part of nothing known share a last row; the object that carries the skeleton is
    in no row (-1).
    """
    groups = _groups(body)
    known = {joint for _name, joints, _set in groups for joint in joints}
    first = 1 if body.skeleton.has_placement else 0
    others = [joint for joint in range(first, len(body.skeleton)) if joint not in known]
    groups += [("Other", tuple(others), _OTHER)] if others else []
    rows = np.full(len(body.skeleton), -1, dtype=np.intp)
    for number, (_name, joints, _set) in enumerate(groups):
        rows[list(joints)] = number
    return tuple(LimbRow(name, bone_colour(context, chosen)) for name, _joints, chosen in groups), rows


def _groups(body: Body) -> list[tuple[str, tuple[int, ...], int]]:
    """Name, joints and colour set of every part, from the top down; a joint is in the first that has it."""
    head = () if body.head is None else (body.head,)
    root = () if body.root is None else (body.root,)
    parts = [("Head", (*body.neck, *head), _HEAD), ("Torso", (*root, *body.torso), _MIDDLE), *_limbs(body)]
    taken: set[int] = set()
    groups = []
    for name, joints, chosen in parts:
        own = tuple(dict.fromkeys(joint for joint in joints if joint not in taken))
        taken.update(own)
        if own:
            groups.append((name, own, chosen))
    return groups


def _limbs(body: Body) -> list[tuple[str, tuple[int, ...], int]]:
    """Limbs in the order in which the body lists them, each side with colours of its own."""
    used: dict[str, int] = {}
    limbs = []
    for limb in body.limbs:
        side = limb.side.value
        sets = _SETS[side]
        number = used[side] = used.get(side, -1) + 1
        limbs.append((limb.role.capitalize(), limb.joints, sets[number % len(sets)]))
    return limbs
