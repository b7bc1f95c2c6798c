"""How feet lie on the floor, of characters whose rest pose does not show it.

Feet are compared by how they stand: soles lie flat, whatever way the bone goes inside the foot. A frame of a motion
that stands in for a rest pose may have its heels up; other frames then tell how the foot lies.
"""

import numpy as np

from ...analysis.contacts import detect_contacts, estimate_floor
from ...body import Body, Limb
from ...motion import Motion, with_scene_turns
from ...numerics import Array, quaternion, runs
from ...solve.contact_lock import contact_frames

# Seconds that a foot has to stand to tell how it lies, and body heights that it may be above the floor.
_STANDS, _ON_FLOOR = 0.1, 0.03


def sole_pitch(motion: Motion, body: Body) -> float | None:
    """Radians by which feet that stand on the floor point down from ankle to toes; the median of both feet.

    None if no foot stands with ankle and toes, or the body's parts are not known.
    """
    if body.up is None or body.height is None:
        return None
    found = [pitch for limb in _feet(body) for pitch in _pitches(motion, body, limb)]
    return float(np.median(found)) if found else None


def with_flat_soles(pose: Motion, body: Body, pitch: float) -> Motion:
    """A pose, as a motion of one frame, with feet that point down by an angle; toes keep their orientation."""
    up = body.require("up axis").vector
    for limb in _feet(body):
        ankle, toe = int(limb.end or 0), limb.digits[0][0]
        way = pose.poses.positions[:, toe] - pose.poses.positions[:, ankle]
        turn = quaternion.from_axis_angle(np.cross(way, up), _pitch(way, up) - pitch)
        pose = with_scene_turns(pose, (ankle,), (turn,))
        for digit in limb.digits:
            pose = with_scene_turns(pose, digit[:1], (quaternion.conjugate(turn),))
    return pose


def _feet(body: Body) -> list[Limb]:
    """Legs whose ankles and toes are known."""
    return [limb for limb in body.legs if limb.end is not None and limb.digits]


def _pitches(motion: Motion, body: Body, limb: Limb) -> list[float]:
    """How a foot lies each time that its ankle and its first toe stand."""
    joints = [int(limb.end or 0), limb.digits[0][0]]
    contacts = detect_contacts(motion, body, joints=joints)
    ankle, toe = (contact_frames(contacts, motion.skeleton.names[joint], motion.times) for joint in joints)
    places, up = motion.poses.positions, body.require("up axis").vector
    low = places[:, joints[1]] @ up < estimate_floor(places, up) + _ON_FLOOR * float(body.require("height"))
    pitches = _pitch(places[:, joints[1]] - places[:, joints[0]], up)
    long_enough = (run for run in runs(ankle & toe & low) if run.stop - run.start > _STANDS * motion.rate)
    return [float(np.median(pitches[run])) for run in long_enough]


def _pitch(ways: Array, up: Array) -> Array:
    """(F,) radians by which ways (F, 3) point down."""
    lengths = np.linalg.norm(ways, axis=1)
    return np.asarray(np.arcsin(np.clip(-(ways @ up) / np.where(lengths > 0.0, lengths, 1.0), -1.0, 1.0)))
