"""Where the targets of constraints are: objects, bones of other armatures and curves, frame by frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....core.errors import MotionEditError
from ...border.curve_points import points_of
from ...border.hidden_objects import moving
from ...border.steps import Steps, finish
from .. import scope

if TYPE_CHECKING:
    from bpy.types import Object

    from ...border.action_io import Clip


class Targets:
    """Where targets are in the scene at frames of a clip; what was asked for once is kept."""

    def __init__(self, clip: Clip) -> None:
        """Nothing is looked at before it is asked for."""
        self._clip = clip
        self._known: dict[tuple[str, str], dict[int, np.ndarray]] = {}

    def matrices(self, thing: Object, bone: str, rows: np.ndarray) -> np.ndarray:
        """(N, 4, 4) an object, or a bone of it, at rows of the clip.

        Raises:
            MotionEditError: The object has no such bone.
        """
        if bone and (thing.pose is None or bone not in thing.pose.bones):
            raise MotionEditError(f"'{thing.name}' has no bone '{bone}': choose another target bone")
        if not bone and not _moves(thing):
            return np.tile(_now(thing), (len(rows), 1, 1))
        known = self._known.setdefault((thing.name_full, bone), {})
        new = [row for row in rows.tolist() if row not in known]
        frames = scope.to_scene(self._clip.armature, self._clip.frames[new])
        known.update(zip(new, finish(matrices_at(thing, bone, frames)), strict=True))
        return np.array([known[row] for row in rows.tolist()])

    def along_curve(self, curve: Object, rows: np.ndarray, start: float, end: float) -> np.ndarray:
        """(N, 3) places that go evenly along a curve, from its beginning at one frame to its end at another.

        A curve of several splines is followed along its first one; one that moves is followed as it is at each frame.
        """
        points = points_of(curve.name)
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
        share = (self._clip.frames[rows] - start) / max(end - start, 1e-9)
        places = np.stack([np.interp(share * lengths[-1], lengths, points[:, axis]) for axis in range(3)], axis=1)
        return self._carried(curve, rows, places)

    def _carried(self, thing: Object, rows: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Places (N, 3) on an object as it is now, where they are on it at the frames."""
        moves = self.matrices(thing, "", rows) @ np.linalg.pinv(np.array(thing.matrix_world))
        return (moves[:, :3, :3] @ places[:, :, None])[:, :, 0] + moves[:, :3, 3]


def _moves(thing: Object | None) -> bool:
    while thing is not None:
        simulated = thing.rigid_body is not None or thing.parent_type != "OBJECT"
        if simulated or thing.animation_data is not None or len(thing.constraints):
            return True
        thing = thing.parent
    return False


def matrices_at(thing: Object, bone: str, frames: np.ndarray) -> Steps[np.ndarray]:
    """(N, 4, 4) an object, or a bone of it, at scene frames (N,): Blender is asked one by one; its frame is restored.

    Yields the share done.
    """
    scene = bpy.context.scene
    before = scene.frame_current, scene.frame_subframe
    found = np.empty((len(frames), 4, 4))
    if not len(frames):
        return found
    with moving(thing, (bone,)):
        try:
            for row, frame in enumerate(frames):
                whole = int(np.floor(frame))
                scene.frame_set(whole, subframe=float(frame - whole))
                posed = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
                found[row] = posed.matrix_world @ posed.pose.bones[bone].matrix if bone else posed.matrix_world
                yield (row + 1) / len(frames)
        finally:
            scene.frame_set(before[0], subframe=before[1])
    return found


def _now(thing: Object) -> np.ndarray:
    """(4, 4) an object that stays where it is."""
    with moving(thing):
        return np.array(thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)
