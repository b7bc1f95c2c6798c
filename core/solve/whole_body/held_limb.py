"""Which limb holds which contact."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...body import Body, Limb
from ...motion import GlobalPoses, Mask, Motion, Skeleton
from ...numerics import Array, quaternion
from .. import limb_ik

# What a joint counts for at which the limb is straight or bent to both sides, beside the sine of a bend.
_UNCLEAR = 0.1
# Radians that a joint turns at least that is no part of the body.
_STIFF = 0.005
# Sine of a bend to the other side that capture may show of a knee that cannot bend there.
_CAPTURED_BACKWARDS = 0.1


@dataclass(frozen=True)
class HeldLimb:
    """A limb with contacts at its end.

    Attributes:
        end: Hand or foot, or the control that places it.
        joints: Upper joint, lower joint and end of the limb; None where the end is a control of its own.
        holds_end: The end itself (ankle, wrist) was looked at for contacts.
        digits: Joints of toes or fingers that were looked at.
        is_leg: The limb stands on the ground.
    """

    end: int
    joints: limb_ik.Limb | None
    holds_end: bool
    digits: tuple[int, ...]
    is_leg: bool


def held_limbs(
    body: Body, active: Mapping[int, Mask], reference: Motion, *, idle: Mask | None = None
) -> list[HeldLimb]:
    """Limbs whose end, toes or fingers are in contact in some frame, as far as limb IK or a control can move them.

    Args:
        body: The limbs.
        active: By joint that was looked at, (F,) frames in contact.
        reference: Shows where limbs bend, and to which side.
        idle: (J,) joints of which limbs without any contact are found, too.
    """
    listed = set(active)
    found = []
    for limb in body.limbs:
        if limb.end is None:
            continue
        below = set(body.skeleton.descendants(limb.end))
        digits = tuple(joint for digit in limb.digits for joint in digit if joint in listed & below)
        touching = [active[joint] for joint in listed.intersection((limb.end, *digits))]
        frames = np.any([np.zeros(len(reference), dtype=np.bool_), *touching], axis=0)
        if not (frames.any() or (idle is not None and idle[list(limb.chain)].all())):
            continue
        joints = solvable(body.skeleton, limb, reference.poses, frames if frames.any() else None)
        if joints is not None:
            joints = _with_hinge(joints, reference.poses, is_leg=limb.kind.is_leg)
        if joints is not None or _has_control(body.skeleton, limb):
            found.append(HeldLimb(limb.end, joints, limb.end in listed, digits, limb.kind.is_leg))
    return found


def _with_hinge(joints: limb_ik.Limb, poses: GlobalPoses, *, is_leg: bool) -> limb_ik.Limb:
    """The limb with the axis about which it bends; knees do not bend backwards unless they do so all along."""
    upper, lower, end = (poses.positions[:, joint] for joint in (joints.upper, joints.lower, joints.end))
    bends = _bends(lower, poses.rotations[:, joints.lower], upper, end)
    x, y, z = (float(part) for part in bends.mean(axis=0))
    forwards = is_leg and _least_bend(bends) > -_CAPTURED_BACKWARDS
    return replace(joints, hinge=(x, y, z), bend=limb_ik.BendRange() if forwards else None)


def _has_control(skeleton: Skeleton, limb: Limb) -> bool:
    """The limb's end can be put anywhere by its own location, and the rig brings the limb there."""
    if limb.end is None or limb.end_is_in_chain or skeleton.connected[limb.end]:
        return False
    return not set(limb.chain) & set(skeleton.ancestors(limb.end))


def solvable(
    skeleton: Skeleton, limb: Limb, poses: GlobalPoses | None = None, frames: Mask | None = None
) -> limb_ik.Limb | None:
    """The limb's joints for limb IK; None if its end is a control of its own or it has no middle joint.

    Args:
        skeleton: The limb's skeleton.
        poses: Show where a limb of more than two bones bends; without them the most even parting counts.
        frames: (F,) the poses that count; all if not given.
    """
    if limb.end is None or not limb.end_is_in_chain:
        return None
    chain = limb.chain[: limb.chain.index(limb.end) + 1]
    if len(chain) < 3:
        return None
    looked_at: Mask | slice = slice(None) if frames is None else frames
    if poses is not None and len(chain) > 3:
        chain = _from_first_that_turns(skeleton, chain, poses)
    joints = limb_ik.Limb(chain[0], _middle(skeleton, chain, poses, looked_at), limb.end)
    return joints if _turns_as_one(skeleton, joints) else None


def _from_first_that_turns(skeleton: Skeleton, chain: tuple[int, ...], poses: GlobalPoses) -> tuple[int, ...]:
    """The chain without joints at its beginning that are as stiff as the body; at least three joints are left."""
    turns = [_turns(skeleton, joint, poses) for joint in chain[:-2]]
    return chain[turns.index(True) if True in turns else 0 :]


def _turns(skeleton: Skeleton, joint: int, poses: GlobalPoses) -> bool:
    """Whether a joint turns against its parent."""
    own, parent = poses.rotations[:, joint], int(skeleton.parents[joint])
    if parent >= 0:
        own = quaternion.multiply(quaternion.conjugate(poses.rotations[:, parent]), own)
    return float(quaternion.angle_between(own, own[0]).max(initial=0.0)) > _STIFF


def _middle(skeleton: Skeleton, chain: tuple[int, ...], poses: GlobalPoses | None, frames: Mask | slice) -> int:
    """The joint of a chain that parts it evenly and at which it is clearly bent to one side all the time.

    The more evenly, the further the limb can fold and stretch. But where the limb sways from one
    side to the other, as a horse's fore leg does at the knee, more bend would flip its side.
    """
    places = skeleton.rest_positions[list(chain)]
    to_upper, to_end = (np.linalg.norm(places[1:-1] - place, axis=1) for place in (places[0], places[-1]))
    value = np.minimum(to_upper, to_end)
    if poses is not None and len(chain) > 3:
        positions, rotations = poses.positions[frames], poses.rotations[frames]
        ends = positions[:, chain[0]], positions[:, chain[-1]]
        bends = [_least_bend(_bends(positions[:, joint], rotations[:, joint], *ends)) for joint in chain[1:-1]]
        value *= _UNCLEAR + np.maximum(bends, 0.0)
    return chain[1 + int(np.argmax(value))]


def _bends(place: Array, orientation: Array, upper: Array, end: Array) -> Array:
    """(F, 3) axes in a joint's own axes about which the limb is bent there, as long as the sine of the bend."""
    bones = place - upper, end - place
    product = np.prod([np.linalg.norm(bone, axis=1) for bone in bones], axis=0)
    normals = np.cross(*bones) / np.where(product > 0.0, product, 1.0)[:, None]
    return quaternion.rotate(quaternion.conjugate(orientation), normals)


def _least_bend(bends: Array) -> float:
    """Sine of a joint's bend to the usual side that most frames exceed; below 0 where both sides are usual."""
    usual = bends.mean(axis=0)
    sines = bends @ (usual / max(float(np.linalg.norm(usual)), 1e-300))
    return float(np.percentile(sines, 10.0))


def _turns_as_one(skeleton: Skeleton, joints: limb_ik.Limb) -> bool:
    """Every joint between the limb's first and its end follows the limb's rotation."""
    above = skeleton.ancestors(joints.end)
    if joints.lower not in above or joints.upper not in above:
        return False
    between = [joint for joint in above[: above.index(joints.upper)] if joint != joints.lower]
    return all(bool(skeleton.inherits_rotation[joint]) for joint in between)
