"""Bones in a row."""

from typing import Any

import numpy as np

from ...editing import Take
from ...motion import Indices, Skeleton
from ...rig import animated_joints


def depths_in_take(take: Take, *, keep_contacts: bool = False) -> Indices:
    """(J,) places of a take's joints in their chains; of a control rig those of animated controls down the body.

    If nobody picked joints, what carries the body does not count where others are in a row: its travel is not a pose.

    Args:
        keep_contacts: Then controls that place feet in contact are not late, either.
    """
    if take.order is None:
        return chain_depths(take.motion.skeleton, take.posed_joints)
    moving = animated_joints(take.motion) & np.asarray(take.joints, dtype=np.bool_)
    if take.is_picked:
        return take.order.chain_depths(moving)
    moving &= ~np.asarray(take.planted_controls, dtype=np.bool_) | (not keep_contacts)
    in_place = take.order.chain_depths(moving & take.order.in_place)
    # Hands on IK alone have nothing above them but the body.
    return in_place if in_place.any() else take.order.chain_depths(moving)


def chain_depths(skeleton: Skeleton, joints: Any) -> Indices:
    """(J,) how many chosen joints (J,) lie above each chosen joint: 0 where a chain begins, and for all others.

    Joints between them that are not chosen, such as the mechanism of a control rig, do not count.
    """
    chosen = np.asarray(joints, dtype=np.bool_)
    above = np.zeros(len(skeleton), dtype=np.intp)
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            above[joint] = above[parent] + chosen[parent]
    return np.where(chosen, above, 0)
