"""Bones that wear the mannequin: those of the sample figure, and those of a character that Rigify builds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...motion import Skeleton
from ...numerics import Array, quaternion
from .body_form import FINGERS, THUMB, body_solids
from .mesh import Mannequin
from .skin import Bone, skin_weights

_FINGER_NAMES = tuple(finger[0] for finger in FINGERS)
# Bones that move a part; those of a sided part are given without their side.
_SAMPLE_PARTS: dict[str, tuple[str, ...]] = {
    "trunk": ("hips", "spine", "chest", "upper_chest", "shoulder.L", "shoulder.R"),
    "neck": ("neck",),
    "head": ("head",),
    "arm.L": ("upper_arm.L", "forearm.L"),
    "hand.L": ("hand.L",),
    "thumb.L": ("hand.L",),
    **{f"{name}.L": ("fingers.L",) for name in _FINGER_NAMES},
    "leg.L": ("thigh.L", "shin.L"),
    "foot.L": ("foot.L", "toe.L"),
}
_RIGIFY_PARTS: dict[str, tuple[str, ...]] = {
    "trunk": ("spine", "spine.001", "spine.002", "spine.003", "shoulder.L", "shoulder.R"),
    "neck": ("spine.004", "spine.005"),
    "head": ("spine.006",),
    "arm.L": ("upper_arm.L", "upper_arm.L.001", "forearm.L", "forearm.L.001"),
    "hand.L": ("hand.L",),
    "thumb.L": ("thumb.01.L", "thumb.02.L", "thumb.03.L"),
    **{f"{name}.L": tuple(f"f_{name}.0{bone}.L" for bone in (1, 2, 3)) for name in _FINGER_NAMES},
    "leg.L": ("thigh.L", "thigh.L.001", "shin.L", "shin.L.001"),
    "foot.L": ("foot.L", "toe.L"),
}
# Bones of Rigify's human that the mannequin has no use for: its face has shape keys.
UNUSED_METARIG_BONES = ("face", "breast.L", "breast.R")
_SPINE = ("hips", "spine", "chest", "upper_chest", "neck", "head")
# How far elbows are bent backwards, so that the rig knows which way they bend; metres.
_ELBOW_BACK = np.array([0.0, 0.006, 0.0])
_HEEL_HALF = np.array([0.035, 0.0, 0.0])


def sample_weights(body: Mannequin, skeleton: Skeleton) -> dict[str, Array]:
    """Weights of the mannequin's vertices for the bones of the sample figure."""
    return skin_weights(body, _segments(skeleton), _all_parts(_SAMPLE_PARTS))


def rigify_weights(body: Mannequin, skeleton: Skeleton) -> dict[str, Array]:
    """Weights for the bones of a generated rig."""
    parts = {part: [f"DEF-{name}" for name in names] for part, names in _all_parts(_RIGIFY_PARTS).items()}
    bones = _segments(skeleton)
    used = sorted({name for names in parts.values() for name in names})
    return skin_weights(body, {name: bones[name] for name in used}, parts)


def _all_parts(left: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Bones of every part of the body, both sides; sides of the trunk and ears go with trunk and head."""
    parts: dict[str, Sequence[str]] = {}
    for part in dict.fromkeys(solid.part for solid in body_solids()):
        names = left.get(part) or left.get(part.replace(".R", ".L")) or left[part.partition(".")[0]]
        mirrored = part.endswith(".R") and part not in left and part.replace(".R", ".L") in left
        parts[part] = tuple(name.replace(".L", ".R") for name in names) if mirrored else tuple(names)
    return parts


def _segments(skeleton: Skeleton) -> dict[str, Bone]:
    tails = skeleton.rest_positions + quaternion.rotate(skeleton.rest_rotations, skeleton.tips)
    return {name: (skeleton.rest_positions[j], tails[j]) for j, name in enumerate(skeleton.names)}


def metarig_bones(skeleton: Skeleton) -> dict[str, Bone]:
    """Where the bones of Rigify's human metarig belong in the mannequin: head and tail by name."""
    own = _segments(skeleton)
    bones = _metarig_spine(own)
    for sign, side in ((1.0, "L"), (-1.0, "R")):
        flip = np.array([sign, 1.0, 1.0])
        for name, (head, tail) in (_metarig_limbs(own) | _metarig_hand()).items():
            bones[f"{name}.{side}"] = (head * flip, tail * flip)
    return bones


def _metarig_spine(own: Mapping[str, Bone]) -> dict[str, Bone]:
    """Four bones for the trunk, two for the neck, one for the head."""
    places = [own[name][0] for name in _SPINE] + [own["head"][1]]
    places.insert(5, 0.5 * (places[4] + places[5]))
    names = ["spine", *(f"spine.{number:03d}" for number in range(1, 7))]
    return {name: (places[k], places[k + 1]) for k, name in enumerate(names)}


def _metarig_limbs(own: Mapping[str, Bone]) -> dict[str, Bone]:
    """Bones of the left arm and leg."""
    bones = {name: own[f"{name}.L"] for name in ("shoulder", "hand", "thigh", "shin", "foot", "toe")}
    shoulder, elbow, wrist = own["upper_arm.L"][0], own["forearm.L"][0] + _ELBOW_BACK, own["hand.L"][0]
    ankle, hips = own["foot.L"][0], own["hips"][0]
    heel = np.array([ankle[0], 0.055, 0.0])
    return bones | {
        "upper_arm": (shoulder, elbow),
        "forearm": (elbow, wrist),
        "heel.02": (heel - _HEEL_HALF, heel + _HEEL_HALF),
        "pelvis": (hips, hips + np.array([0.10, -0.05, 0.10])),
    }


def _metarig_hand() -> dict[str, Bone]:
    """Palm, fingers and thumb of the left hand; fingers are bent a little, so that the rig knows the way."""
    bones: dict[str, Bone] = {}
    for number, (name, knuckle, lengths, _radius) in enumerate(FINGERS, start=1):
        start = np.array(knuckle)
        bones[f"palm.0{number}"] = (np.array([0.735, 0.6 * start[1] + 0.004, start[2]]), start)
        for bone, length in enumerate(lengths, start=1):
            end = start + np.array([length, 0.0, -0.0015 * bone])
            bones[f"f_{name}.0{bone}"] = (start, end)
            start = end
    for bone in range(3):
        bones[f"thumb.0{bone + 1}"] = (np.array(THUMB[bone]), np.array(THUMB[bone + 1]))
    return bones
