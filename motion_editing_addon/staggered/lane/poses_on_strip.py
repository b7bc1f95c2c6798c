"""The poses on the strip: what the lane shows, and what dragging does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import bpy

from ....core.errors import MotionEditError
from ...document import scope
from .. import session
from ..edits import pose_choice
from ..pose_mode.posing_mode import is_posing, mode_text
from . import lane_data, pose_icons, pose_menu, strip_drag

if TYPE_CHECKING:
    from bpy.types import Context

    from .stagger_data import StaggerItem, StaggerLaneData


class PosesOnStrip:
    """Feeds the stagger lane of the strip with the active armature's poses."""

    def __init__(self) -> None:
        """Nothing is shown before the strip asks."""
        self._shown: tuple[object, StaggerLaneData] | None = None
        self._icons: tuple[object, tuple[Any, ...]] | None = None
        self._rows: tuple[object, lane_data.Rows] | None = None
        self._drag: strip_drag.StripDrag | None = None

    def data(self, context: Context) -> StaggerLaneData | None:
        """The poses as they are, or as a drag would make them; kept until something changes."""
        armature = scope.edited_object(context)
        if not scope.is_armature(armature):
            return None
        if is_posing(armature):
            # The rig plays nothing now: what was shown last stays in sight.
            return replace(self._shown[1], is_fixed=True) if self._shown is not None else None
        action = scope.action_of(armature)
        if action is None or not action.motion_editing_staggered.poses:
            return None
        try:
            saved = session.load(armature)
        except MotionEditError:  # said by the tools; drawing cannot
            return None
        if saved is None:
            return None
        model = self._drag.model if self._drag is not None else None
        settings = action.motion_editing_staggered
        key = (
            armature.name,
            saved.revision,
            settings.active,
            tuple(pose.selected for pose in settings.poses),
            id(model),
            scope.source_rate(context, armature),
        )
        if self._shown is None or self._shown[0] != key:
            icons, rows = self._icons_of(context, saved), self._rows_of(context, saved)
            self._shown = key, lane_data.of(context, armature, saved, model, icons, rows)
        return self._shown[1]

    def _icons_of(self, context: Context, saved: session.Session) -> tuple[Any, ...]:
        """Figures of the poses, made anew only for other poses; a drag moves them as they are."""
        armature = scope.known_object(context)
        key = armature.name, saved.revision
        if self._icons is None or (self._icons[0] != key and self._drag is None):
            self._icons = key, pose_icons.icons_of(context, armature, saved)
        return self._icons[1]

    def _rows_of(self, context: Context, saved: session.Session) -> lane_data.Rows:
        """Rows of limbs, looked for anew only for other poses."""
        armature = scope.known_object(context)
        key = armature.name, saved.revision, len(lane_data.animated_shapes(armature))
        if self._rows is None or (self._rows[0] != key and self._drag is None):
            self._rows = key, lane_data.rows_of(context, armature, saved)
        return self._rows[1]

    def note(self, context: Context) -> str:
        """While a pose is edited, which one and how to end that."""
        armature = scope.edited_object(context)
        return mode_text(armature) if armature is not None and is_posing(armature) else ""

    def drag_pose(self, context: Context, pose: int, frame: float, *, final: bool) -> None:
        """Move a pose, and those that are selected with it; the rig shows it, the keys follow when it is let go."""
        self._dragged(context, pose, frame, strip_drag.WHOLE, final=final)

    def drag_knot(self, context: Context, pose: int, joint: int, frame: float, *, final: bool) -> None:
        """Move one joint or shape key of a pose."""
        self._dragged(context, pose, frame, self._part(context, joint), final=final)

    def _part(self, context: Context, joint: int | None) -> strip_drag.Part:
        """The bone or shape key that a knot is of."""
        shape = self._shown[1].shape_of(joint) if self._shown is not None else ""
        return strip_drag.Part(_bone(context, joint) if joint and not shape else "", shape)

    def _dragged(self, context: Context, pose: int, frame: float, part: strip_drag.Part, *, final: bool) -> None:
        if final:
            self.cancel(context)
            chosen = pose_choice.selected(context)
            if part == strip_drag.WHOLE and pose in chosen and len(chosen) > 1:
                scope.own_action(scope.known_object(context)).motion_editing_staggered["active"] = pose
                bpy.ops.motion_editing.retime_pose(frame=frame)
            else:
                bpy.ops.motion_editing.retime_pose(pose=pose, frame=frame, bone=part.bone, shape_key=part.shape_key)
            return
        if self._drag is None:
            self._drag = strip_drag.StripDrag.begin(context)
        self._drag.show(pose, frame, part)

    def cancel(self, _context: Context) -> None:
        """Everything as before the drag."""
        if self._drag is not None:
            self._drag.end()
            self._drag = None

    def pick(self, context: Context, pose: int, *, more: bool = False) -> None:
        """Make a pose active: the playhead goes there. One more, or one less, is selected with the others."""
        pose_choice.pick(context, pose, more=more)

    def pick_between(self, context: Context, first: float, last: float) -> None:
        """Select the poses between two frames of the scene."""
        data = self.data(context)
        if data is not None:
            frames = enumerate(data.pose_frames)
            pose_choice.choose(context, [number for number, frame in frames if first <= frame <= last])

    def promote(self, context: Context, candidate: int) -> None:
        """Show a pose that was found and is not shown."""
        bpy.ops.motion_editing.show_pose(candidate=candidate)

    def menu(self, context: Context, item: StaggerItem) -> tuple[tuple[str, str], ...]:
        """What can be done with a pose, or one bone or shape key of it."""
        if item.joint is None:
            return pose_menu.POSE
        return pose_menu.SHAPE_KEY if self._part(context, item.joint).shape_key else pose_menu.BONE

    def chosen(self, context: Context, identifier: str, item: StaggerItem) -> None:
        """Do it to the pose, and to all that are selected with it."""
        pose_menu.choose(context, identifier, item.pose, self._part(context, item.joint))


def _bone(context: Context, joint: int) -> str:
    """Name of a joint's bone; empty for the object."""
    return scope.known_object(context).pose.bones[joint - 1].name if joint else ""
