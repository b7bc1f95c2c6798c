"""Carrying the mean and the intensity of joint rotations from one part of a motion to another.

A joint's rotations in a part are its mean, from which all of them are the least far away, and the
deviations from it as rotation vectors (pose timeline paper, 5.4). The mean is how the joint is held,
the size of the deviations how strongly it moves; each can be taken from a reference alone.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..motion import Motion, smooth
from ..numerics import Array, quaternion
from .segment import Segment, rotations_in_axes_of

# Radians below which two means are the same and a joint does not move: rounding.
_SAME, _STILL = 1e-12, 1e-9


def transfer_mean_rotation(
    motion: Motion,
    window: tuple[float, float],
    reference: Segment,
    joints: Any,
    *,
    amount: float = 1.0,
    ease: float = 0.25,
    up: Any = None,
) -> Motion:
    """Hold joints as the reference does while they move as they did.

    With means M of the window and N of the reference a rotation q becomes N M⁻¹ q.

    Args:
        window: First and last frame of the edit.
        reference: Where the mean is taken from; joints are found by their names.
        joints: (J,) true for the joints to edit.
        amount: 0 changes nothing, 1 gives the reference's mean, more exaggerates.
        ease: Share of the window, 0 to 0.5, over which the edit sets in and dies away.
        up: (3,) direction in skeleton space about which joints without a parent keep their heading;
            they are turned like the reference's, heading included, if it is not given.

    Raises:
        EmptyWindowError: The window is no part of the motion.
        SkeletonMismatchError: The reference lacks a joint.
    """

    def edited(rotations: Array, referenced: Array, weights: Array, chosen: list[int]) -> Array:
        mean, wanted = quaternion.mean(rotations), quaternion.mean(referenced)
        turn = quaternion.multiply(wanted, quaternion.conjugate(mean))
        if up is not None:
            turn = _without_heading(turn, motion, chosen, up)
        vector = quaternion.log(turn)
        vector[np.abs(vector).max(axis=-1) < _SAME] = 0.0
        vectors = (amount * weights)[:, None, None] * vector
        changed = quaternion.multiply(quaternion.exp(vectors), rotations)
        return np.where((vectors != 0.0).any(axis=-1, keepdims=True), changed, rotations)

    return _edited(motion, Segment(motion, *window), reference, joints, ease, edited)


def transfer_rotation_variance(
    motion: Motion,
    window: tuple[float, float],
    reference: Segment,
    joints: Any,
    *,
    amount: float = 1.0,
    ease: float = 0.25,
    largest: float = 4.0,
    detail: float = 0.0,
) -> Motion:
    """Move joints as strongly as the reference does about the pose in which they were held.

    Deviations from the mean are scaled by the ratio of their root mean squares in the reference and
    in the window, for each joint, at most by `largest`. A joint that does not move at all stays.

    Args:
        window: First and last frame of the edit.
        reference: Where the intensity is taken from; joints are found by their names.
        joints: (J,) true for the joints to edit.
        amount: 0 changes nothing, 1 gives the reference's intensity, more exaggerates.
        ease: Share of the window, 0 to 0.5, over which the edit sets in and dies away.
        largest: Limit of the scale, so that the noise of a joint at rest does not become a movement.
        detail: Seconds; quicker vibration is neither measured nor scaled but kept as it is. 0 scales all.

    Raises:
        EmptyWindowError: The window is no part of the motion.
        SkeletonMismatchError: The reference lacks a joint.
    """
    slow, slow_reference = (_slow(part, detail) for part in (motion, reference.motion))

    def edited(rotations: Array, referenced: Array, weights: Array, chosen: list[int]) -> Array:
        calm = slow.rotations[Segment(motion, *window).rows][:, chosen]
        mean, deviations = _deviations(calm)
        ratio = _ratio(deviations, _deviations(referenced)[1], largest)
        scales = np.maximum(1.0 + amount * weights[:, None] * (ratio - 1.0), 0.0)
        scaled = quaternion.multiply(mean, quaternion.exp(scales[..., None] * deviations))
        vibration = quaternion.multiply(quaternion.conjugate(calm), rotations)
        changed = quaternion.multiply(scaled, vibration) if detail > 0.0 else scaled
        return np.where((scales == 1.0)[..., None], rotations, quaternion.aligned(changed, rotations))

    return _edited(motion, Segment(motion, *window), replace(reference, motion=slow_reference), joints, ease, edited)


_Edit = Callable[[Array, Array, Array, list[int]], Array]


def _edited(motion: Motion, window: Segment, reference: Segment, joints: Any, ease: float, edit: _Edit) -> Motion:
    """The motion with an edit of the chosen joints' rotations inside the window."""
    chosen = np.flatnonzero(np.asarray(joints, dtype=np.bool_)).tolist()
    referenced = rotations_in_axes_of(motion.skeleton, chosen, reference)
    rotations = np.array(motion.rotations.T).T
    inside = motion.rotations[window.rows][:, chosen]
    rotations[window.rows, chosen] = edit(inside, referenced, window.ease_weights(ease), chosen)
    return replace(motion, rotations=rotations)


def _slow(motion: Motion, detail: float) -> Motion:
    return smooth(motion, radius=detail) if detail > 0.0 else motion


def _deviations(rotations: Array) -> tuple[Array, Array]:
    """Mean (K, 4) and rotation vectors (N, K, 3) that lead from it to rotations, without jumps at half a turn."""
    mean = quaternion.mean(rotations)
    from_mean = quaternion.sign_continuous(quaternion.multiply(quaternion.conjugate(mean), rotations))
    w, *vector = np.moveaxis(from_mean, -1, 0)
    sign = np.where(w.sum(axis=0) < 0.0, -1.0, 1.0)
    sine = np.sqrt(sum(part * part for part in vector))
    # Up to a whole turn to each side, so that a joint that passes half a turn goes on the same way.
    angle = 2.0 * np.arctan2(sine, sign * w)
    factor = sign * np.where(sine < 1e-12, 2.0, angle / np.where(sine < 1e-12, 1.0, sine))
    return mean, quaternion.stack(*(part * factor for part in vector))


def _ratio(deviations: Array, wanted: Array, largest: float) -> Array:
    """(K,) how many times as strong the wanted deviations are."""
    here, there = (np.sqrt((vectors**2).sum(axis=-1).mean(axis=0)) for vectors in (deviations, wanted))
    moves = here > _STILL
    ratio: Array = np.where(moves, np.minimum(there / np.where(moves, here, 1.0), largest), 1.0)
    return ratio


def _without_heading(turn: Array, motion: Motion, joints: list[int], up: Any) -> Array:
    """Turns (K, 4) of joints without a parent freed from the part about the up direction."""
    axes = quaternion.rotate(quaternion.conjugate(motion.skeleton.rest_rotations[joints]), np.asarray(up, np.float64))
    along = quaternion.dot(turn[:, 1:], axes)
    heading = quaternion.normalize(quaternion.stack(turn[:, 0], *(along * axis for axis in axes.T)))
    level = quaternion.multiply(quaternion.conjugate(heading), turn)
    top = (motion.skeleton.parents[joints] < 0)[:, None]
    return np.where(top, level, turn)
