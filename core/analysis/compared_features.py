"""What two motions show, as points that can be compared with each other."""

from collections.abc import Iterable
from typing import Any

from ..body import Body
from ..motion import Motion, joints_by_name
from ..numerics import Array
from .pose_features import feature_joints, torso_positions


def shared_features(
    motion: Motion,
    body: Body,
    reference_motion: Motion,
    *,
    reference_body: Body | None = None,
    joints: Iterable[int] | None = None,
    positions: Any = None,
    reference_positions: Any = None,
) -> tuple[Array, Array]:
    """(F, D) and (G, D) joints of two motions seen from the torso, in body heights, found by name.

    Args:
        motion: The motion that is edited.
        body: Of its skeleton; the up axis is needed.
        reference_motion: The motion that it is compared with.
        reference_body: Of the reference's skeleton if it is another one.
        joints: Joints of the first skeleton that count; `feature_joints` if not given.
        positions: (F, J, 3) if they do not follow from the motion alone.
        reference_positions: (G, K, 3) of the reference.

    Raises:
        SkeletonMismatchError: The reference lacks a joint of that name.
        MissingRoleError: An up axis is not known.
    """
    chosen = list(feature_joints(body) if joints is None else joints)
    theirs = joints_by_name(motion.skeleton, chosen, reference_motion.skeleton)
    own = _seen(motion, body, chosen, positions)
    if reference_motion is motion and reference_positions is None:
        return own, own
    return own, _seen(reference_motion, reference_body or body, theirs, reference_positions)


def _seen(motion: Motion, body: Body, joints: list[int], positions: Any) -> Array:
    places = motion.poses.positions if positions is None else positions
    return torso_positions(places, body, joints=joints).reshape(len(motion), -1)
