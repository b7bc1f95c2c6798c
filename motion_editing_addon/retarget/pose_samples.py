"""Poses of rigs whose constraints and drivers move them elsewhere than their channels say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.numerics import quaternion
from ..border.hidden_objects import moving

if TYPE_CHECKING:
    from bpy.types import Object, Scene

    from ..border.steps import Steps


def sample_poses(scene: Scene, armature: Object, frames: np.ndarray) -> Steps[tuple[np.ndarray, np.ndarray]]:
    """Step through scene frames, yield the share done, return what Blender shows.

    That is (F, J, 3) places and (F, J, 4) orientations in the scene, joint 0 the object. The scene's
    frame is restored at the end, also when the caller closes the generator early.
    """
    before = scene.frame_current, scene.frame_subframe
    matrices = np.empty((len(frames), len(armature.pose.bones) + 1, 4, 4))
    with moving(armature, armature.pose.bones.keys()):
        try:
            for done, frame in enumerate(frames):
                whole = int(np.floor(frame))
                scene.frame_set(whole, subframe=float(frame - whole))
                matrices[done] = _matrices(armature)
                yield (done + 1) / len(frames)
        finally:
            scene.frame_set(before[0], subframe=before[1])
    axes = matrices[..., :3, :3]
    lengths = np.linalg.norm(axes, axis=-2, keepdims=True)
    turns = quaternion.from_matrix(axes / np.where(lengths > 0.0, lengths, 1.0))
    return matrices[..., :3, 3].copy(), quaternion.sign_continuous(turns)


def _matrices(armature: Object) -> np.ndarray:
    """(J, 4, 4) of the object and its bones in the scene, as they are shown now."""
    evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    bones = np.empty(16 * len(armature.pose.bones), dtype=np.float32)
    evaluated.pose.bones.foreach_get("matrix", bones)
    world = np.array(evaluated.matrix_world)
    # Blender hands matrices out column by column.
    own = bones.reshape(-1, 4, 4).transpose(0, 2, 1)
    return np.concatenate([world[None], world @ own])
