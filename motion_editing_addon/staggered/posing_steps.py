"""The steps of editing a pose on the rig: show it, read it back, change the motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.errors import MotionEditError
from ...core.staggered.pose_edits import non_staggered_pose, true_pose, widened, with_extreme_pose, with_true_pose
from .. import rig_channels, scope
from ..action_io import muted_text
from ..key_options import KeyOptions
from ..rig_pose import read_pose, set_pose
from . import posing_memory, session
from .differences import carried_over
from .editing import commit
from .keyed_variables import held_where_keyed
from .posing import show_mode

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...core.motion import Motion
    from ..action_io import Clip

_POSES = {"EXTREME": non_staggered_pose, "TRUE": true_pose}
# A rig holds single precision: smaller differences are no edit. Radians and units.
_ROUNDING = 1e-5


def start(context: Context, armature: Object, pose: int, kind: str) -> str:
    """Show a pose on the rig and put the action aside."""
    saved = session.require(context, armature, fresh=True)
    clip = scope.read_clip(context, armature)
    shown = _POSES[kind](saved.model, pose)
    data, posing = armature.animation_data, armature.motion_editing_posing
    posing.action, posing.slot = data.action, data.action_slot.handle
    posing.pose, posing.kind = pose, kind
    frame = scope.to_scene(armature, saved.model.pose_times[pose : pose + 1] * clip.motion.rate)[0]
    context.scene.frame_set(round(float(frame)))
    before = rig_channels.read(armature)
    data.action = bpy.data.actions.new(f"{posing.action.name} (posing)")
    _show(clip, shown, before)
    posing_memory.remember(armature, before, read_pose(armature, shown))
    show_mode()
    return f"Pose {pose + 1} is on the rig: change it, then use Apply Pose"


def _show(clip: Clip, pose: Motion, before: rig_channels.ByProperty) -> None:
    """Put a pose on the rig; channels without keys stay as they are."""
    set_pose(clip.armature, pose)
    now, keyed = rig_channels.read(clip.armature), rig_channels.keyed(clip)
    rig_channels.write(clip.armature, {name: np.where(keyed[name], now[name], before[name]) for name in now}, now)


def apply(context: Context, armature: Object) -> str:
    """Take the pose from the rig into the motion."""
    posing = armature.motion_editing_posing
    pose, kind = posing.pose, posing.kind
    temporary = give_back(armature)
    try:
        saved = session.require(context, armature, fresh=True)
    except MotionEditError:
        # The pose stays on the rig, to be applied when the reason is mended, or cancelled.
        posing.action = armature.animation_data.action
        armature.animation_data.action = temporary
        raise
    now = _POSES[kind](saved.model, pose)
    # Nothing has been evaluated since: the rig still holds what the animator posed.
    wanted = carried_over(now, posing_memory.shown_pose(armature, now), read_pose(armature, now))
    finish(context, armature, temporary)
    put = with_extreme_pose if kind == "EXTREME" else with_true_pose
    start = widened(saved.model, wanted, _ROUNDING)
    if saved.from_keys:
        start = held_where_keyed(scope.read_clip(context, armature), start)
    model = put(start, pose, wanted, tolerance=_ROUNDING)
    if model is start:
        return "The pose was not changed"
    report = commit(context, armature, saved, model, KeyOptions())
    done = f"Changed pose {pose + 1}: {report.bones} bones over {report.frames} frames"
    return ". ".join(filter(None, (done, muted_text([report]))))


def end(context: Context, armature: Object) -> None:
    """Give the action back unchanged."""
    finish(context, armature, give_back(armature))


def give_back(armature: Object) -> bpy.types.Action | None:
    """Put the action in its place again; gives the one that stood in for it."""
    data, posing = armature.animation_data or armature.animation_data_create(), armature.motion_editing_posing
    temporary, action = data.action, posing.action
    data.action = action
    slots = [slot for slot in action.slots if slot.handle == posing.slot]
    data.action_slot = slots[0] if slots else next(iter(data.action_suitable_slots), None)
    posing.action = None
    return temporary


def finish(context: Context, armature: Object, temporary: bpy.types.Action | None) -> None:
    """Let the rig follow its keys again and clean up."""
    if temporary is not None and not temporary.users:
        bpy.data.actions.remove(temporary)
    posing_memory.put_back(armature)
    posing_memory.forget(armature)
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    context.scene.frame_set(context.scene.frame_current)
    show_mode()
