"""A small standing person, with the joint names of many conventions."""

from __future__ import annotations

import numpy as np

from core.motion.skeleton import Skeleton

# A standing person, y up, facing z: joint, parent, place at rest. Left is +x.
PERSON = {
    "pelvis": (None, (0, 10, 0)),
    "spine": ("pelvis", (0, 12, 0)),
    "chest": ("spine", (0, 14, 0)),
    "neck": ("chest", (0, 16, 0)),
    "head": ("neck", (0, 17, 0)),
    "collar": ("chest", (0.3, 15.5, 0)),
    "upper arm": ("collar", (2, 15.5, 0)),
    "forearm": ("upper arm", (5, 15.5, 0)),
    "hand": ("forearm", (8, 15.5, 0)),
    "thigh": ("pelvis", (1, 9.5, 0)),
    "shin": ("thigh", (1, 5, 0)),
    "foot": ("shin", (1, 1, 0)),
    "toe": ("foot", (1, 0, 2)),
}
PAIRED = ("collar", "upper arm", "forearm", "hand", "thigh", "shin", "foot", "toe")

# The words of each convention for the joints above, and how it writes left and right.
CONVENTIONS = {
    "mixamo": (
        "Hips Spine Spine1 Neck Head Shoulder Arm ForeArm Hand UpLeg Leg Foot ToeBase",
        ("mixamorig:Left{}", "mixamorig:Right{}", "mixamorig:{}"),
    ),
    "biped": (
        "Pelvis Spine Spine1 Neck Head Clavicle UpperArm Forearm Hand Thigh Calf Foot Toe0",
        ("Bip01 L {}", "Bip01 R {}", "Bip01 {}"),
    ),
    "unreal": (
        "pelvis spine_01 spine_02 neck_01 head clavicle upperarm lowerarm hand thigh calf foot ball",
        ("{}_l", "{}_r", "{}"),
    ),
    "character creator": (
        "Hip Waist Spine01 NeckTwist01 Head Clavicle Upperarm Forearm Hand Thigh Calf Foot ToeBase",
        ("CC_Base_L_{}", "CC_Base_R_{}", "CC_Base_{}"),
    ),
    "vrm": (
        "Hips Spine Chest Neck Head Shoulder UpperArm LowerArm Hand UpperLeg LowerLeg Foot ToeBase",
        ("J_Bip_L_{}", "J_Bip_R_{}", "J_Bip_C_{}"),
    ),
    "poser": (
        "hip abdomen chest neck head Collar Shldr ForeArm Hand Thigh Shin Foot Toe",
        ("l{}", "r{}", "{}"),
    ),
    "rigify metarig": (
        "spine spine.001 spine.003 spine.004 spine.006 shoulder upper_arm forearm hand thigh shin foot toe",
        ("{}.L", "{}.R", "{}"),
    ),
    "joints by articulation": (
        "Hips Chest Chest2 Neck Head Collar Shoulder Elbow Wrist Hip Knee Ankle Toe",
        ("Left{}", "Right{}", "{}"),
    ),
    "anatomy": (
        "pelvis lumbar thorax neck head scapula humerus radius wrist femur tibia ankle toes",
        ("{}_L", "{}_R", "{}"),
    ),
    "plain": (
        "Bone Bone.01 Bone.02 Bone.03 Bone.04 Bone.05 Bone.06 Bone.07 Bone.08 Bone.09 Bone.10 Bone.11 Bone.12",
        ("{}(1)", "{}(2)", "{}"),
    ),
}


def person(convention: str = "mixamo", **flags: object) -> tuple[Skeleton, dict[str, int]]:
    """The person with a convention's names, and the joint number of 'left hand', 'head' and so on."""
    words, (left, right, centre) = CONVENTIONS[convention]
    number: dict[str, int] = {}
    names, parents, places = [], [], []
    for (key, (parent, place)), word in zip(PERSON.items(), words.split(), strict=True):
        for side, form, sign in (("left ", left, 1), ("right ", right, -1)) if key in PAIRED else (("", centre, 1),):
            above = parent if parent not in PAIRED else side + parent
            number[side + key] = len(names)
            names.append(form.format(word))
            parents.append(-1 if above is None else number[above])
            places.append(np.multiply(place, (sign, 1, 1)))
    return Skeleton.build(names, parents, places, **flags), number
