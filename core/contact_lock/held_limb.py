"""Which limb holds which contact."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .. import limb_ik
from ..body import Body, Limb
from ..skeleton import Skeleton
from .windows import Mask


@dataclass(frozen=True)
class HeldLimb:
    """A limb with contacts at its end.

    Attributes:
        joints: Upper joint, lower joint and end of the limb.
        holds_end: The end itself (ankle, wrist) was looked at for contacts.
        digits: Joints of toes or fingers that were looked at.
        is_leg: The limb stands on the ground.
    """

    joints: limb_ik.Limb
    holds_end: bool
    digits: tuple[int, ...]
    is_leg: bool


def held_limbs(body: Body, active: Mapping[int, Mask]) -> list[HeldLimb]:
    """Limbs whose end, toes or fingers are in contact in some frame, as far as limb IK can move them.

    Args:
        body: The limbs.
        active: By joint that was looked at, (F,) frames in contact.
    """
    listed = set(active)
    found = []
    for limb in body.limbs:
        joints = solvable(body.skeleton, limb)
        if joints is None:
            continue
        below = set(body.skeleton.descendants(joints.end))
        digits = tuple(joint for digit in limb.digits for joint in digit if joint in listed & below)
        if any(active[joint].any() for joint in listed.intersection((joints.end, *digits))):
            found.append(HeldLimb(joints, joints.end in listed, digits, limb.kind.is_leg))
    return found


def solvable(skeleton: Skeleton, limb: Limb) -> limb_ik.Limb | None:
    """The limb's joints for limb IK; None if its end is a control of its own or it has no middle joint."""
    if limb.end is None or not limb.end_is_in_chain:
        return None
    chain = limb.chain[: limb.chain.index(limb.end) + 1]
    if len(chain) < 3:
        return None
    joints = limb_ik.Limb(chain[0], _middle(skeleton, chain), limb.end)
    return joints if _turns_as_one(skeleton, joints) else None


def _middle(skeleton: Skeleton, chain: tuple[int, ...]) -> int:
    """The joint of a chain that parts it most evenly, so that the limb can fold and stretch most."""
    places = skeleton.rest_positions[list(chain)]
    to_upper, to_end = (np.linalg.norm(places[1:-1] - place, axis=1) for place in (places[0], places[-1]))
    return chain[1 + int(np.argmax(np.minimum(to_upper, to_end)))]


def _turns_as_one(skeleton: Skeleton, joints: limb_ik.Limb) -> bool:
    """Every joint between the limb's first and its end follows the limb's rotation."""
    above = skeleton.ancestors(joints.end)
    if joints.lower not in above or joints.upper not in above:
        return False
    between = [joint for joint in above[: above.index(joints.upper)] if joint != joints.lower]
    return all(bool(skeleton.inherits_rotation[joint]) for joint in between)
