"""Poses as a file has them: what an action does not move stays there, whatever was played before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ...border.action_io import channels_of, key_ends
from ...border.action_io.curves.channels import TRANSFORMS, further_owners
from ...document import scope

if TYPE_CHECKING:
    from bpy.types import Object, bpy_prop_collection

Values = dict[str, np.ndarray]
# How far a pose may be from that of rest to be the same.
_AT_REST = 1e-6


class LoadedPoses:
    """Where the armatures of a file are, their bones and the shape keys of their meshes."""

    def __init__(self) -> None:
        """Remember how it is now; to be called before an action is played."""
        armatures = [each for each in bpy.data.objects if scope.is_armature(each) and each.library is None]
        self._armatures = {each.name: _values(each.pose.bones, TRANSFORMS) for each in armatures}
        self._objects = {each.name: [tuple(getattr(each, name)) for name in TRANSFORMS] for each in armatures}
        shapes = {keys.name: keys for each in armatures for keys in further_owners(each)}
        self._shapes = {name: _values(keys.key_blocks, ("value",)) for name, keys in shapes.items()}

    def restore(self) -> None:
        """Put everything there again; what an action moves follows it as soon as it is played."""
        for name, values in self._armatures.items():
            armature = bpy.data.objects.get(name)
            if armature is not None:
                _set(armature.pose.bones, values)
                for transform, value in zip(TRANSFORMS, self._objects[name], strict=True):
                    setattr(armature, transform, value)
                armature.update_tag()
        for name, values in self._shapes.items():
            if name in bpy.data.shape_keys:
                _set(bpy.data.shape_keys[name].key_blocks, values)


def _values(things: bpy_prop_collection[Any], names: tuple[str, ...]) -> Values:
    found = {}
    for name in names if len(things) else ():
        found[name] = np.empty(len(things) * np.size(getattr(things[0], name)), np.float32)
        things.foreach_get(name, found[name])
    return found


def _set(things: bpy_prop_collection[Any], values: Values) -> None:
    for name, array in values.items():
        if len(things) * np.size(getattr(things[0], name)) == len(array):
            things.foreach_set(name, array)


def key_the_unmoved(armature: Object) -> None:
    """Give keys to what its action leaves in another pose than that of rest, in which Blender's glTF writer puts it."""
    channels, ends = channels_of(armature), key_ends(armature)
    assert ends is not None  # its action was read before
    for bone, properties in zip(armature.pose.bones, channels.joints[1:], strict=True):
        if np.abs(np.array(bone.matrix_basis) - np.eye(4)).max() < _AT_REST:
            continue
        for prop in properties:
            for index, curve in enumerate(channels.of(prop)):
                if curve is None:
                    armature.keyframe_insert(prop.path, index=index, frame=ends[0])
