"""Making the last frame of a motion the first one again: the same pose at the same velocity.

Both ends meet in the middle between them, and their steps to and from the neighbouring frames become
the mean of both. What that takes is added as a displacement that dies away from each end on: slowly for
the pose, quickly for the velocity, whose correction grows with the time it takes. The velocity is told
over a few frames; what noise adds to a single step is put right in that frame alone.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..motion import GroundMove, Motion, carriers_of, location_axes
from ..numerics import Array, ease, quaternion

# Seconds over which a velocity is told.
_TOLD = 0.04


def closed(motion: Motion, *, pose_frames: int, velocity_frames: int) -> Motion:
    """The motion whose first and last frame agree in every channel, as do the steps beside them.

    Args:
        motion: Four frames or more.
        pose_frames: Frames from each end on over which a difference of poses is spread, at most half
            of all.
        velocity_frames: The same for differences of velocity.
    """
    fading = _fading(len(motion), max(2, pose_frames), max(2, velocity_frames))
    told = max(1, min(round(_TOLD * motion.rate), len(motion) // 4))
    arrays: dict[str, Any] = {}
    for name in ("locations", "scales", "scalars"):
        values = getattr(motion, name)
        arrays[name] = values + _spread(*_number_corrections(values, told), fading)
    arrays["scalars"] = np.where(motion.steps, motion.scalars, arrays["scalars"])
    turns = _spread(*_turn_corrections(motion.rotations, told), fading)
    turned = quaternion.normalize(quaternion.multiply(motion.rotations, quaternion.exp(turns)))
    rotations = quaternion.sign_continuous(turned)
    # Rounding is taken out where the result is known; after whole turns the sign may have changed.
    rotations[-1] = quaternion.aligned(rotations[0], rotations[-1])
    for values in arrays.values():
        values[-1] = values[0]
    return replace(motion, rotations=rotations, **arrays)


def with_even_seam(motion: Motion, round_trip: GroundMove) -> Motion:
    """The first and the last step of what carries the character made the same, seen under a round trip.

    Travel that turns and the closing of the pose do not commute: without this the steps differ by what
    is of second order in a frame's turn.
    """
    rotations, locations = np.array(motion.rotations.T).T, np.array(motion.locations.T).T
    for joint in carriers_of(motion).turned:
        turns = rotations[:, joint]
        step = quaternion.exp(0.5 * (_way(turns[0], turns[1]) + _way(turns[-2], turns[-1])))
        turns[1] = quaternion.multiply(turns[0], step)
        turns[-2] = quaternion.multiply(turns[-1], quaternion.conjugate(step))
    for joint in carriers_of(motion).moved:
        places, axes = locations[:, joint], location_axes(motion, joint)[0]
        trip = quaternion.multiply(quaternion.conjugate(axes), quaternion.multiply(round_trip.rotations[0], axes))
        back = quaternion.rotate(quaternion.conjugate(trip), places[-1] - places[-2])
        shift = 0.5 * ((places[1] - places[0]) + back)
        places[1], places[-2] = places[0] + shift, places[-1] - quaternion.rotate(trip, shift)
    return replace(motion, rotations=rotations, locations=locations)


@dataclass(frozen=True, eq=False)
class _Correction:
    """What one end lacks, seen from there inward.

    Attributes:
        pose: (...) in the frame at the end.
        velocity: (...) more in each frame from there on.
        beside: (...) in the frame beside it, exactly.
    """

    pose: Array
    velocity: Array
    beside: Array


def _fading(frames: int, pose_frames: int, velocity_frames: int) -> tuple[Array, Array]:
    """(F,) what is left of a pose correction, and what has come of a velocity correction, of 1."""
    steps = np.arange(frames)
    share = np.clip(steps / velocity_frames, 0.0, 1.0)
    return 1.0 - ease(steps / pose_frames), velocity_frames * share * (1.0 - share) ** 2


def _spread(start: _Correction, end: _Correction, fading: tuple[Array, Array]) -> Array:
    """(F, ...) displacement that makes both corrections."""
    pose, velocity = (weights.reshape(-1, *[1] * start.pose.ndim) for weights in fading)
    sides = []
    for correction in (start, end):
        # The frame beside the end is as far from it as the velocity tells, in spite of what the pose has lost there.
        rise = correction.velocity + (1.0 - pose[1]) * correction.pose
        side = pose * correction.pose + velocity * (rise / velocity[1])
        side[1] = correction.beside
        sides.append(side)
    displacement: Array = sides[0] + sides[1][::-1]
    return displacement


def _number_corrections(values: Array, told: int) -> tuple[_Correction, _Correction]:
    middle = values[0] + 0.5 * (values[-1] - values[0])
    step = 0.5 * ((values[1] - values[0]) + (values[-1] - values[-2]))
    leave, arrive = (values[told] - values[0]) / told, (values[-1] - values[-1 - told]) / told
    change = 0.5 * (arrive - leave)
    return (
        _Correction(middle - values[0], change, middle + step - values[1]),
        _Correction(middle - values[-1], change, middle - step - values[-2]),
    )


def _turn_corrections(rotations: Array, told: int) -> tuple[_Correction, _Correction]:
    """The same for rotations, as rotation vectors (J, 3) in the joints' own axes."""
    middle = quaternion.slerp(rotations[0], rotations[-1], 0.5)
    step = quaternion.exp(0.5 * (_way(rotations[0], rotations[1]) + _way(rotations[-2], rotations[-1])))
    after = quaternion.multiply(middle, step)
    before = quaternion.multiply(middle, quaternion.conjugate(step))
    leave, arrive = _way(rotations[0], rotations[told]) / told, _way(rotations[-1 - told], rotations[-1]) / told
    change = 0.5 * (arrive - leave)
    return (
        _Correction(_way(rotations[0], middle), change, _way(rotations[1], after)),
        _Correction(_way(rotations[-1], middle), change, _way(rotations[-2], before)),
    )


def _way(start: Array, end: Array) -> Array:
    return quaternion.log(quaternion.multiply(quaternion.conjugate(start), end))
