"""The body saved with an armature."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ....core.body import Body, find_body, from_dict, to_dict
from ...border.armature import skeleton_of
from ..damage import reading

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Object

    from ...border.action_io import Clip

DAMAGED = "The saved body parts are damaged: use Find Body Parts in the Character panel"


def saved_body(armature: Object) -> tuple[Body, tuple[str, ...]] | None:
    """The saved body and the names of bones that are gone since; None if nothing was saved."""
    text = armature.motion_editing.body
    with reading(DAMAGED):
        return from_dict(skeleton_of(armature), json.loads(text)) if text else None


def save_body(armature: Object, body: Body) -> None:
    """Keep the body with the armature, by bone name."""
    armature.motion_editing.body = json.dumps(to_dict(body))


def body_of(armature: Object, clip: Clip | None = None, positions: np.ndarray | None = None) -> Body:
    """The saved body, or the one found from names, hierarchy and motion."""
    saved = saved_body(armature)
    if saved is not None:
        return saved[0]
    if clip is None:
        return find_body(skeleton_of(armature))
    return find_body(clip.motion.skeleton, motion=clip.motion, positions=positions)
