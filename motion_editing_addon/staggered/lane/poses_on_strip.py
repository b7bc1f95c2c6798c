"""The poses on the strip: what the lane shows, and what dragging does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ....core.errors import MotionEditError
from ...document import scope
from .. import session
from ..pose_mode.posing_mode import is_posing, mode_text
from . import lane_data, strip_drag

if TYPE_CHECKING:
    from bpy.types import Context

    from .stagger_data import StaggerLaneData


class PosesOnStrip:
    """Feeds the stagger lane of the strip with the active armature's poses."""

    def __init__(self) -> None:
        """Nothing is shown before the strip asks."""
        self._shown: tuple[object, StaggerLaneData] | None = None
        self._drag: object = None

    def data(self, context: Context) -> StaggerLaneData | None:
        """The poses as they are, or as a drag would make them; kept until something changes."""
        armature = context.object
        action = scope.action_of(armature) if scope.is_armature(armature) else None
        if action is None or not action.motion_editing_staggered.poses:
            return None

        try:
            saved = session.load(armature)
        except MotionEditError:  # said by the tools; drawing cannot
            return None
        if saved is None:
            return None
        model = self._drag.model if self._drag is not None else None
        key = (
            armature.name,
            saved.revision,
            action.motion_editing_staggered.active,
            id(model),
            scope.source_rate(context, armature),
        )
        if self._shown is None or self._shown[0] != key:
            self._shown = key, lane_data.of(context, armature, saved, model)
        return self._shown[1]

    def note(self, context: Context) -> str:
        """While a pose is edited, which one and how to end that."""
        return mode_text(context.object) if is_posing(context.object) else ""

    def drag_pose(self, context: Context, pose: int, frame: float, *, final: bool) -> None:
        """Move a pose; the rig shows it, the keys follow when it is let go."""
        self._dragged(context, pose, frame, "", final=final)

    def drag_knot(self, context: Context, pose: int, joint: int, frame: float, *, final: bool) -> None:
        """Move one joint of a pose."""
        self._dragged(context, pose, frame, context.object.pose.bones[joint - 1].name if joint else "", final=final)

    def _dragged(self, context: Context, pose: int, frame: float, bone: str, *, final: bool) -> None:
        if final:
            self.cancel(context)
            bpy.ops.motion_editing.retime_pose(pose=pose, frame=frame, bone=bone)
            return
        if self._drag is None:
            self._drag = strip_drag.StripDrag.begin(context)
        self._drag.show(pose, frame, bone)

    def cancel(self, _context: Context) -> None:
        """Everything as before the drag."""
        if self._drag is not None:
            self._drag.end()
            self._drag = None

    def pick(self, context: Context, pose: int) -> None:
        """Make a pose active: the playhead goes there."""
        scope.action_of(context.object).motion_editing_staggered.active = pose
