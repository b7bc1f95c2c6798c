"""Rows of a lane from a character's parts: one for every limb, with a colour of the theme."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....core.body import LimbKind
from ..drawing.theme import bone_colour

if TYPE_CHECKING:
    from bpy.types import Context

    from ....core.body import Body
    from ....core.motion import Mask
    from ....core.rig import BodyOrder
    from ..drawing.theme import Colour

# Bone colour sets of the theme and which of their shades: grey and yellow in the middle, cold on the
# left, warm on the right.
_TORSO, _HEAD, _OTHER = (13, "select"), (9, "select"), (8, "select")
_FACE_NAME, _FACE = "Face", (9, "active")
_SIDES = {
    "left": ((4, "active"), (7, "active"), (6, "active"), (8, "active")),
    "right": ((5, "active"), (2, "active"), (11, "active"), (14, "active")),
    "centre": ((12, "select"), (3, "select")),
}

_Part = tuple[str, tuple[int, ...], tuple[int, str]]


class LimbRow(NamedTuple):
    """A row of a lane."""

    name: str
    colour: Colour


def limb_rows(context: Context, body: Body, *, shapes: int = 0) -> tuple[tuple[LimbRow, ...], NDArray[np.intp]]:
    """Rows from head to feet, and (J + S,) the row of every joint and of every shape of the face.

    Joints that are part of nothing known share a last row; the object that carries the skeleton is
    in no row (-1).

    Args:
        context: Of the theme.
        body: The character's parts.
        shapes: Number of shapes S, which are in the face's row after its bones.
    """
    groups = _groups(body, has_shapes=shapes > 0)
    known = {joint for _name, joints, _set in groups for joint in joints}
    first = 1 if body.skeleton.has_placement else 0
    others = [joint for joint in range(first, len(body.skeleton)) if joint not in known]
    groups += [("Other", tuple(others), _OTHER)] if others else []
    rows = np.full(len(body.skeleton) + shapes, -1, dtype=np.intp)
    for number, (name, joints, _set) in enumerate(groups):
        rows[list(joints)] = number
        if name == _FACE_NAME:
            rows[len(body.skeleton) :] = number
    return tuple(LimbRow(name, bone_colour(context, *chosen)) for name, _joints, chosen in groups), rows


def control_rows(
    context: Context, body: Body, order: BodyOrder, shown: Mask, *, shapes: int = 0
) -> tuple[tuple[LimbRow, ...], NDArray[np.intp]]:
    """The same of a control rig: (J + S,) the row of every control that is shown, by the part that it moves.

    Args:
        body: Of the figure inside the rig.
        order: Which control stands for what.
        shown: (J,) bones of the rig, such as those with keys.
        shapes: Number of shapes S.
    """
    rows, parts = limb_rows(context, body, shapes=shapes)
    of_bones = np.where(order.controls & shown, parts[order.joints], -1)
    # What carries the body goes with its root.
    of_bones[order.controls & shown & (order.joints == 0)] = parts[order.root]
    of_bones = np.concatenate([of_bones, parts[len(body.skeleton) :]])
    used = np.flatnonzero(np.isin(np.arange(len(rows)), of_bones))
    number = np.full(len(rows) + 1, -1)
    number[used] = np.arange(len(used))
    return tuple(rows[row] for row in used), number[of_bones]


def _groups(body: Body, *, has_shapes: bool) -> list[_Part]:
    """Name, joints and colour set of every part, from the top down; a joint is in the first that has it."""
    head = () if body.head is None else (body.head,)
    root = () if body.root is None else (body.root,)
    parts = [
        ("Head", (*body.neck, *head), _HEAD),
        (_FACE_NAME, body.face, _FACE),
        ("Torso", (*root, *body.torso), _TORSO),
        *_limbs(body),
    ]
    taken: set[int] = set()
    groups = []
    for name, joints, chosen in parts:
        own = tuple(dict.fromkeys(joint for joint in joints if joint not in taken))
        taken.update(own)
        if own or (name == _FACE_NAME and has_shapes):
            groups.append((name, own, chosen))
    return groups


def _limbs(body: Body) -> list[_Part]:
    """Arms before legs, left before right, each limb of a side in another colour."""
    kinds = list(LimbKind)
    sides = list(_SIDES)
    used: dict[str, int] = {}
    limbs = []
    for limb in sorted(body.limbs, key=lambda each: (kinds.index(each.kind), sides.index(each.side.value))):
        side = limb.side.value
        number = used[side] = used.get(side, -1) + 1
        limbs.append((limb.role.capitalize(), limb.joints, _SIDES[side][number % len(_SIDES[side])]))
    return limbs
