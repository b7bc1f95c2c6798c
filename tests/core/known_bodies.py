"""What a person reads from the skeletons of the clips, and the glTF reader for it."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.motion.skeleton import Skeleton
from core.numerics import quaternion


@dataclass(frozen=True)
class Expected:
    """What a person reads from a skeleton; hands and feet are listed by their left ones."""

    root: str
    torso: str
    head: str
    hand: str
    foot: str
    arm: str
    leg: str
    up: str
    pairs: int
    height: float
    fingers: int
    toes: int


CMU = Expected(
    root="Hips",
    torso="Hips LowerBack Spine Spine1",
    head="Head",
    hand="LeftHand",
    foot="LeftFoot",
    arm="LeftArm LeftForeArm LeftHand",
    leg="LeftUpLeg LeftLeg LeftFoot",
    up="+Y",
    pairs=12,
    height=25.5,
    fingers=2,
    toes=1,
)
CMU_MAX = replace(
    CMU,
    torso="Hips lowerback Chest Chest2",
    hand="LeftWrist",
    foot="LeftAnkle",
    arm="LeftShoulder LeftElbow LeftWrist",
    leg="LeftHip LeftKnee LeftAnkle",
)
MAKEHUMAN = Expected(
    root="root",
    torso="root spine05 spine04 spine03 spine02 spine01",
    head="head",
    hand="wrist.L",
    foot="foot.L",
    arm="upperarm01.L upperarm02.L lowerarm01.L lowerarm02.L wrist.L",
    leg="upperleg01.L upperleg02.L lowerleg01.L lowerleg02.L foot.L",
    up="+Z",
    pairs=75,
    height=15.6,
    fingers=5,
    toes=5,
)
MESH2MOTION = Expected(
    root="DEF-hips",
    torso="DEF-hips DEF-spine.001 DEF-spine.002 DEF-spine.003",
    head="DEF-head",
    hand="DEF-hand.L",
    foot="DEF-foot.L",
    arm="DEF-upper_arm.L DEF-forearm.L DEF-hand.L",
    leg="DEF-thigh.L DEF-shin.L DEF-foot.L",
    up="+Z",
    pairs=23,
    height=1.64,
    fingers=5,
    toes=1,
)
BIPEDS = {
    "fair1_jumping_zup": replace(
        CMU, torso="Hips Spine Spine1 Spine2 Spine3", up="+Z", pairs=10, height=45.0, fingers=1
    ),
    "rokoko_jesse_dance_fingers": replace(CMU, torso="Hips Spine Spine1 Spine2", pairs=27, height=176.0, fingers=5),
    "m2m_human_fixing_kneeling_fingers": MESH2MOTION,
    "freemocap_gestures_long": Expected(
        root="pelvis",
        torso="pelvis spine spine.001",
        head="face",
        hand="",
        foot="foot.L",
        arm="upper_arm.L forearm.L",
        leg="thigh.L shin.L foot.L",
        up="+Y",
        pairs=7,
        height=1.36,
        fingers=0,
        toes=0,
    ),
    "bvh11_scaled_metres_131_01": replace(CMU_MAX, height=1.37),
    "cmumax_jumping_jacks_30fps": CMU_MAX,
    "makehuman_tpose_1frame_6ch": MAKEHUMAN,
    "makehuman_face_poseunits": replace(MAKEHUMAN, pairs=70),
    "makehuman_zombieWalk1_zup_fingers": Expected(
        root="Root",
        torso="Root Spine1 Spine2 Spine3",
        head="Head",
        hand="Hand_L",
        foot="Foot_L",
        arm="UpArm_L LoArm_L Hand_L",
        leg="UpLeg_L LoLeg_L Foot_L",
        up="+Z",
        pairs=31,
        height=16.4,
        fingers=5,
        toes=1,
    ),
    "pymo_av_8walk_root_offset": replace(CMU, torso="Hips Spine", pairs=10, height=60.6, fingers=1),
}
KAYKIT = Expected(
    root="hips",
    torso="hips spine chest",
    head="head",
    hand="hand.l",
    foot="foot.l",
    arm="upperarm.l lowerarm.l wrist.l hand.l",
    leg="upperleg.l lowerleg.l foot.l",
    up="+Y",
    pairs=9,
    height=1.23,
    fingers=0,
    toes=1,
)
ROBOT = Expected(
    root="Body",
    torso="Body Hips Abdomen Torso",
    head="Head",
    hand="Palm2.L",
    foot="Foot.L",
    arm="UpperArm.L LowerArm.L Palm2.L",
    leg="UpperLeg.L LowerLeg.L",
    up="+Y",
    pairs=18,
    height=3.0,
    fingers=4,
    toes=0,
)


def read_glb(path: Path) -> Skeleton:
    """The first skin's joints, as the nodes of the file place them."""
    data = path.read_bytes()
    content = json.loads(data[20 : 20 + struct.unpack("<I", data[12:16])[0]])
    nodes, joints = content["nodes"], content["skins"][0]["joints"]
    parent = {child: number for number, node in enumerate(nodes) for child in node.get("children", ())}

    def place(number: int) -> tuple[np.ndarray, np.ndarray, float]:
        node = nodes[number]
        x, y, z, w = node.get("rotation", (0, 0, 0, 1))
        position, size = np.array(node.get("translation", (0.0, 0, 0))), node.get("scale", (1.0,))[0]
        if number not in parent:
            return np.array([w, x, y, z]), position, size
        rotation, origin, scale = place(parent[number])
        turned = origin + quaternion.rotate(rotation, scale * position)
        return quaternion.multiply(rotation, np.array([w, x, y, z])), turned, scale * size

    parents = [joints.index(parent[joint]) if parent.get(joint) in joints else -1 for joint in joints]
    return Skeleton.build([nodes[joint]["name"] for joint in joints], parents, [place(joint)[1] for joint in joints])
