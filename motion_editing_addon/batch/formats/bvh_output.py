"""BVH results: the joints, the up axis and the order of angles of the BVH file that they come from."""

from __future__ import annotations

from pathlib import Path

import bpy

from ....core.body import euler_order_like, to_file_axes, up_axis_like
from ....core.files import read_joints, write_bvh
from ...document import scope


def write_active(path: Path, like: Path) -> tuple[str, ...]:
    """Write the active armature's whole action, reference frames at its start included.

    Args:
        path: The file to write.
        like: The file that the armature comes from; where it is no BVH file, y is up as is usual.

    Returns:
        What BVH could not hold.
    """
    motion = scope.read_clip(bpy.context, bpy.context.object, choice="ALL").motion
    joints = read_joints(like) if like.suffix.lower() == ".bvh" else ()
    content = to_file_axes(motion, up=up_axis_like(motion, joints))
    return write_bvh(path, content, euler_order=euler_order_like(joints))
