"""Where the rig's present pose would fit best, and a ghost that shows it while the rig is posed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ....core.pose_tree import ControlSpace, Suggestion, suggest_place
from .. import model
from ..solution.solution import solved
from . import capture

if TYPE_CHECKING:
    from bpy.types import Object

    from ....core.motion import Motion
    from ..solution.solution import Solved

_seen: dict[int, bytes] = {}


def forget() -> None:
    """Look at every rig anew."""
    _seen.clear()


def suggestion(owner: Object, number: int, pose: Motion | None = None) -> Suggestion:
    """The place in a node's space at which the blend is most like a pose, by default the rig's.

    Raises:
        MotionEditError: The node has no poses yet.
    """
    known = solved(owner)
    space = _space(owner, known, number)
    return suggest_place(space, capture.like(owner, known) if pose is None else pose)


def _space(owner: Object, known: Solved, number: int) -> ControlSpace:
    space = known.tree.spaces.get(str(number))
    if space is None:
        raise MotionEditError(f"'{model.known_node(owner, number).name}' has no poses yet: add two or three first")
    return space


def follow_rig(owner: Object) -> None:
    """Put the ghost where the rig's pose belongs; nothing if the pose is the one seen last."""
    tree = model.tree_of(owner)
    node = model.node_of(tree.ghost) if model.has_own(owner, tree.ghost) else None
    if node is None:
        return
    try:
        known = solved(owner)
        pose = capture.like(owner, known)
        seen = b"".join(np.ascontiguousarray(part).tobytes() for part in (pose.rotations, pose.locations, pose.scalars))
        if _seen.get(owner.session_uid) != seen:
            _seen[owner.session_uid] = seen
            tree.ghost.location = suggest_place(_space(owner, known, node.number), pose).place
    except MotionEditError:
        return  # an empty node has no place to suggest
