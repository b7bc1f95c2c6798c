"""Bones of FBX files that leave the ends of their parents: Blender's reader ties them there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...border.action_io import bone_of_path
from ...border.action_io.curves.keys import key_count, read_keys

if TYPE_CHECKING:
    from bpy.types import Action, Object

# Share of a bone's length by which it may be off in every frame, since places are single precision.
_MISS = 1e-4


def untie_moving_bones(armatures: Iterable[Object], actions: Iterable[Action]) -> None:
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


def _farthest_places(actions: Iterable[Action]) -> dict[str, float]:
    """The largest number among the keys of each bone's location."""
    found: dict[str, float] = {}
    for action in actions:
        bags = (bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags)
        for curve in (curve for bag in bags for curve in bag.fcurves):
            bone = bone_of_path(curve.data_path)
            if bone and curve.data_path.endswith(".location") and key_count(curve):
                farthest = float(np.abs(read_keys(curve, "co")["co"][:, 1]).max())
                found[bone] = max(found.get(bone, 0.0), farthest)
    return found
