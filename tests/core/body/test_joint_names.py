"""What joint names say: sides, parts, mirror images."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.body import Side, is_mechanism, mirror_name
from core.body.joint_names import Part, read_name

MIRRORED = [
    ("LeftArm", "RightArm"),
    ("mixamorig:LeftHandIndex1", "mixamorig:RightHandIndex1"),
    ("Bip01 L UpperArm", "Bip01 R UpperArm"),
    ("upper_arm.L", "upper_arm.R"),
    ("f_index.01.L.001", "f_index.01.R.001"),
    ("ear_1_l", "ear_1_r"),
    ("lShldrBend", "rShldrBend"),
    ("LThumb", "RThumb"),
    ("lhand", "rhand"),
    ("LEFT_FOOT", "RIGHT_FOOT"),
    ("left_foot", "right_foot"),
    ("J_Bip_L_LowerArm", "J_Bip_R_LowerArm"),
    ("r_toe.L", "r_toe.R"),
    ("MCH-thigh_ik_target.parent.L", "MCH-thigh_ik_target.parent.R"),
    ("CC_Base_L_Upperarm", "CC_Base_R_Upperarm"),
    ("lf_arm_jnt", "rt_arm_jnt"),
    ("lfemur", "rfemur"),
    ("左足首", "右足首"),
    ("足首.L", "足首.R"),
    ("左つま先ＩＫ", "右つま先ＩＫ"),
]


@pytest.mark.parametrize(("left", "right"), MIRRORED)
def test_mirror_names(left: str, right: str) -> None:
    assert mirror_name(left) == right
    assert mirror_name(right) == left
    assert (read_name(left).side, read_name(right).side) == (Side.LEFT, Side.RIGHT)


@pytest.mark.parametrize(
    "name", ["Hips", "rear_light", "ring", "lowerback", "collar", "Pelvis", "", "lip", "Tête", "Tél", "上半身2"]
)
def test_names_without_a_side_stay(name: str) -> None:
    assert mirror_name(name) == name
    assert read_name(name).side is Side.CENTRE


words = st.sampled_from(
    ["left", "Right", "L", "r", "LEFT", "lf", "hand", "Arm", "Foot", "ring", "01", ".", "_", " ", ":"]
)


@settings(deadline=None)
@given(st.lists(words, max_size=6).map("".join))
def test_mirroring_twice_gives_the_name_back(name: str) -> None:
    once = mirror_name(name)
    assert mirror_name(once) == name
    assert read_name(once).side is read_name(name).side.opposite


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("mixamorig:LeftUpLeg", Part.THIGH),
        ("RightLeg", Part.LEG),
        ("Bip01 L Calf", Part.SHIN),
        ("thigh_l", Part.THIGH),
        ("calf_r", Part.SHIN),
        ("ball_l", Part.TOE),
        ("lShldrBend", Part.UPPER_ARM),
        ("rForearmBend", Part.FOREARM),
        ("LeftForeArm", Part.FOREARM),
        ("Humerus_R", Part.UPPER_ARM),
        ("front_leg_upper_l", Part.THIGH),
        ("back_leg_pelvis_l", Part.HIP_JOINT),
        ("LHipJoint", Part.HIP_JOINT),
        ("LeftInHandIndex", Part.FINGER),
        ("finger1-1.L", Part.FINGER),
        ("hand_ik.L", Part.HAND),
        ("LowerBack", Part.SPINE),
        ("DEF-spine.002", Part.SPINE),
        ("HeadTop_End", Part.END),
        ("Bip01 HeadNub", Part.END),
        ("tail_3", Part.TAIL),
        ("LeftIndexProximal", Part.FINGER),
        ("左足", Part.THIGH),
        ("左足首", Part.ANKLE),
        ("左足先EX", Part.TOE),
        ("ひじ.R", Part.FOREARM),
        ("首", Part.NECK),
        # What has a part's name without being the part:
        ("upper_arm_tweak.L", None),
        ("thigh_ik_target.R", None),
        ("LeftForeArmRoll", None),
        ("upperarm_twist_01_l", None),
        ("handslot.l", None),
        ("ponytail", None),
        ("arm", None),
        ("head.L", None),
        ("左足D", None),
        ("左手捩", None),
        ("首飾り", None),
    ],
)
def test_parts(name: str, part: Part | None) -> None:
    assert read_name(name).part is part


def test_front_hind_and_controls() -> None:
    assert read_name("forefoot.L").front
    assert read_name("front_thigh.L").front
    assert not read_name("LeftForeArm").front
    assert not read_name("forearm.R").front
    assert read_name("hind_foot.R").hind
    assert not read_name("LowerBack").hind
    assert read_name("upper_arm_fk.L").control == "fk"
    assert read_name("foot_ik.R").control == "ik"
    assert read_name("spike.L").control == ""
    assert read_name("左足ＩＫ").control == "ik"


def test_mechanism_bones() -> None:
    assert all(map(is_mechanism, ["DEF-hand.L", "ORG-hand.L", "MCH-hand_ik.parent.L", "VIS_thigh_ik_pole.L", "__Jaw"]))
    assert not any(map(is_mechanism, ["hand_ik.L", "torso", "Default", "ORGAN", "_Hips", ""]))
