"""The steps of editing a pose on the rig: show it, read it back, change the motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....core.errors import MotionEditError
from ...border.rigs import rig_channels
from ...border.rigs.rig_pose import read_pose, set_pose
from ...border.translation import report_text
from ...document import scope
from ...document.scene import pose_mode
from .. import refit
from . import pose_change, posing_ghost, posing_memory, posing_pause
from .posing_mode import show_mode

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ....core.motion import Motion
    from ...border.action_io import Clip


def start(context: Context, armature: Object, pose: int, kind: str, *, change: str = "") -> str:
    """Show a pose on the rig and put the action aside; with a change of it that was posed before."""
    saved, pose = refit.require_pose(context, armature, pose, fresh=True)
    clip = scope.read_clip(context, armature)
    shown = pose_change.pose_of(saved.poses, pose, kind)
    posing = armature.motion_editing_posing
    posing.pose, posing.kind = pose, kind
    frame = scope.to_scene(armature, saved.poses.pose_times[pose : pose + 1] * clip.motion.rate)[0]
    context.scene.frame_set(round(float(frame)))
    before = rig_channels.read(armature)
    posing_pause.put_aside(armature)
    _show(clip, shown, before)
    posing_memory.remember(armature, before, read_pose(armature, shown))
    if change:
        set_pose(armature, pose_change.posed_again(change, shown))
    posing.mode = armature.mode
    if armature.mode == "OBJECT" and scope.edited_object(context) == armature:
        pose_mode.enter(context, armature)
    posing_ghost.show(context, armature)
    show_mode()
    return f"Pose {pose + 1} is on the rig: change it, then use Apply Pose"


def _show(clip: Clip, pose: Motion, before: rig_channels.ByProperty) -> None:
    """Put a pose on the rig; channels without keys stay as they are."""
    set_pose(clip.armature, pose)
    now, keyed = rig_channels.read(clip.armature), rig_channels.keyed(clip)
    rig_channels.write(clip.armature, {name: np.where(keyed[name], now[name], before[name]) for name in now}, now)


def apply(context: Context, armature: Object) -> str:
    """Take the pose from the rig into the motion; where that is refused it stays on the rig."""
    stand_in = posing_pause.give_back(armature)
    posing_pause.keep_posed(armature)
    try:
        text = _take_up(context, armature)
    except MotionEditError:
        posing_pause.go_on(armature, stand_in)
        raise
    finish(context, armature, stand_in)
    return text


def _take_up(context: Context, armature: Object) -> str:
    """Change the motion by what was posed; the armature has its action again."""
    kind, pose = armature.motion_editing_posing.kind, armature.motion_editing_posing.pose
    saved, pose = refit.require_pose(context, armature, pose, fresh=True)
    now = pose_change.pose_of(saved.poses, pose, kind)
    # Nothing has been evaluated since: the rig still holds what the animator posed.
    change = pose_change.change_text(posing_memory.shown_pose(armature, now), read_pose(armature, now))
    posing_memory.put_back(armature)
    if not change:
        return report_text("The pose was not changed")
    try:
        bpy.ops.motion_editing.change_staggered_pose(pose=pose, kind=kind, change=change)
    except RuntimeError as error:
        raise MotionEditError(str(error).removeprefix("Error: ").strip().splitlines()[0]) from None
    return ""


def end(context: Context, armature: Object) -> None:
    """Give the action back unchanged."""
    finish(context, armature, posing_pause.give_back(armature))


def finish(context: Context, armature: Object, stand_in: bpy.types.Action | None) -> None:
    """Let the rig follow its keys again and clean up."""
    if stand_in is not None and not stand_in.users:
        bpy.data.actions.remove(stand_in)
    posing_memory.put_back(armature)
    posing_memory.forget(armature)
    posing_ghost.hide(armature)
    if armature.motion_editing_posing.mode == "OBJECT" and armature.mode == "POSE" and context.object == armature:
        bpy.ops.object.mode_set(mode="OBJECT")
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    context.scene.frame_set(context.scene.frame_current)
    show_mode()
