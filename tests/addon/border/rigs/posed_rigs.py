"""Rigs in random poses: their channels as a motion, and what Blender makes of them."""

from __future__ import annotations

from collections.abc import Iterable

import bpy
import numpy as np
from motion_editing.core.motion import Motion, Skeleton
from motion_editing.core.numerics import quaternion, rotation_channels
from motion_editing.core.rig import Rig, RigPoses
from motion_editing.motion_editing_addon.border.rigs.rig_model import rig_of


def random_poses(
    rig: bpy.types.Object, bones: Iterable[bpy.types.PoseBone], *, frames: int, amount: float, seed: int = 0
) -> tuple[Motion, np.ndarray]:
    """Channels of all bones, some of them turned and moved by chance, and (F, J, 4, 4) what Blender shows."""
    chosen, rng = list(bones), np.random.default_rng(seed)
    size = max((bone.bone.head_local - bone.bone.tail_local).length for bone in rig.pose.bones)
    poses, shown = [], []
    for _frame in range(frames):
        for bone in chosen:
            _pose(bone, rng, amount, amount * 0.1 * size)
        poses.append(_channels(rig))
        shown.append(_shown(rig))
    turns, places, sizes = (np.array(each) for each in zip(*poses, strict=True))
    names = ["", *rig.pose.bones.keys()]
    skeleton = Skeleton.build(names, [-1, *[0] * (len(names) - 1)], np.zeros((len(names), 3)))
    return Motion.build(skeleton, turns, rate=24.0, locations=places, scales=sizes), np.array(shown)


def _pose(bone: bpy.types.PoseBone, rng: np.random.Generator, amount: float, way: float) -> None:
    vector = rng.normal(size=3) * amount
    if bone.rotation_mode == "QUATERNION":
        bone.rotation_quaternion = quaternion.exp(vector)
    elif len(bone.rotation_mode) == 3:
        bone.rotation_euler = np.where(bone.lock_rotation, 0.0, vector)
    bone.location = np.where(bone.lock_location, 0.0, rng.normal(size=3) * way)


def _channels(rig: bpy.types.Object) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    bones = rig.pose.bones
    turns = [
        quaternion.normalize(np.array(bone.rotation_quaternion))
        if bone.rotation_mode == "QUATERNION"
        else rotation_channels.from_euler(np.array(bone.rotation_euler), bone.rotation_mode)
        for bone in bones
    ]
    places, sizes = ([tuple(getattr(bone, name)) for bone in bones] for name in ("location", "scale"))
    return np.array([(1, 0, 0, 0), *turns]), np.array([(0, 0, 0), *places]), np.array([(1, 1, 1), *sizes])


def _shown(rig: bpy.types.Object) -> np.ndarray:
    rig.update_tag(refresh={"OBJECT", "DATA"})
    bpy.context.view_layer.update()
    seen = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    flat = np.empty(16 * len(seen), dtype=np.float32)
    seen.foreach_get("matrix", flat)
    return np.concatenate([np.eye(4)[None], flat.reshape(-1, 4, 4).transpose(0, 2, 1)])


def largest_error(rig: bpy.types.Object, motion: Motion, shown: np.ndarray) -> tuple[float, str, Rig]:
    """How far core is off anywhere, in places or tips of axes of a tenth of a unit; which bone; and the rig."""
    model = rig_of(rig)
    found = RigPoses(model, motion, range(1, len(model.names)))
    away = [np.abs(found[joint] - shown[:, joint]) for joint in range(1, len(model.names))]
    errors = [max(each[:, :3, 3].max(), 0.1 * each[:, :3, :3].max()) for each in away]
    worst = int(np.argmax(errors))
    return errors[worst], model.names[worst + 1], model
