"""Something that carries characters, and where they are then: for tests of edits in the scene."""

from __future__ import annotations

import bpy
import numpy as np
from motion_editing.motion_editing_addon.document import scope


def carrier(*, scale: float = 1.0, name: str = "Carrier"):
    """An empty that goes and turns."""
    thing = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(thing)
    thing.scale = (scale,) * 3
    for frame, place, turn in ((1, (1.0, 0.0, 0.2), 0.0), (60, (2.0, 1.0, 0.5), 1.2), (120, (0.0, 3.0, 0.1), -0.5)):
        thing.location, thing.rotation_euler = place, (0.1 * turn, 0.0, turn)
        for channel in ("location", "rotation_euler"):
            thing.keyframe_insert(channel, frame=frame)
    return thing


def shown(armature, bone, frame=None):
    """Where Blender has the head of a bone, now or at a frame."""
    if frame is not None:
        bpy.context.scene.frame_set(frame)
    bpy.context.view_layer.update()
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(posed.matrix_world @ posed.pose.bones[bone].head)


def seen_clip(armature):
    """The armature's action as it is seen."""
    from motion_editing.motion_editing_addon.border.steps import finish
    from motion_editing.motion_editing_addon.constraints.solve.seen import as_seen

    return finish(as_seen(scope.read_clip(bpy.context, armature)))
