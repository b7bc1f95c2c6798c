"""FBX: armatures with any number of actions."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....border.action_io import bone_of_path
from ....border.action_io.curves.channels import all_curves
from ....border.action_io.curves.keys import key_count, read_keys
from ....document import scope
from ..file_format import FileFormat
from ..scene_rate import rate_believed

if TYPE_CHECKING:
    from bpy.types import Action, Object

# Share of a bone's length by which it may be off in every frame, since places are single precision.
_MISS = 1e-4


class Fbx(FileFormat):
    """A scene, sampled at its rate."""

    name = "FBX"
    suffixes = (".fbx",)
    note = (
        "The seconds of the file are believed. A reference pose at the start is left out of edits, as in BVH files. "
        "Bones that leave the ends of their parents, such as hips above a root, are untied from them, since Blender "
        "ignores the places of tied bones."
    )

    def load(self, path: Path) -> None:
        """Read it, and mend what Blender's reader makes of it."""
        # Not import_scene.fbx: it fails on lamps in Blender 5.0.
        known = set(bpy.data.objects), set(bpy.data.actions)
        with rate_believed():
            bpy.ops.wm.fbx_import(filepath=str(path))
        armatures = [thing for thing in bpy.data.objects if thing not in known[0] and scope.is_armature(thing)]
        actions = [action for action in bpy.data.actions if action not in known[1]]
        _untie_moving_bones(armatures, actions)
        _name_as_written(armatures, actions)

    def save(self, path: Path, like: Path) -> tuple[str, ...]:
        """Write a key on every frame."""
        bpy.ops.export_scene.fbx(
            filepath=str(path),
            add_leaf_bones=False,
            bake_anim_use_nla_strips=False,
            bake_anim_simplify_factor=0.0,
            path_mode="ABSOLUTE",  # the file is moved after it is written
        )
        return ()


def _untie_moving_bones(armatures: Iterable[Object], actions: Iterable[Action]) -> None:
    """Let bones go where their keys are; FBX knows no tied bones, and of tied ones Blender ignores places."""
    places = _farthest_places(actions)
    for armature in armatures:
        bones = armature.data.bones
        moving = [each.name for each in bones if each.use_connect and places.get(each.name, 0.0) > _MISS * each.length]
        if not moving:
            continue
        bpy.context.view_layer.objects.active = armature
        bpy.ops.object.mode_set(mode="EDIT")
        for name in moving:
            armature.data.edit_bones[name].use_connect = False
        bpy.ops.object.mode_set(mode="OBJECT")


def _name_as_written(armatures: Iterable[Object], actions: Iterable[Action]) -> None:
    """Take off the armature's name, which Blender's writer puts before each clip's and its reader leaves there.

    Only where no other action has the rest; else names grow from result to result.
    """
    prefixes = tuple(f"{armature.name}|" for armature in armatures)
    for action in actions:
        prefix = next(filter(action.name.startswith, prefixes), "")
        name = action.name.removeprefix(prefix)
        if name and name not in bpy.data.actions:
            action.name = name


def _farthest_places(actions: Iterable[Action]) -> dict[str, float]:
    """The largest number among the keys of each bone's location."""
    found: dict[str, float] = {}
    for action in actions:
        for curve in all_curves(action):
            bone = bone_of_path(curve.data_path)
            if bone and curve.data_path.endswith(".location") and key_count(curve):
                farthest = float(np.abs(read_keys(curve, "co")["co"][:, 1]).max())
                found[bone] = max(found.get(bone, 0.0), farthest)
    return found
