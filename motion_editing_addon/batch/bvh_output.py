"""BVH results: the joints, the up axis and the order of angles of the BVH file that they come from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core import quaternion
from ...core.bvh import read_joints, write_bvh
from ...core.placement import without_placement
from ...core.rest_axes import turned
from .. import scope

if TYPE_CHECKING:
    from ...core.bvh_hierarchy import BvhJoint
    from ...core.motion import Motion

_QUARTER = np.pi / 2
# From z up, as in Blender, to what files have; y up, which most have, comes first.
_TURNS = (
    quaternion.from_axis_angle([1.0, 0.0, 0.0], -_QUARTER),
    quaternion.from_axis_angle([1.0, 0.0, 0.0], 0.0),
    quaternion.from_axis_angle([1.0, 0.0, 0.0], _QUARTER),
    quaternion.from_axis_angle([1.0, 0.0, 0.0], 2 * _QUARTER),
    quaternion.from_axis_angle([0.0, 1.0, 0.0], _QUARTER),
    quaternion.from_axis_angle([0.0, 1.0, 0.0], -_QUARTER),
)


def write_active(path: Path, like: Path) -> None:
    """Write the active armature's whole action, reference frames at its start included.

    Args:
        path: The file to write.
        like: The file that the armature comes from; where it is no BVH file, y is up as is usual.
    """
    motion = without_placement(scope.read_clip(bpy.context, bpy.context.object, choice="ALL").motion)
    joints = read_joints(like) if like.suffix.lower() == ".bvh" else ()
    write_bvh(path, turned(motion, _turn(motion, joints)), euler_order=_euler_order(joints))


def _turn(motion: Motion, joints: tuple[BvhJoint, ...]) -> np.ndarray:
    """The turn that brings the bones at rest to where the file has them."""
    skeleton = motion.skeleton
    known = [joint for joint in joints if joint.parent >= 0 and joint.name in skeleton.index]
    numbers = np.array([skeleton.index[joint.name] for joint in known], dtype=int)
    if not len(numbers):
        return _TURNS[0]
    offsets = skeleton.rest_positions[numbers] - skeleton.rest_positions[skeleton.parents[numbers]]
    wanted = np.array([joint.offset for joint in known])
    misses = [np.abs(quaternion.rotate(turn, offsets) - wanted).sum() for turn in _TURNS]
    return _TURNS[int(np.argmin(misses))]


def _euler_order(joints: tuple[BvhJoint, ...]) -> str:
    """The order that most joints of the file have; files list the axis that is applied last first."""
    orders = ["".join(channel[0] for channel in joint.channels if channel.endswith("rotation")) for joint in joints]
    whole = [order[::-1] for order in orders if sorted(order) == ["X", "Y", "Z"]]
    return max(set(whole), key=lambda order: (whole.count(order), order)) if whole else "XYZ"
