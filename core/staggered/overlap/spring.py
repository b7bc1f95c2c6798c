"""Bones that follow the ones above them like springs: they are late, go on when these stop, and settle.

A bone's rotation in the scene is what a damped spring makes of where the animation, carried by the bones above it as
they are now, would have it. That is a linear filter: the response of the spring, one joint after the other down the
chain.
"""

from dataclasses import replace

import numpy as np

from ...motion import Indices, Motion
from ...numerics import Array, quaternion

# Part of its first swing below which a spring has settled.
_SETTLED = 0.001
# Least and most damping: 1 does not swing at all.
_LEAST_DAMPING = 0.15


def sprung(motion: Motion, depths: Indices, lag: float, bounce: float, *, seam: float | None = None) -> Motion:
    """A motion whose joints with a depth above 0 follow the joints above them like springs.

    Args:
        depths: (J,) place in a chain; those at 0 lead.
        lag: Seconds that a joint is behind the one above it while that moves evenly.
        bounce: 0 settles without swinging, 1 swings for long.
        seam: Of a loop, the seconds from its last frame to the first of the next round; None if it is none.
    """
    if lag <= 0.0 or not (depths > 0).any() or len(motion) < 3:
        return motion
    kernel = spring_response(lag, bounce, motion.rate)
    skeleton, rotations = motion.skeleton, np.array(motion.rotations)
    scene: dict[int, Array] = {}
    for joint in range(len(skeleton)):
        parent = int(skeleton.parents[joint])
        above = quaternion.identity(len(motion)) if parent < 0 else scene[parent]
        rest = _rest(motion, joint, parent)
        carried = quaternion.multiply(above, quaternion.multiply(rest, rotations[:, joint]))
        if depths[joint] > 0:
            carried = _filtered(quaternion.sign_continuous(carried), kernel, _round_of(motion, seam))
            back = quaternion.multiply(quaternion.conjugate(rest), quaternion.conjugate(above))
            rotations[:, joint] = quaternion.multiply(back, carried)
        scene[joint] = carried
    return replace(motion, rotations=quaternion.sign_continuous(rotations))


def _rest(motion: Motion, joint: int, parent: int) -> Array:
    """(4,) a joint's axes at rest in those of the one above it."""
    own: Array = motion.skeleton.rest_rotations[joint]
    if parent < 0:
        return own
    return quaternion.multiply(quaternion.conjugate(motion.skeleton.rest_rotations[parent]), own)


def _round_of(motion: Motion, seam: float | None) -> int | None:
    """Frames of a round of a loop; None if the motion is none."""
    return None if seam is None else len(motion) - 1 + round(seam * motion.rate)


def spring_response(lag: float, bounce: float, rate: float) -> Array:
    """What a damped spring does after a push, frame by frame, until it has settled; its sum is 1.

    The lag of a spring with angular frequency w and damping z behind an even motion is 2 z / w.
    """
    damping = max(1.0 - bounce, _LEAST_DAMPING)
    frequency = 2.0 * damping / lag
    length = -np.log(_SETTLED) / (damping * frequency)
    times = np.arange(1, max(int(np.ceil(length * rate)), 2) + 1) / rate
    if damping < 1.0:
        own = frequency * np.sqrt(1.0 - damping**2)
        response = np.exp(-damping * frequency * times) * np.sin(own * times)
    else:
        response = times * np.exp(-frequency * times)
    total: Array = response / response.sum()
    return total


def _filtered(rotations: Array, kernel: Array, period: int | None) -> Array:
    """Rotations (F, 4) as a response follows them; before the first frame it has rested in it, a loop goes round."""
    count, reach = len(rotations), len(kernel)
    before = np.repeat(rotations[:1], reach, axis=0)
    if period is not None:
        rows = np.mod(np.arange(-reach, 0), period)
        laid = np.concatenate([rotations[rows], rotations])
        before = quaternion.sign_continuous(laid[::-1])[::-1][:reach]
    padded = np.concatenate([before, rotations])
    mixed = np.stack([np.convolve(column, kernel)[reach - 1 : reach - 1 + count] for column in padded.T], axis=1)
    return quaternion.normalize(mixed)
