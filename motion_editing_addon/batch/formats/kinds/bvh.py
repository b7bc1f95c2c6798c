"""BVH: one armature with one action."""

from __future__ import annotations

from pathlib import Path

import bpy

from .....core.body import euler_order_like, to_file_axes, up_axis_like
from .....core.files import read_joints, write_bvh
from ....document import scope
from ..file_format import FileFormat
from ..scene_rate import play_at


class Bvh(FileFormat):
    """A hierarchy of joints and their angles, frame by frame."""

    name = "BVH"
    suffixes = (".bvh",)
    note = (
        "A BVH result of a BVH file has the same joints, up axis and order of angles. From other formats, y is up. "
        "Every clip has a file of its own."
    )
    holds_one_clip = True

    def load(self, path: Path) -> None:
        """Read it at its own rate."""
        bpy.ops.motion_editing.import_bvh(filepath=str(path), check_rate=False)
        settings = scope.own_action(scope.known_object(bpy.context)).motion_editing
        # The scene plays the file at its own speed, so that formats that state seconds get the right ones.
        play_at(settings.source_rate)
        # Whether its rate can be right is judged before the first edit, which needs it; results are as long as the
        # file.
        settings.examined = False

    def save(self, path: Path, like: Path) -> tuple[str, ...]:
        """Write the active armature's whole action, reference frames at its start included."""
        motion = scope.read_clip(bpy.context, scope.known_object(bpy.context), choice="ALL").motion
        joints = read_joints(like) if like.suffix.lower() in self.suffixes else ()
        content = to_file_axes(motion, up=up_axis_like(motion, joints))
        return write_bvh(path, content, euler_order=euler_order_like(joints))
