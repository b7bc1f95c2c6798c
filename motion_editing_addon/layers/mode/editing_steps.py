"""The steps of editing a layer on the rig: begin, take up, keep or bring back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ....core.errors import MotionEditError
from ....core.layers import edited_pose
from ...border import action_io
from ...border.rigs.rig_pose import read_pose, set_pose
from ...border.saved_state import LAYERS
from ...document import scope, watched_keys
from .. import layer_keys, layer_list, layer_writer, session
from . import still_pose
from .layer_mode import show_mode

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ....core.motion import Motion

# More frames than this with new keys were not set by posing.
_MOST_FRAMES = 40
# Fingerprint of keys that could not be taken up: trying changes and restores keys, which would ask again for ever.
_refused = ""


def start(context: Context, armature: Object, name: str) -> str:
    """Switch the mode on and remember the layers."""
    saved = layer_writer.require(context, armature)
    if name not in {layer.name for layer in saved.layers}:
        raise MotionEditError(f"There is no layer '{name}'")
    session.remember(armature)
    armature.motion_editing_layer_edit.layer = name
    show_mode()
    return f"Layer '{name}' takes up poses: use Key Layer, or automatic keying"


def apply(context: Context, armature: Object) -> str:
    """Take up keys and the pose that are not yet in the layer, and end."""
    name = armature.motion_editing_layer_edit.layer
    measured, pose = layer_writer.Measured(context, armature), _posed(context, armature)
    taken = 0
    if watched_keys.state(armature, LAYERS, exact=True) is watched_keys.State.CHANGED:
        taken = layer_keys.take_up(context, armature, name)
    # Keys may be others because of a channel that was muted: the pose counts none the less.
    if pose is not None and not taken:
        set_pose(armature, pose)
        layer_keys.key_pose(context, armature, name, scope.action_frame(context, armature))
    _end(armature)
    return f"Layer '{name}' was edited{measured.text()}"


def cancel(context: Context, armature: Object) -> str:
    """Bring back the layers and end; where that cannot be done, end and say why."""
    name = armature.motion_editing_layer_edit.layer
    text = f"Layer '{name}' is as it was"
    try:
        _bring_back(context, armature, name)
    except MotionEditError as error:
        text = f"Layer '{name}' stays as it was edited: {error}"
    _end(armature)
    context.scene.frame_set(context.scene.frame_current, subframe=context.scene.frame_subframe)
    return text


def _bring_back(context: Context, armature: Object, name: str) -> None:
    before, saved = session.remembered(armature), session.load(armature)
    if before is None or saved is None:
        return
    still_pose.put_back(scope.read_clip(context, armature), before.still)
    is_current = watched_keys.state(armature, LAYERS, exact=True) is watched_keys.State.CURRENT
    if before.revision == saved.revision and is_current:
        return  # Nothing was keyed.
    there = replace(saved, layers=before.layers, rate=before.rate)
    layer_writer.carry_out(context, armature, there, lambda stack: stack, active=name, changed=True)


def take_up_keys(context: Context, armature: Object) -> None:
    """Take keys that Blender has set into the layer; a reason why not is told in the panel."""
    global _refused
    if watched_keys.state(armature, LAYERS, exact=True) is not watched_keys.State.CHANGED:
        return
    keys = action_io.fingerprint(armature)
    if keys == _refused:
        return
    try:
        _take_up_or_over(context, armature)
    except MotionEditError as error:
        _refused = keys
        layer_list.settings_of(armature).problem = str(error)


def _take_up_or_over(context: Context, armature: Object) -> None:
    """Take keys into the layer; those of a tool that changed many go below the layers."""
    try:
        layer_keys.take_up(context, armature, armature.motion_editing_layer_edit.layer, most=_MOST_FRAMES)
    except layer_keys.ManyKeysError:
        layer_writer.take_over(context, armature, session.there(armature))


def _posed(context: Context, armature: Object) -> Motion | None:
    """The pose of the rig, where it is another one than that of the keys and the motion has this frame."""
    saved, clip = session.there(armature), scope.read_clip(context, armature)
    pose = read_pose(armature, clip.motion)
    still_pose.put_back(clip, saved.still)
    clip = scope.read_clip(context, armature)
    try:
        row = layer_keys.row_at(clip, scope.action_frame(context, armature))
    except MotionEditError:
        return None
    finally:
        set_pose(armature, pose)
    return pose if edited_pose(clip.motion.part(row, row + 1), pose)[1] else None


def _end(armature: Object) -> None:
    armature.motion_editing_layer_edit.layer = ""
    session.forget_remembered(armature)
    show_mode()
