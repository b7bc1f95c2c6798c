"""The steps of editing a layer on the rig: begin, take up, keep or bring back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.errors import MotionEditError
from .. import action_io, saved_model, scope
from ..rig_pose import read_pose, set_pose
from . import applying, keying, layer_list, session, still_pose
from .editing import show_mode
from .settings import NAME

if TYPE_CHECKING:
    from bpy.types import Context, Object

# More frames than this with new keys were not set by posing.
_MOST_FRAMES = 40
# Fingerprint of keys that could not be taken up: trying changes and restores keys, which would ask again for ever.
_refused = ""


def start(armature: Object, name: str) -> str:
    """Switch the mode on and remember the layers."""
    saved = session.require(armature)
    if name not in {layer.name for layer in saved.layers}:
        raise MotionEditError(f"There is no layer '{name}'")
    session.remember(armature)
    armature.motion_editing_layer_edit.layer = name
    show_mode()
    return f"Layer '{name}' takes up poses: use Key Layer, or automatic keying"


def apply(context: Context, armature: Object) -> str:
    """Take up keys and the pose that are not yet in the layer, and end."""
    name = armature.motion_editing_layer_edit.layer
    measured = applying.Measured(context, armature)
    if saved_model.state(armature, NAME, exact=True) is saved_model.State.CHANGED:
        keying.take_up(context, armature, name)
    elif _is_posed(context, armature):
        keying.key_pose(context, armature, name, scope.action_frame(context, armature))
    _end(armature)
    return f"Layer '{name}' was edited{measured.text()}"


def cancel(context: Context, armature: Object) -> str:
    """Bring back the layers and end."""
    name = armature.motion_editing_layer_edit.layer
    before, saved = session.remembered(armature), session.load(armature)
    if before is not None and saved is not None:
        still_pose.put_back(scope.read_clip(context, armature), before.still)
        there = replace(saved, layers=before.layers, rate=before.rate)
        applying.carry_out(context, armature, there, lambda stack: stack, active=name, changed=True)
    _end(armature)
    context.scene.frame_set(context.scene.frame_current, subframe=context.scene.frame_subframe)
    return f"Layer '{name}' is as it was"


def take_up_keys(context: Context, armature: Object) -> None:
    """Take keys that Blender has set into the layer; a reason why not is told in the panel."""
    global _refused
    if saved_model.state(armature, NAME, exact=True) is not saved_model.State.CHANGED:
        return
    keys = action_io.fingerprint(armature)
    if keys == _refused:
        return
    try:
        keying.take_up(context, armature, armature.motion_editing_layer_edit.layer, most=_MOST_FRAMES)
    except MotionEditError as error:
        _refused = keys
        layer_list.settings_of(armature).problem = str(error)


def _is_posed(context: Context, armature: Object) -> bool:
    """Whether the rig is posed otherwise than the keys, and the motion has this frame."""
    saved, clip = session.load(armature), scope.read_clip(context, armature)
    pose = read_pose(armature, clip.motion)
    still_pose.put_back(clip, saved.still)
    clip = scope.read_clip(context, armature)
    try:
        row = keying.row_at(clip, scope.action_frame(context, armature))
    except MotionEditError:
        return False
    finally:
        set_pose(armature, pose)
    return keying.without_rounding(clip.motion.part(row, row + 1), pose)[1]


def _end(armature: Object) -> None:
    armature.motion_editing_layer_edit.layer = ""
    session.forget_remembered(armature)
    show_mode()
