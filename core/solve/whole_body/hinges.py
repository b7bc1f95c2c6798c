"""Knees and elbows: joints that bend one way, and do not bend the other way because of an edit."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...body import Body
from ...motion import GlobalPoses, Motion, with_scene_turns
from ...numerics import Array, quaternion, unit
from .held_limb import solvable

# Radians by which a joint has to bend somewhere to show about which axis it does.
_SHOWS_AXIS = 0.35
# Radians beyond what a joint did before that count as rounding.
_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class Hinge:
    """A knee or an elbow.

    Attributes:
        joints: Upper joint, the hinge itself, and the limb's end.
        axis: (3,) about which it bends, in the upper joint's own axes.
        least: Radians of its least bend; below zero where it bends the other way.
    """

    joints: tuple[int, int, int]
    axis: Array
    least: float

    @classmethod
    def of(cls, joints: tuple[int, int, int], poses: GlobalPoses) -> "Hinge | None":
        """The hinge that a motion shows; None where it is never clearly bent."""
        upper, lower = _bones(joints, poses)
        lengths = np.linalg.norm(upper, axis=1) * np.linalg.norm(lower, axis=1)
        normals = np.cross(upper, lower) / np.maximum(lengths, 1e-300)[:, None]
        own = quaternion.rotate(quaternion.conjugate(poses.rotations[:, joints[0]]), normals)
        axis = own.sum(axis=0)
        bends = np.arctan2(np.linalg.norm(normals, axis=1), (upper * lower).sum(axis=1) / np.maximum(lengths, 1e-300))
        if bends.max(initial=0.0) < _SHOWS_AXIS or np.linalg.norm(axis) < 1e-9:
            return None
        hinge = cls(joints, np.asarray(unit(axis)), 0.0)
        return cls(joints, hinge.axis, min(float(hinge.bends(poses).min()), 0.0))

    def bends(self, poses: GlobalPoses) -> Array:
        """(F,) radians by which the joint is bent about its axis; below zero the other way."""
        axis = self.scene_axis(poses)
        upper, lower = _bones(self.joints, poses)
        along = (upper * axis).sum(axis=1) * (lower * axis).sum(axis=1)
        sine = (np.cross(upper, lower) * axis).sum(axis=1)
        bends: Array = np.arctan2(sine, (upper * lower).sum(axis=1) - along)
        return bends

    def scene_axis(self, poses: GlobalPoses) -> Array:
        """(F, 3) its axis in the scene."""
        return quaternion.rotate(poses.rotations[:, self.joints[0]], self.axis)

    def kept(self, motion: Motion) -> Array | None:
        """(F, 4) rotations of the joint opened no further than before, else bit for bit; None if it never is."""
        poses, joint = motion.poses, self.joints[1]
        missing = self.least - self.bends(poses)
        chosen = missing > _ROUNDING
        if not chosen.any():
            return None
        turns = quaternion.exp(self.scene_axis(poses) * np.where(chosen, missing, 0.0)[:, None])
        turned = with_scene_turns(motion, [joint], (turns,)).rotations[:, joint]
        own = motion.rotations[:, joint]
        return np.where(chosen[:, None], quaternion.aligned(turned, own), own)


def with_hinges_kept(before: Motion, after: Motion, body: Body) -> Motion:
    """An edit in which no knee or elbow is bent the other way further than it was before; all else bit for bit."""
    changed: dict[int, Array] = {}
    for hinge in _hinges(before, body):
        if any(hinge.joints[0] in body.skeleton.descendants(joint) for joint in changed):  # a limb that carries a limb
            after, changed = _with(after, changed), {}
        rotations = hinge.kept(after)
        if rotations is not None:
            changed[hinge.joints[1]] = rotations
    return _with(after, changed) if changed else after


def _hinges(motion: Motion, body: Body) -> Iterator[Hinge]:
    for limb in body.limbs:
        joints = solvable(body.skeleton, limb)
        hinge = None if joints is None else Hinge.of((joints.upper, joints.lower, joints.end), motion.poses)
        if hinge is not None:
            yield hinge


def _with(motion: Motion, changed: dict[int, Array]) -> Motion:
    """The motion with other rotations (F, 4) of some joints."""
    rotations = np.array(motion.rotations.T).T
    for joint, own in changed.items():
        rotations[:, joint] = own
    return motion.with_rotations(rotations)


def _bones(joints: tuple[int, int, int], poses: GlobalPoses) -> tuple[Array, Array]:
    upper, middle, end = (poses.positions[:, joint] for joint in joints)
    return middle - upper, end - middle
