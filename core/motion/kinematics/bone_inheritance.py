"""Forward kinematics by matrices, for bones that do not simply follow their parent.

Reproduces how Blender combines a bone with its parent when inheriting rotation is off,
or when scale is taken over in one of the six ways that differ under non-uniform scale.
A bone has one matrix for its orientation and scale and another one for its location;
in the usual case they are the same.
"""

import numpy as np

from ...numerics import Array, quaternion, unit
from ..skeleton import InheritScale, Skeleton
from .global_poses import GlobalPoses

# Angles between axes closer to a right angle than this are not corrected.
_SHEAR_COSINE = 1e-4


def compose(skeleton: Skeleton, rotations: Array, steps: list[Array], scales: Array | None) -> GlobalPoses:
    """Global poses of every joint; `steps` are the joints' places in their parents' axes."""
    frames, joints = rotations.shape[:2]
    own = quaternion.to_matrix(rotations)
    if scales is not None:
        own = own * scales[:, :, None, :]
    rest_turn, _ = skeleton.rest_offsets
    offset_turn = quaternion.to_matrix(rest_turn)
    # Bones that do not turn with their parent keep its rest axes within what carries the skeleton.
    carrier = quaternion.conjugate(skeleton.rest_rotations[0]) if skeleton.has_placement else quaternion.IDENTITY
    rest = quaternion.to_matrix(quaternion.multiply(carrier, skeleton.rest_rotations))
    basis = np.empty((frames, joints, 3, 3))
    place = np.empty((frames, joints, 3))
    for level in skeleton.levels:
        for joint in level:
            parent = int(skeleton.parents[joint])
            if parent < 0 or (skeleton.has_placement and parent == 0):
                # What places the skeleton comes last, so that it escapes no inheritance switch.
                basis[:, joint] = offset_turn[joint] @ own[:, joint]
                place[:, joint] = steps[joint].T
                continue
            above = basis[:, parent]
            mode, with_rotation = int(skeleton.inherit_scale[joint]), bool(skeleton.inherits_rotation[joint])
            turn, after = inherited(mode, with_rotation, above, rest[parent], offset_turn[joint])
            basis[:, joint] = turn @ own[:, joint] * after[..., None, :]
            place[:, joint] = place[:, parent] + (above @ steps[joint].T.reshape(-1, 3, 1))[..., 0]
    if skeleton.has_placement:
        basis[:, 1:] = basis[:, :1] @ basis[:, 1:]
        place[:, 1:] = place[:, :1] + np.einsum("fij,fnj->fni", basis[:, 0], place[:, 1:])
    tips = place + np.einsum("fnij,nj->fni", basis, skeleton.tips)
    turns = quaternion.from_matrix(orthogonal(basis, keep_scale=False))
    return GlobalPoses(place, quaternion.sign_continuous(turns), tips)


def inherited(mode: int, with_rotation: bool, above: Array, rest_above: Array, offset: Array) -> tuple[Array, Array]:
    """Orientation and scale that a joint starts from, and the scale put on its columns afterwards.

    Args:
        mode: InheritScale of the joint.
        with_rotation: Whether it turns with its parent.
        above: (F, 3, 3) axes of its parent.
        rest_above: (3, 3) those at rest.
        offset: (3, 3) its own at rest, in those of its parent.
    """
    after = np.ones((len(above), 3))
    if with_rotation:
        frame = above
        if mode in (InheritScale.NONE, InheritScale.AVERAGE):
            frame = orthogonal(above, keep_scale=False)
        elif mode == InheritScale.ALIGNED:
            straight = orthogonal(above, keep_scale=True)
            after = _lengths(straight)
            frame = straight / after[:, None, :]
        elif mode == InheritScale.NONE_LEGACY:
            frame = above / _lengths(above)[:, None, :]
    else:
        frame = np.broadcast_to(rest_above, above.shape)
        if mode == InheritScale.FULL:
            frame = frame * _lengths(above)[:, None, :]
        elif mode == InheritScale.FIX_SHEAR:
            frame = frame * _volume_lengths(above)[:, None, :]
        elif mode == InheritScale.ALIGNED:
            after = _volume_lengths(above)
    if mode == InheritScale.AVERAGE:
        frame = frame * np.cbrt(np.abs(np.linalg.det(above)))[:, None, None]
    turned = frame @ offset
    if mode == InheritScale.FIX_SHEAR:
        turned = orthogonal(turned, keep_scale=True)
    return turned, after


def _lengths(matrices: Array) -> Array:
    """Lengths (..., 3) of the columns, one in place of zero."""
    lengths: Array = np.sqrt((matrices * matrices).sum(axis=-2))
    return np.where(lengths == 0.0, 1.0, lengths)


def _volume_lengths(matrices: Array) -> Array:
    """Column lengths, scaled so that their product is the volume in spite of shear."""
    lengths = _lengths(matrices)
    scaled: Array = lengths * np.cbrt(np.abs(np.linalg.det(matrices)) / lengths.prod(axis=-1))[..., None]
    return scaled


def orthogonal(matrices: Array, *, keep_scale: bool) -> Array:
    """Remove shear: the y column keeps its direction, x and z share the correction equally.

    With keep_scale the volume and the proportion of x to z are preserved, else all
    columns get unit length.
    """
    x, y, z = (matrices[..., column] for column in range(3))
    along = y / np.maximum((y * y).sum(axis=-1, keepdims=True), 1e-300)
    x = x - along * (x * y).sum(axis=-1, keepdims=True)
    z = z - along * (z * y).sum(axis=-1, keepdims=True)
    length_x, length_z = (np.sqrt((v * v).sum(axis=-1, keepdims=True)) for v in (x, z))
    unit_x, unit_z = x / np.maximum(length_x, 1e-300), z / np.maximum(length_z, 1e-300)
    cosine = (unit_x * unit_z).sum(axis=-1, keepdims=True)
    # The two axes of a right angle that lies symmetrically about the two given ones.
    total, difference = unit(unit_x + unit_z), unit(unit_x - unit_z)
    right_x, right_z = (total + difference) / np.sqrt(2.0), (total - difference) / np.sqrt(2.0)
    sheared = (np.abs(cosine) > _SHEAR_COSINE) & (np.abs(cosine) < 1.0 - 1e-7)
    shrink = np.where(sheared, np.sqrt(np.sqrt(np.clip(1.0 - cosine * cosine, 0.0, 1.0))), 1.0)
    unit_x, unit_z = np.where(sheared, right_x, unit_x), np.where(sheared, right_z, unit_z)
    if keep_scale:
        return np.stack([unit_x * length_x * shrink, y, unit_z * length_z * shrink], axis=-1)
    return np.stack([unit_x, unit(y), unit_z], axis=-1)
