"""How a motion lies in a BVH file: which axis points up, and in which order angles are listed."""

from collections.abc import Sequence

import numpy as np

from ..files import BvhJoint
from ..motion import Motion, turned, without_placement
from ..numerics import Array, quaternion
from .axis import Axis

# Up axes that files have, the usual one first.
_UP_AXES = (Axis.PLUS_Y, Axis.PLUS_Z, Axis.MINUS_Y, Axis.MINUS_Z, Axis.PLUS_X, Axis.MINUS_X)


def turn_to_z(up: Axis) -> Array:
    """(4,) the rotation that brings an axis to z, which points up in scenes."""
    quarter = 0.5 * np.pi * up.sign
    if up.index == 0:
        return quaternion.from_axis_angle([0.0, 1.0, 0.0], -quarter)
    return quaternion.from_axis_angle([1.0, 0.0, 0.0], quarter if up.index == 1 else 0.5 * np.pi - quarter)


def from_file_axes(motion: Motion, *, up: Axis, scale: float = 1.0) -> Motion:
    """A file's motion as scenes have it: z up.

    Args:
        motion: As the file has it.
        up: Axis of the file that points up.
        scale: Factor on all lengths.
    """
    return turned(motion, turn_to_z(up), scale=scale)


def to_file_axes(motion: Motion, *, up: Axis = Axis.PLUS_Y) -> Motion:
    """A motion of a scene as a file has it, without a joint for an object that does nothing.

    Args:
        motion: With z up.
        up: Axis of the file that shall point up; programs that read BVH expect y.
    """
    return turned(without_placement(motion), quaternion.conjugate(turn_to_z(up)))


def up_axis_like(motion: Motion, joints: Sequence[BvhJoint]) -> Axis:
    """The up axis with which the bones at rest lie as in a file.

    Args:
        motion: With z up.
        joints: Of the file; without a joint that the motion has as well, y is up.
    """
    skeleton = motion.skeleton
    known = [joint for joint in joints if joint.parent >= 0 and joint.name in skeleton.index]
    numbers = np.array([skeleton.index[joint.name] for joint in known], dtype=int)
    if not len(numbers):
        return _UP_AXES[0]
    offsets = skeleton.rest_positions[numbers] - skeleton.rest_positions[skeleton.parents[numbers]]
    wanted = np.array([joint.offset for joint in known])
    turns = [quaternion.conjugate(turn_to_z(up)) for up in _UP_AXES]
    misses = [np.abs(quaternion.rotate(turn, offsets) - wanted).sum() for turn in turns]
    return _UP_AXES[int(np.argmin(misses))]


def euler_order_like(joints: Sequence[BvhJoint]) -> str:
    """The order of application that most joints of a file have; 'XYZ' where none has three angles."""
    # Files list the axis that is applied last first.
    orders = ["".join(channel[0] for channel in joint.channels if channel.endswith("rotation")) for joint in joints]
    whole = [order[::-1] for order in orders if sorted(order) == ["X", "Y", "Z"]]
    return max(set(whole), key=lambda order: (whole.count(order), order)) if whole else "XYZ"
