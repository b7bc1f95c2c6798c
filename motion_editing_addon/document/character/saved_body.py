"""The body saved with an armature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.body import Body, find_body, from_dict, to_dict
from ...border.action_io.memory.draft import draft_of
from ...border.armature import skeleton_of
from ...border.saved_state import BODY, from_text, reading, to_text

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Object

    from ...border.action_io import Clip


def saved_body(armature: Object) -> tuple[Body, tuple[str, ...]] | None:
    """The saved body and the names of bones that are gone since; None if nothing was saved."""
    text = armature.motion_editing.body
    with reading(BODY):
        return from_dict(skeleton_of(armature), from_text(BODY, text)) if text else None


def save_body(armature: Object, body: Body) -> None:
    """Keep the body with the armature, by bone name."""
    armature.motion_editing.body = to_text(BODY, to_dict(body))


def body_of(armature: Object, clip: Clip | None = None, positions: np.ndarray | None = None) -> Body:
    """The saved body, or the one found from names, hierarchy and motion."""
    saved = saved_body(armature)
    if saved is not None:
        return saved[0]
    if clip is None:
        return find_body(skeleton_of(armature))

    def find() -> Body:
        return find_body(clip.motion.skeleton, motion=clip.motion, positions=positions)

    draft = draft_of(armature)
    # Of several edits that are only looked at, all are of the same figure.
    return draft.once("body", find) if draft is not None and draft.is_loose else find()
