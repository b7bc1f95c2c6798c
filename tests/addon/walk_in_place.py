"""A walk on the spot, what carries it along, and where its bones are seen then."""

from __future__ import annotations

import bpy
import numpy as np
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope

ROOT = "hips"


def walk_in_place() -> tuple[bpy.types.Object, np.ndarray]:
    """The sample without its way along the ground, and (F, 3) that way."""
    bpy.context.scene.render.fps = 15
    bpy.ops.motion_editing.load_sample_motion(rate=15)
    walker = bpy.context.object
    clip = scope.read_clip(bpy.context, walker)
    joint = clip.motion.skeleton.index[ROOT]
    places = clip.motion.poses.positions[:, joint]
    way = (places - places[0]) * (1.0, 1.0, 0.0)
    own = clip.motion.locations[:, joint] - way @ np.array(walker.data.bones[ROOT].matrix_local.to_3x3())
    for curve in action_io.channelbag(walker).fcurves:
        if curve.data_path == f'pose.bones["{ROOT}"].location':
            write(curve, clip.frames, own[:, curve.array_index])
    return walker, way


def write(curve: bpy.types.FCurve, frames: np.ndarray, values: np.ndarray) -> None:
    curve.keyframe_points.clear()
    curve.keyframe_points.add(len(frames))
    curve.keyframe_points.foreach_set("co", np.stack([frames, values], axis=1).astype(np.float32).ravel())
    curve.update()


def carrier(way: np.ndarray) -> bpy.types.Object:
    """An empty that goes the way, a key at every frame."""
    thing = bpy.data.objects.new("Carrier", None)
    bpy.context.collection.objects.link(thing)
    thing.keyframe_insert("location", frame=1)
    for curve in action_io.channelbag(thing).fcurves:
        write(curve, np.arange(1, len(way) + 1), way[:, curve.array_index])
    return thing


def heads(walker: bpy.types.Object, frame: int) -> dict[str, np.ndarray]:
    bpy.context.scene.frame_set(frame)
    posed = walker.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return {bone.name: np.array(posed.matrix_world @ bone.head) for bone in posed.pose.bones}
