"""Figures of control rigs, whose joints are where constraints put them, not where their channels alone would."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np

if TYPE_CHECKING:
    from bpy.types import Object, PoseBone

# Places (N, 3), and the number of the place from which the line to each comes, -1 for none.
Bones = tuple[np.ndarray, np.ndarray]


class PosedFigure:
    """The rig as Blender poses it: looked at once for every frame, before a preview poses it differently."""

    def __init__(self, armature: Object) -> None:
        """Look at the present pose."""
        self._armature = armature
        self._numbers, _parents = drawn_bones(armature)
        self._frame: float | None = None
        self._places = np.empty((0, 3))
        self(0.0)

    def __call__(self, _time: float) -> Bones:
        """Heads and tips of the bones at the scene's frame."""
        frame = bpy.context.scene.frame_current_final
        if frame != self._frame:
            self._frame, self._places = frame, self._look()
        count = len(self._numbers)
        return self._places, np.concatenate([np.full(count, -1), np.arange(count)])

    def _look(self) -> np.ndarray:
        # What was evaluated last: a preview's pose has been set by now, but is not evaluated yet.
        posed = self._armature.evaluated_get(bpy.context.view_layer.depsgraph)
        places = np.empty((2, len(posed.pose.bones) * 3), dtype=np.float32)
        for name, values in zip(("head", "tail"), places, strict=True):
            posed.pose.bones.foreach_get(name, values)
        chosen = places.reshape(2, -1, 3)[:, self._numbers].reshape(-1, 3)
        world = np.array(posed.matrix_world)
        placed: np.ndarray = chosen @ world[:3, :3].T + world[:3, 3]
        return placed


class SampledFigure:
    """The rig where it was sampled: heads of bones, with lines to those of their children."""

    def __init__(self, armature: Object, times: np.ndarray, positions: np.ndarray) -> None:
        """Take places (F, J, 3) at times (F,) in seconds; joint 0 is the object."""
        numbers, self._parents = drawn_bones(armature)
        self._times, self._places = times, positions[:, numbers + 1]

    def __call__(self, time: float) -> Bones:
        """Heads of the bones at a time; between samples on the straight way."""
        row = float(np.interp(time, self._times, np.arange(len(self._times))))
        before = min(int(row), len(self._times) - 1)
        after = min(before + 1, len(self._times) - 1)
        share = row - before
        return (1.0 - share) * self._places[before] + share * self._places[after], self._parents


def drawn_bones(armature: Object) -> tuple[np.ndarray, np.ndarray]:
    """Numbers (N,) of the bones that move the character's skin, all of them if none does, and their parents (N,).

    A parent is the next bone above that is drawn too, as its place among these; -1 for none.
    """
    bones = list(armature.pose.bones)
    drawn = [bone for bone in bones if bone.bone.use_deform] or bones
    place = {bone.name: number for number, bone in enumerate(drawn)}
    numbers = [number for number, bone in enumerate(bones) if bone.name in place]
    return np.array(numbers), np.array([_place_above(bone, place) for bone in drawn])


def _place_above(bone: PoseBone, place: dict[str, int]) -> int:
    return next((place[above.name] for above in bone.parent_recursive if above.name in place), -1)
