"""From channels to a motion: hips, spine and arms turned by their curves, legs by IK."""

from dataclasses import replace
from functools import reduce

import numpy as np

from ..motion import Motion, Skeleton
from ..numerics import Array, quaternion
from ..solve import Limb, reach_targets
from .choreography import GRAVITY, JUMP, SIDES
from .curves import Curve
from .feet import FootPath, foot_path
from .figure import HIP_WIDTH, HIPS_HEIGHT, LEG_LENGTH, center_of_mass

# The spine's bones share its bend, and follow one another by these seconds.
_SPINE = (("spine", 0.40, 0.0), ("chest", 0.34, 0.025), ("upper_chest", 0.26, 0.05))
# Part of a leg's full length that the hips never go beyond, so that planted feet stay reachable.
_LEG_REACH = 0.997
_SOFTNESS = 0.002
# How much of the chest's turning the head undoes.
_HEAD_STEADY = 0.85
_SIGN = {"L": 1.0, "R": -1.0}


def pose(skeleton: Skeleton, curves: dict[str, Curve], times: Array, rate: float) -> Motion:
    """Evaluate the choreography at any times; in the jump the centre of mass falls freely."""
    feet = {side: foot_path(side, times) for side in SIDES}
    turns = _body_turns(curves, times, feet)
    upper_body = Motion.build(skeleton, _local_rotations(skeleton, turns, len(times)), rate=rate, times=times)
    places = _hip_places(curves, times, feet, turns["hips"])
    motion = _with_legs(upper_body, places, feet)
    for _ in range(8):
        places = places + _flight_correction(motion, times)
        motion = _with_legs(upper_body, places, feet)
    return motion


def _about(axis: int, degrees: Array | float) -> Array:
    return quaternion.from_axis_angle(np.eye(3)[axis], np.radians(degrees))


def _chain(*turns: Array) -> Array:
    return reduce(quaternion.multiply, turns)


def _local_rotations(skeleton: Skeleton, turns: dict[str, Array], frames: int) -> Array:
    """Turns given in the figure's own axes, each relative to its parent, as bone rotations."""
    rotations = quaternion.identity(frames, len(skeleton))
    for name, turn in turns.items():
        joint = skeleton.index[name]
        rest = skeleton.rest_rotations[joint]
        rotations[:, joint] = _chain(quaternion.conjugate(rest), turn, rest)
    return rotations


def _body_turns(curves: dict[str, Curve], times: Array, feet: dict[str, FootPath]) -> dict[str, Array]:
    turns = {"hips": _trunk(curves, times, ("turn", "lean", "tilt"), 1.0)}
    for name, share, late in _SPINE:
        turns[name] = _trunk(curves, times - late, ("twist", "bend", "sway"), share)
    turns.update(_head_turns(turns))
    for side in SIDES:
        turns.update(_arm_turns(curves, times, side))
        turns.update(_leg_turns(turns["hips"], feet[side], side))
    return turns


def _trunk(curves: dict[str, Curve], times: Array, channels: tuple[str, str, str], share: float) -> Array:
    turn, lean, tilt = (share * curves[channel].at(times) for channel in channels)
    return _chain(_about(2, turn), _about(0, lean), _about(1, tilt))


def _head_turns(turns: dict[str, Array]) -> dict[str, Array]:
    """Neck and head share the turn that keeps the eyes ahead."""
    chest = _chain(turns["hips"], *(turns[name] for name, _, _ in _SPINE))
    steady = quaternion.log(quaternion.conjugate(chest)) * _HEAD_STEADY
    return {"neck": quaternion.exp(0.45 * steady), "head": quaternion.exp(0.55 * steady)}


def _arm_turns(curves: dict[str, Curve], times: Array, side: str) -> dict[str, Array]:
    """Arm angles count from an arm hanging down, which is a quarter turn from rest."""
    sign = _SIGN[side]
    value = {
        channel: curves[f"{channel}.{side}"].at(times)
        for channel in ("raise", "spread", "roll", "elbow", "pronate", "fist", "reach")
    }
    hanging = _about(1, 90.0 * sign)
    unhang = quaternion.conjugate(hanging)
    lifted = np.maximum(value["raise"] - 60.0, 0.0)
    shoulder = _chain(_about(2, -sign * value["reach"]), _about(1, -sign * lifted**2 / 500.0))
    upper = _chain(
        quaternion.conjugate(_about(1, -sign * lifted**2 / 500.0)),
        _about(0, -value["raise"]),
        _about(1, -sign * value["spread"]),
        _about(2, -sign * value["roll"]),
        hanging,
    )
    elbow = _chain(unhang, _about(0, -value["elbow"]), _about(2, -sign * 0.6 * value["pronate"]), hanging)
    wrist = _chain(unhang, _about(0, 4.0 + 0.0 * times), _about(2, -sign * 0.4 * value["pronate"]), hanging)
    return {
        f"shoulder.{side}": shoulder,
        f"upper_arm.{side}": upper,
        f"forearm.{side}": elbow,
        f"hand.{side}": wrist,
        f"fingers.{side}": _about(1, sign * value["fist"]),
    }


def _leg_turns(hips: Array, foot: FootPath, side: str) -> dict[str, Array]:
    """A bent leg whose knee points where the toes do; the IK then brings it onto the foot."""
    facing = quaternion.rotate(hips, np.array([0.0, -1.0, 0.0]))
    heading = np.arctan2(facing[:, 0], -facing[:, 1])
    knee = np.degrees(0.7 * (foot.turn - heading)) + 2.0 * _SIGN[side]
    return {
        f"thigh.{side}": _chain(_about(2, knee), _about(0, np.full(len(knee), -35.0))),
        f"shin.{side}": _about(0, np.full(len(knee), 60.0)),
    }


def _hip_places(curves: dict[str, Curve], times: Array, feet: dict[str, FootPath], hips: Array) -> Array:
    """(F, 3) the hips' place, lowered where a leg could not reach its foot."""
    place = quaternion.stack(
        curves["aside"].at(times), -curves["ahead"].at(times), HIPS_HEIGHT + curves["up"].at(times)
    )
    limits = [place[:, 2]]
    for side in SIDES:
        socket = quaternion.rotate(hips, np.array([_SIGN[side] * HIP_WIDTH, 0.0, 0.915 - HIPS_HEIGHT]))
        level = feet[side].ankle - place - socket
        room = (_LEG_REACH * LEG_LENGTH) ** 2 - level[:, 0] ** 2 - level[:, 1] ** 2
        limits.append(feet[side].ankle[:, 2] + np.sqrt(np.maximum(room, 0.01)) - socket[:, 2])
    place[:, 2] = _soft_minimum(limits)
    return place


def _soft_minimum(values: list[Array], softness: float = 0.004) -> Array:
    """Smooth and never above the smallest value; below it by a few millimetres where two meet."""
    lowest = np.minimum.reduce(values)
    excess = sum(np.exp(-(value - lowest) / softness) for value in values)
    return np.asarray(lowest - softness * np.log(excess), dtype=np.float64)


def _with_legs(upper_body: Motion, places: Array, feet: dict[str, FootPath]) -> Motion:
    skeleton = upper_body.skeleton
    root = skeleton.index["hips"]
    locations = np.zeros(upper_body.locations.shape)
    back = quaternion.conjugate(skeleton.rest_rotations[root])
    locations[:, root] = quaternion.rotate(back, places - skeleton.rest_positions[root])
    motion = upper_body.with_locations(locations)
    for side in SIDES:
        limb = Limb.named(skeleton, f"thigh.{side}", f"shin.{side}", f"foot.{side}")
        rest = skeleton.rest_rotations[skeleton.index[f"foot.{side}"]]
        wanted = quaternion.multiply(feet[side].foot, rest)
        motion = reach_targets(motion, limb, feet[side].ankle, end_rotations=wanted, softness=_SOFTNESS)
        motion = _with_toes(motion, skeleton.index[f"toe.{side}"], feet[side])
    return motion


def _with_toes(motion: Motion, toe: int, foot: FootPath) -> Motion:
    rest = motion.skeleton.rest_rotations[toe]
    bend = _chain(quaternion.conjugate(rest), quaternion.conjugate(foot.foot), foot.toe, rest)
    rotations = np.array(motion.rotations)
    rotations[:, toe] = bend
    return replace(motion, rotations=rotations)


def _flight_correction(motion: Motion, times: Array) -> Array:
    """(F, 3) shift of the hips after which the centre of mass follows its parabola in flight.

    Its ends stay where they are; the change of speed there fades out on the ground.
    """
    centre = center_of_mass(motion)
    start, end = JUMP.take_off, JUMP.touch_down
    share = np.clip((times - start) / (end - start), 0.0, 1.0)[:, None]
    ends = np.stack([[np.interp(t, times, part) for part in centre.T] for t in (start, end)])
    path = ends[0] + share * (ends[1] - ends[0])
    path[:, 2] += 0.5 * GRAVITY * (end - start) ** 2 * (share * (1.0 - share))[:, 0]
    flying = (times >= start) & (times <= end)
    shift = np.where(flying[:, None], path - centre, 0.0)
    first, last = np.flatnonzero(flying)[[0, -1]]
    for edge, frame, direction in ((start, first, 1), (end, last, -1)):
        slope = (shift[frame + direction] - shift[frame]) / (times[frame + direction] - times[frame])
        outside = (times - edge) * direction < 0.0
        fade = np.clip(1.0 - ((times - edge) / 0.22) ** 2, 0.0, 1.0) ** 3
        shift += np.where(outside, (times - edge) * fade, 0.0)[:, None] * slope
    return shift
