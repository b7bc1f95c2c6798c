"""Between the channels of BVH joints and the rotations and locations of a motion.

A BVH joint has no rest orientation: its axes at rest are the world's. Position channels
are absolute in the parent's axes and replace the OFFSET, as Blender takes them.
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..motion import Motion, Skeleton
from ..numerics import Array, from_euler, quaternion, to_euler
from ..wording import counted
from .bvh_hierarchy import BvhJoint, unique_names

# A joint gets position channels if it leaves its OFFSET by more than this part of the
# motion's extent: well above rounding, far below anything visible.
_MOVES = 1e-9
# Steps of time that differ by less than this part of a step count as even.
_EVEN = 1e-6
# Positions below this part of the OFFSET's length are zero in rounded numbers.
_COLLAPSED = 1e-3
# Scales nearer to one than this are rounding of animation curves.
_SCALED = 1e-6


def skeleton_of(joints: tuple[BvhJoint, ...]) -> Skeleton:
    """Rest pose from the OFFSETs, all axes the world's; tips from End Sites or children."""
    places: list[Any] = []
    children: list[list[Any]] = [[] for _ in joints]
    for joint in joints:
        offset = np.array(joint.offset)
        places.append(offset if joint.parent < 0 else places[joint.parent] + offset)
        if joint.parent >= 0:
            children[joint.parent].append(offset)
    tips = [
        joint.end_site or (np.mean(below, axis=0) if below else np.zeros(3))
        for joint, below in zip(joints, children, strict=True)
    ]
    parents = [joint.parent for joint in joints]
    return Skeleton.build([joint.name for joint in joints], parents, places, tips=tips)


def rotations_of(joints: tuple[BvhJoint, ...], values: Array) -> Array:
    """(F, J, 4) quaternions; joints of one channel order are converted together."""
    angles = np.radians(_channels_by_axis(joints, values, "rotation"))
    rotations = np.empty((4, len(joints), len(values))).T
    orders = np.array([_euler_order(joint) for joint in joints])
    for order in np.unique(orders):
        chosen = np.flatnonzero(orders == order)
        rotations[:, chosen] = from_euler(angles[:, chosen], str(order))
    return rotations


def locations_of(joints: tuple[BvhJoint, ...], values: Array) -> Array:
    """(F, J, 3) offsets from the rest place; an axis without a channel stays there."""
    offsets: Array = np.array([joint.offset for joint in joints])
    return _channels_by_axis(joints, values, "position", missing=offsets) - offsets


def collapsed_joints(joints: tuple[BvhJoint, ...], values: Array) -> int:
    """Count the joints below a root that their position channels keep on their parents.

    Such files mean positions relative to the OFFSET, which nothing in them says.
    """
    count = column = 0
    for joint in joints:
        moved = [column + n for n, channel in enumerate(joint.channels) if channel.endswith("position")]
        column += len(joint.channels)
        if len(moved) == 3 and joint.parent >= 0:
            count += bool(np.abs(values[:, moved]).max() < _COLLAPSED * math.hypot(*joint.offset))
    return count


def _channels_by_axis(joints: tuple[BvhJoint, ...], values: Array, kind: str, *, missing: Any = 0.0) -> Array:
    """(F, J, 3) channels of a kind sorted to x, y, z."""
    sorted_channels = np.empty((3, len(joints), len(values))).T
    sorted_channels[:] = missing
    names = [(index, channel) for index, joint in enumerate(joints) for channel in joint.channels]
    for column, (index, channel) in enumerate(names):
        if channel[1:] == kind:
            sorted_channels[:, index, "XYZ".index(channel[0])] = values[:, column]
    return sorted_channels


def _euler_order(joint: BvhJoint) -> str:
    """BVH lists the axis that is applied last first. An axis without a channel does not turn."""
    listed = "".join(channel[0] for channel in joint.channels if channel.endswith("rotation"))
    absent = "".join(axis for axis in "XYZ" if axis not in listed)
    return (listed + absent)[::-1]


def channels_of(motion: Motion, euler_order: str) -> tuple[tuple[BvhJoint, ...], Array]:
    """Joints in BVH's order and their values (F, channels), for any rest pose and inheritance."""
    skeleton = motion.skeleton
    order = _depth_first(skeleton)
    rotations, positions = _in_world_axes(motion)
    angles = np.degrees(to_euler(rotations, euler_order))
    offsets = _offsets(skeleton)
    reach = np.abs(positions).max() + np.abs(offsets).max()
    moves = np.abs(positions - offsets).max(axis=(0, 2)) > _MOVES * reach
    turned = [f"{axis}rotation" for axis in reversed(euler_order)]
    axes = ["XYZ".index(axis) for axis in reversed(euler_order)]
    joints, columns = [], []
    for joint in order:
        moved = ["Xposition", "Yposition", "Zposition"] if moves[joint] or skeleton.parents[joint] < 0 else []
        joints.append(_joint(skeleton, joint, offsets[joint], (*moved, *turned)))
        columns += [positions[:, joint]] * bool(moved) + [angles[:, joint][:, axes]]
    return _linked(joints, order, skeleton), np.concatenate(columns, axis=1)


def _depth_first(skeleton: Skeleton) -> list[int]:
    """Joints so that each is directly followed by all below it."""
    order, waiting = [], [int(root) for root in reversed(skeleton.levels[0])]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(reversed(skeleton.children[order[-1]]))
    return order


def _offsets(skeleton: Skeleton) -> Array:
    """(J, 3) steps from parent to joint at rest, along the world's axes."""
    offsets = np.array(skeleton.rest_positions)
    below = skeleton.parents >= 0
    offsets[below] -= skeleton.rest_positions[skeleton.parents[below]]
    return offsets


def _in_world_axes(motion: Motion) -> tuple[Array, Array]:
    """Rotations (F, J, 4) and positions (F, J, 3) relative to the parent, rest axes the world's.

    They follow from the global poses, so switched-off inheritance and scaled parents
    end up in the right place too.
    """
    skeleton, poses = motion.skeleton, motion.poses
    turned = quaternion.multiply(poses.rotations, quaternion.conjugate(skeleton.rest_rotations))
    rotations, positions = np.array(turned), np.array(poses.positions)
    below = np.flatnonzero(skeleton.parents >= 0)
    parents = skeleton.parents[below]
    back = quaternion.conjugate(turned[:, parents])
    rotations[:, below] = quaternion.multiply(back, turned[:, below])
    steps = poses.positions[:, below] - poses.positions[:, parents]
    positions[:, below] = quaternion.rotate(back, steps)
    return rotations, positions


def _joint(skeleton: Skeleton, joint: int, offset: Array, channels: tuple[str, ...]) -> BvhJoint:
    """One joint, its parent still to be set. Braces and line breaks would end its name."""
    name = " ".join(skeleton.names[joint].replace("{", "(").replace("}", ")").split())
    x, y, z = offset.tolist()
    end = None
    if not skeleton.children[joint]:
        end_x, end_y, end_z = quaternion.rotate(skeleton.rest_rotations[joint], skeleton.tips[joint]).tolist()
        end = (end_x, end_y, end_z)
    return BvhJoint(name or "joint", -1, (x, y, z), channels, end)


def _linked(joints: list[BvhJoint], order: list[int], skeleton: Skeleton) -> tuple[BvhJoint, ...]:
    """Set parents by their new places, and names that are unique."""
    place = {-1: -1} | {joint: number for number, joint in enumerate(order)}
    parents = [place[int(skeleton.parents[joint])] for joint in order]
    names = unique_names(joint.name for joint in joints)
    return tuple(
        replace(joint, name=name, parent=parent) for joint, name, parent in zip(joints, names, parents, strict=True)
    )


def evenly_timed(motion: Motion) -> tuple[Motion, float]:
    """The motion at even steps of time and the step in seconds."""
    steps = np.diff(motion.times)
    if not len(steps):
        return motion, 1.0 / motion.rate
    step = float(motion.times[-1] - motion.times[0]) / len(steps)
    if abs(step * motion.rate - 1.0) <= _EVEN:
        step = 1.0 / motion.rate
    if np.abs(steps - step).max() <= _EVEN * step:
        return motion, step
    count = int(np.floor((motion.times[-1] - motion.times[0]) * motion.rate + _EVEN)) + 1
    return motion.at(motion.times[0] + np.arange(count) / motion.rate), 1.0 / motion.rate


def losses(motion: Motion) -> list[str]:
    """One line for everything in a motion that a BVH file cannot hold."""
    found = []
    scaled = int((np.abs(motion.scales - 1.0).max(axis=(0, 2), initial=0.0) > _SCALED).sum())
    if scaled:
        found.append(
            f"BVH holds no scale: that of {counted(scaled, 'joint')} shows only in the places of the joints below"
        )
    if motion.scalar_names:
        further = counted(len(motion.scalar_names), "further channel is", "further channels are")
        found.append(f"BVH holds joints alone: {further} left out")
    if evenly_timed(motion)[0] is not motion:
        found.append(f"BVH holds even steps of time: the motion was sampled {motion.rate:g} times a second")
    return found
