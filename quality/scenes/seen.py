"""Figures recorded as Blender evaluates them."""

from __future__ import annotations

import bpy
import numpy as np

from ..figures import Figure, figure_of
from ..recording import Recording
from . import characters, curves

CLOCK = "judge_clock"


def figure_in(armature: bpy.types.Object) -> Figure:
    """The figure inside an armature: its deforming bones, where a control rig has those apart."""
    bones = armature.data.bones
    parents = {bone.name: bone.parent.name if bone.parent else "" for bone in bones}
    deforming = {bone.name for bone in bones if bone.use_deform}
    return figure_of(parents, deforming if len(deforming) < len(bones) else ())


def record(armature: bpy.types.Object, figure: Figure, frames: np.ndarray) -> Recording:
    """Play the scene and note where every bone of the figure is."""
    scene, bones = bpy.context.scene, armature.pose.bones
    chosen = np.array([bones.find(name) for name in figure.bones])
    matrices, tips = np.empty((len(frames), len(chosen), 4, 4)), np.empty((len(frames), len(chosen), 3))
    clock, feet = np.empty(len(frames)), characters.sole_vertices(armature, figure)
    soles = np.empty((len(frames), len(feet)))
    flat, ends = np.empty(16 * len(bones), np.float32), np.empty(3 * len(bones), np.float32)
    now = scene.frame_current
    for row, frame in enumerate(frames.tolist()):
        scene.frame_set(int(frame))
        seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        world = np.array(seen.matrix_world)
        seen.pose.bones.foreach_get("matrix", flat)
        seen.pose.bones.foreach_get("tail", ends)
        matrices[row] = world @ flat.reshape(-1, 4, 4).swapaxes(1, 2)[chosen]
        tips[row] = ends.reshape(-1, 3)[chosen] @ world[:3, :3].T + world[:3, 3]
        clock[row] = seen.get(CLOCK, frame)
        if feet:
            soles[row] = characters.lowest_of(armature, feet)
    scene.frame_set(now)
    rate = scene.render.fps / scene.render.fps_base
    return Recording(figure, frames, rate, matrices, tips, height_of(armature, figure), clock, soles)


def height_of(armature: bpy.types.Object, figure: Figure) -> float:
    """How tall the figure is in its rest pose, in units of the scene; of what lies flat, a third of its length."""
    bones = armature.data.bones
    places = np.array([point for name in figure.bones for point in (bones[name].head_local, bones[name].tail_local)])
    world = places @ np.array(armature.matrix_world)[:3, :3].T
    extent = np.ptp(world, axis=0)
    return float(max(extent[2], extent.max() / 3.0))


def set_clock(armature: bpy.types.Object, *, is_sparse: bool) -> None:
    """Key a property of the object that tells the time: what an edit of time does to it is the time map.

    Where an animator set few keys, it is keyed where most of them are: between keys nothing else tells the time.
    """
    first, last = curves.ends(armature)
    armature[CLOCK] = 0.0
    frames = np.arange(first, last + 1, dtype=float)
    if is_sparse:
        rows = [keys[:, 0] for keys, _rest in curves.all_keys(armature).values()]
        found, counts = np.unique(np.concatenate(rows), return_counts=True)
        frames = found[(counts > 0.4 * len(rows)) | (found == first) | (found == last)]
    curves.new_curves(armature, f'["{CLOCK}"]', frames, frames[:, None])
