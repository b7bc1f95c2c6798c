"""Lowering the root where a standing leg would not reach the ground."""

from collections.abc import Sequence

import numpy as np

from ...body import Body
from ...motion import GlobalPoses, Motion, Skeleton
from ...numerics import Array, frames_within, quaternion
from .held_limb import HeldLimb
from .hold_pose import HoldPose
from .reach import NOTHING, reach_of
from .windows import within


def root_lowering(
    poses: Sequence[HoldPose],
    reference: GlobalPoses,
    edited: Motion,
    body: Body,
    *,
    fade: float,
    limit: float,
    softness: float,
) -> Array:
    """(F,) units by which the root goes down so that standing legs reach their contacts.

    It begins and ends smoothly within the fade around the frames that need it.

    Args:
        poses: What the contacts want; legs below the root count.
        reference: Poses in which the contacts are right.
        edited: Motion to correct.
        body: Its root, up axis and height are needed.
        fade: Seconds.
        limit: Body heights to which the root may go below its height in the reference. Measured
            there and not from the edit, so that a root that was lowered is not lowered again.
        softness: Of the legs' reach.

    Raises:
        MissingRoleError: Root, up axis or height is not known.
    """
    root, up = int(body.require("root")), body.require("up axis").vector
    deepest = limit * float(body.require("height"))
    legs = [pose for pose in poses if hangs_from(edited.skeleton, pose.limb, root)]
    none = np.zeros(len(edited))
    if not legs or edited.skeleton.connected[root]:
        return none
    needed = np.max([needed_lowering(pose, reference, edited, up, softness) for pose in legs], axis=0)
    rise = (edited.poses.positions[:, root] - reference.positions[:, root]) @ up
    needed = np.minimum(needed, np.maximum(rise + deepest, 0.0))
    needed = np.where(needed > NOTHING * deepest, needed, 0.0)
    return eased(needed, edited.times, fade) if needed.any() else none


def lowered(motion: Motion, root: int, amounts: Array, up: Array) -> Motion:
    """The motion with its root moved down by amounts (F,) in units of the scene."""
    return moved(motion, root, -up * amounts[:, None])


def moved(motion: Motion, joint: int, ways: Array) -> Motion:
    """The motion with a joint moved by (F, 3) ways in the scene, by its own location."""
    chosen = (ways != 0.0).any(axis=1)
    skeleton, parent = motion.skeleton, int(motion.skeleton.parents[joint])
    axes = quaternion.identity(len(motion)) if parent < 0 else motion.poses.rotations[:, parent]
    if skeleton.local_location[joint]:
        axes = quaternion.multiply(axes, skeleton.rest_offsets[0][joint])
    size = np.prod([np.ones(len(motion)), *(motion.scales[:, above, 0] for above in skeleton.ancestors(joint))], axis=0)
    shift = quaternion.rotate(quaternion.conjugate(axes), ways / size[:, None])
    locations = np.array(motion.locations.T).T
    locations[chosen, joint] += shift[chosen]
    return motion.with_locations(locations)


def hangs_from(skeleton: Skeleton, limb: HeldLimb, root: int) -> bool:
    """The limb is a leg that goes down with the root; one with a control stays where its control is."""
    return limb.is_leg and limb.joints is not None and root in skeleton.ancestors(limb.joints.upper)


def needed_lowering(pose: HoldPose, reference: GlobalPoses, edited: Motion, up: Array, softness: float) -> Array:
    """(F,) least lowering that brings a leg's contact within its reach; to its own level where none does.

    Args:
        pose: What the leg's contacts want; its limb is no control.
        reference: Legs that are straight here may be so again.
        edited: Motion to correct.
        up: (3,) away from the ground.
        softness: Of the leg's reach.
    """
    joints = pose.limb.joints
    assert joints is not None
    reach = reach_of(joints, edited.poses, reference, softness)
    reach = reach.asked_for(pose.end_place - reference.positions[:, joints.end])
    least = reach.lowering(edited.poses.positions[:, joints.upper], pose.end_place, up)
    return np.where(pose.active, least, 0.0)


def eased(needed: Array, times: Array, fade: float) -> Array:
    """(F,) a smooth curve that is nowhere below what is needed (F,) and zero beyond the fade in seconds."""
    if len(times) < 2:
        return needed
    rate = 1.0 / float(np.median(np.diff(times)))
    half = int(frames_within(0.5 * fade, frames=len(times), rate=rate, lengths=0.5) + 1e-9)
    if half == 0:
        return needed
    # The highest of a window is at least what its middle needs, and so is any mean over the window.
    padded = np.pad(needed, 2 * half, mode="edge")
    highest = _highest(padded, 2 * half + 1)
    return np.where(within(needed > 0.0, times, fade), smoothed(highest, half), 0.0)


def _highest(values: Array, window: int) -> Array:
    """(F - window + 1,) the highest value of every window, of windows that are twice as long each time."""
    length = 1
    while length < window:
        step = min(length, window - length)
        values = np.maximum(values[:-step], values[step:])
        length += step
    return values


def smoothed(values: Array, half: int) -> Array:
    """(F - 2 half,) means of values (F,) over windows of so many frames to both sides, weighted like a bell."""
    kernel = np.hanning(2 * half + 3)[1:-1]
    return np.convolve(values, kernel / kernel.sum(), mode="valid")
