"""Keys in a layer: the rig's pose, no change, or what Blender's own keying has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError
from ...core.layers import LayerStack, nearest_key, with_neutral_key, with_pose_key, with_scalars_of, without_key
from ...core.wording import frame_text
from ..border.rigs.rig_pose import read_pose
from ..border.saved_state import LAYERS
from ..border.translation import counted_text, report_text
from ..document import scope, watched_keys
from . import layer_writer, session
from .mode import still_pose

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ..border.action_io import Clip


class ManyKeysError(MotionEditError):
    """More keys were changed than posing changes."""


def key_pose(context: Context, armature: Object, name: str, frame: float) -> str:
    """Key the rig's pose in a layer at an action frame, so that the result there is that pose."""
    clip = scope.read_clip(context, armature)
    row = row_at(clip, frame)
    pose = read_pose(armature, clip.motion)
    still_pose.put_back(clip, session.there(armature).still)
    saved = layer_writer.over_known_keys(context, armature)
    if any(each != row for each in _changed_rows(context, armature, saved)):
        saved = layer_writer.take_over(context, armature, saved)

    def key(stack: LayerStack) -> LayerStack:
        return with_pose_key(stack, name, row, with_scalars_of(pose, stack.base))

    layer_writer.carry_out(context, armature, saved, key, active=name, changed=True)
    return f"Keyed layer '{name}' at frame {frame_text(frame)}"


def key_neutral(context: Context, armature: Object, name: str, frame: float) -> str:
    """Key no change in a layer at an action frame."""

    def key(stack: LayerStack) -> LayerStack:
        row = np.abs(stack.base.times * stack.base.rate - frame).argmin()
        return stack.changed(name, lambda layer: with_neutral_key(layer, stack.base, int(row)))

    layer_writer.change(context, armature, key, active=name)
    return f"Layer '{name}' changes nothing at frame {frame_text(frame)}"


def unkey(context: Context, armature: Object, name: str, frame: float) -> str:
    """Take the key at an action frame out of a layer."""

    def take_out(stack: LayerStack) -> LayerStack:
        return stack.changed(name, lambda layer: without_key(layer, nearest_key(layer, frame, stack.base.rate)))

    layer_writer.change(context, armature, take_out, active=name)
    return f"Took the key at frame {frame_text(frame)} out of layer '{name}'"


def take_up(context: Context, armature: Object, name: str, *, most: int = 10**6) -> int:
    """Take keys that were set or changed since the layers were last written into a layer; gives their frames.

    Args:
        context: Blender's.
        name: The layer that takes them.
        most: With more frames than this nothing is done.

    Raises:
        ManyKeysError: There are more.
    """
    saved = layer_writer.over_known_keys(context, armature)
    clip = scope.read_clip(context, armature)
    still_pose.put_back(clip, saved.still)
    rows: list[int] = []

    def key(stack: LayerStack) -> LayerStack:
        rows.extend(_rows_of_new_keys(context, clip, stack, armature))
        if len(rows) > most:
            told = "Keys were changed at {frames}"
            raise ManyKeysError(report_text(told, frames=counted_text(len(rows), "frame")))
        # What was read before: `stack` stands over keys that are exchanged while it is looked at.
        for row in rows:
            stack = with_pose_key(stack, name, row, with_scalars_of(clip.motion.part(row, row + 1), stack.base))
        return stack

    layer_writer.carry_out(context, armature, saved, key, active=name, changed=True)
    return len(rows)


def row_at(clip: Clip, frame: float) -> int:
    """The sample at an action frame.

    Raises:
        MotionEditError: The motion has none there.
    """
    row = int(np.abs(clip.frames - frame).argmin())
    if abs(clip.frames[row] - frame) > 0.5 + 1e-6:
        frames = scope.to_scene(clip.armature, np.array([frame, *clip.frames[[0, -1]]]))
        shown, first, last = (frame_text(each) for each in frames.tolist())
        raise MotionEditError(f"Frame {shown} lies outside of the motion, which goes from {first} to {last}")
    return row


def _changed_rows(context: Context, armature: Object, saved: session.LayerSession) -> list[int]:
    """Samples at which something else has changed keys since the layers were last written; the keys stay."""
    if watched_keys.state(armature, LAYERS, exact=True) is not watched_keys.State.CHANGED:
        return []
    now = scope.read_clip(context, armature)
    with layer_writer.keys_below(context, armature, saved) as below:
        return _rows_of_new_keys(context, now, LayerStack(below.motion, saved.layers), armature)


def _rows_of_new_keys(context: Context, now: Clip, stack: LayerStack, armature: Object) -> list[int]:
    """Samples at which curves have other keys than the layers give them."""
    layer_writer.write(scope.read_clip(context, armature), stack, layer_writer.options_of(armature))
    written = scope.read_clip(context, armature)
    frames: set[float] = set()
    for curve, keys in now.keys.items():
        known = {tuple(key) for key in written.keys.get(curve, np.empty((0, 2))).tolist()}
        frames |= {frame for frame, value in keys.tolist() if (frame, value) not in known}
    inside = [frame for frame in sorted(frames) if now.frames[0] <= frame <= now.frames[-1]]
    return sorted({int(np.abs(now.frames - frame).argmin()) for frame in inside})
