"""Joints of the SMPL family of bodies, on an average person in a T-pose: y up, facing z, in metres."""

from typing import Any

import numpy as np

from ..motion import Skeleton

# Name, parent and place; the left side is at x above zero, the right one mirrors it.
_TRUNK = (
    ("pelvis", "", (0.0, 0.94, 0.0)),
    ("spine1", "pelvis", (0.0, 1.05, -0.01)),
    ("spine2", "spine1", (0.0, 1.18, -0.01)),
    ("spine3", "spine2", (0.0, 1.24, 0.0)),
    ("neck", "spine3", (0.0, 1.43, -0.02)),
    ("head", "neck", (0.0, 1.53, 0.02)),
)
_SIDE = (
    ("hip", "pelvis", (0.09, 0.87, 0.0)),
    ("knee", "hip", (0.10, 0.48, 0.0)),
    ("ankle", "knee", (0.10, 0.08, -0.02)),
    ("foot", "ankle", (0.11, 0.02, 0.11)),
    ("collar", "spine3", (0.07, 1.36, -0.01)),
    ("shoulder", "collar", (0.17, 1.38, -0.01)),
    ("elbow", "shoulder", (0.44, 1.38, -0.01)),
    ("wrist", "elbow", (0.69, 1.38, -0.01)),
)
# As the families list them; fingers follow in a table of their own.
_BODY = (
    *("pelvis", "left_hip", "right_hip", "spine1", "left_knee", "right_knee", "spine2", "left_ankle", "right_ankle"),
    *("spine3", "left_foot", "right_foot", "neck", "left_collar", "right_collar", "head", "left_shoulder"),
    *("right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist"),
)
# Where a finger begins, seen from the wrist, and the lengths of its three bones.
_FINGERS = {
    "index": ((0.10, 0.0, 0.025), 0.030),
    "middle": ((0.105, 0.0, 0.0), 0.033),
    "pinky": ((0.085, 0.0, -0.045), 0.022),
    "ring": ((0.095, 0.0, -0.023), 0.030),
    "thumb": ((0.03, -0.015, 0.035), 0.030),
}
_HEAD = (("jaw", (0.0, 1.52, 0.03)), ("left_eye", (0.03, 1.59, 0.09)), ("right_eye", (-0.03, 1.59, 0.09)))
_CROWN, _TOES, _HAND = (0.0, 0.19, 0.0), (0.0, 0.0, 0.07), 0.08
_Joints = dict[str, tuple[str, tuple[float, ...]]]


def joint_names(count: int) -> tuple[str, ...]:
    """Names of the joints of a file with so many: 22 or 24 of SMPL, 52 of SMPL-H, 55 of SMPL-X; none for others."""
    hands = tuple(f"{side}_{name}{number}" for side in ("left", "right") for name in _FINGERS for number in (1, 2, 3))
    face = tuple(name for name, _place in _HEAD)
    lists = (_BODY, (*_BODY, "left_hand", "right_hand"), (*_BODY, *hands), (*_BODY, *face, *hands))
    return next((names for names in lists if len(names) == count), ())


def average_skeleton(count: int, *, places: Any = None) -> Skeleton:
    """The skeleton of a family, of average proportions or with joints at places that a file gives.

    Args:
        count: Of joints, as `joint_names` knows them.
        places: (J, 3) places at rest.
    """
    names, known = joint_names(count), _known_joints()
    parents = [names.index(known[name][0]) if known[name][0] else -1 for name in names]
    own = np.array([known[name][1] for name in names]) if places is None else np.asarray(places, dtype=np.float64)
    return Skeleton.build(names, parents, own, tips=[_tip(names, parents, own, joint) for joint in range(count)])


def _known_joints() -> _Joints:
    joints: _Joints = {name: (parent, place) for name, parent, place in _TRUNK}
    joints |= {name: ("head", place) for name, place in _HEAD}
    trunk = {name for name, _parent, _place in _TRUNK}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        for name, parent, (x, y, z) in _SIDE:
            joints[f"{side}_{name}"] = (parent if parent in trunk else f"{side}_{parent}", (sign * x, y, z))
        x, y, z = joints[f"{side}_wrist"][1]
        joints[f"{side}_hand"] = (f"{side}_wrist", (x + sign * _HAND, y, z))
        for finger, (start, length) in _FINGERS.items():
            for number in (1, 2, 3):
                parent = f"{side}_wrist" if number == 1 else f"{side}_{finger}{number - 1}"
                along = start[0] + (number - 1) * length
                joints[f"{side}_{finger}{number}"] = (parent, (x + sign * along, y + start[1], z + start[2]))
    return joints


def _tip(names: tuple[str, ...], parents: list[int], places: Any, joint: int) -> Any:
    """Where a bone ends: at the one that goes on, and beyond the last one by what is left of the body."""
    name, below = names[joint], [child for child, parent in enumerate(parents) if parent == joint]
    if name == "head":
        return _CROWN
    if below:
        middle = [child for child in below if names[child] in ("spine1", "neck") or "middle" in names[child]]
        return places[middle[0] if middle else below[0]] - places[joint]
    return _TOES if name.endswith("foot") else 0.7 * (places[joint] - places[parents[joint]])
