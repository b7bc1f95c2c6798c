"""Skeletons as they come out of well-known programs: real names and hierarchies, and what each joint is.

A line is a joint: how deep it hangs, its name, and what it is. `@` stands for the word for the side; what
hangs on a joint with a side is there twice. `=` marks what a joint is, and nothing a joint that is none of
the parts compared here: twist bones, markers of ends, the object that carries all.
"""

from __future__ import annotations

import numpy as np

from core.motion.skeleton import Skeleton

# Where the parts lie on the left of a person of 17 units, y up, facing z.
PLACES = {
    "pelvis": (0, 9.5, 0),
    "spine": (0, 10.5, 0),
    "spine 2": (0, 11.5, 0),
    "spine 3": (0, 12.5, 0),
    "spine 4": (0, 13.5, 0),
    "neck": (0, 15, 0),
    "neck 2": (0, 15.5, 0),
    "head": (0, 16, 0),
    "collar": (0.3, 14.5, 0),
    "upper arm": (1.5, 14.5, 0),
    "forearm": (4.5, 14.5, 0),
    "hand": (7, 14.5, 0),
    "thumb": (7.3, 14.5, 0.4),
    "index": (7.9, 14.5, 0.3),
    "middle": (8, 14.5, 0),
    "ring": (7.9, 14.5, -0.3),
    "pinky": (7.8, 14.5, -0.6),
    "thigh": (1, 9, 0),
    "shin": (1, 5, 0),
    "foot": (1, 0.8, 0),
    "toe": (1, 0.2, 1.2),
}
FINGERS = ("thumb", "index", "middle", "ring", "pinky")

_FIVE = "thumb Thumb, index Index, middle Middle, ring Ring, pinky Pinky"


def _fingers(depth: int, form: str, words: str = _FIVE) -> str:
    """Lines of five fingers of two joints each; the form has the finger's word and its joint's number."""
    lines = []
    for finger, word in (each.split() for each in words.split(", ")):
        lines += [f"{'  ' * depth}{form.format(word, 1)} = {finger}", f"{'  ' * (depth + 1)}{form.format(word, 2)}"]
    return "\n".join(lines)


_SMPL_TRUNK = """
Pelvis = pelvis
  @_Hip = thigh
    @_Knee = shin
      @_Ankle = foot
        @_Foot = toe
  Spine1 = spine
    Spine2 = spine 2
      Spine3 = spine 3
        Neck = neck
          Head = head
        @_Collar = collar
          @_Shoulder = upper arm
            @_Elbow = forearm
              @_Wrist = hand
"""
_SMPL_X = """
root
  pelvis = pelvis
    @_hip = thigh
      @_knee = shin
        @_ankle = foot
          @_foot = toe
    spine1 = spine
      spine2 = spine 2
        spine3 = spine 3
          neck = neck
            head = head
              jaw
              @_eye_smplhf
          @_collar = collar
            @_shoulder = upper arm
              @_elbow = forearm
                @_wrist = hand
""" + _fingers(9, "@_{}{}", _FIVE.lower())
_SOMA = (
    """
Hips = pelvis
  Spine1 = spine
    Spine2 = spine 2
      Chest = spine 3
        Neck1 = neck
          Neck2 = neck 2
            Head = head
              HeadEnd
              Jaw
              @Eye
        @Shoulder = collar
          @Arm = upper arm
            @ForeArm = forearm
              @Hand = hand
"""
    + _fingers(8, "@Hand{}{}")
    + """
  @Leg = thigh
    @Shin = shin
      @Foot = foot
        @ToeBase = toe
          @ToeEnd
"""
)
_MIXAMO = (
    """
Hips = pelvis
  Spine = spine
    Spine1 = spine 2
      Spine2 = spine 3
        Neck = neck
          Head = head
            HeadTop_End
        @Shoulder = collar
          @Arm = upper arm
            @ForeArm = forearm
              @Hand = hand
"""
    + _fingers(8, "@Hand{}{}")
    + """
  @UpLeg = thigh
    @Leg = shin
      @Foot = foot
        @ToeBase = toe
          @Toe_End
"""
)
_UNREAL = (
    """
root
  pelvis = pelvis
    spine_01 = spine
      spine_02 = spine 2
        spine_03 = spine 3
          neck_01 = neck
            head = head
          clavicle_@ = collar
            upperarm_@ = upper arm
              upperarm_twist_01_@
              lowerarm_@ = forearm
                lowerarm_twist_01_@
                hand_@ = hand
"""
    + _fingers(10, "{}_0{}_@", _FIVE.lower())
    + """
    thigh_@ = thigh
      thigh_twist_01_@
      calf_@ = shin
        calf_twist_01_@
        foot_@ = foot
          ball_@ = toe
  ik_foot_root
    ik_foot_@
  ik_hand_root
    ik_hand_gun
      ik_hand_@
"""
)
_UNITY = (
    """
Hips = pelvis
  Spine = spine
    Chest = spine 2
      UpperChest = spine 3
        Neck = neck
          Head = head
            @Eye
        @Shoulder = collar
          @UpperArm = upper arm
            @LowerArm = forearm
              @Hand = hand
"""
    + "\n".join(
        f"{' ' * 16}@{word}Proximal = {finger}\n{' ' * 18}@{word}Intermediate\n{' ' * 20}@{word}Distal"
        for finger, word in zip(FINGERS, ("Thumb", "Index", "Middle", "Ring", "Little"), strict=True)
    )
    + """
  @UpperLeg = thigh
    @LowerLeg = shin
      @Foot = foot
        @Toes = toe
"""
)
# Shoulders have a bone before and after them; legs have second bones that the mesh hangs on.
_MMD_JAPANESE = (
    """
全ての親
  センター
    グルーブ
      腰 = pelvis
        下半身
          @足 = thigh
            @ひざ = shin
              @足首 = foot
                @つま先 = toe
          @足D
            @ひざD
              @足首D
                @足先EX
        上半身 = spine
          上半身2 = spine 3
            首 = neck
              頭 = head
                両目
                @目
            @肩P
              @肩 = collar
                @肩C
                  @腕 = upper arm
                    @腕捩
                      @ひじ = forearm
                        @手捩
                          @手首 = hand
"""
    + _fingers(14, "@{}{}", "thumb 親指, index 人指, middle 中指, ring 薬指, pinky 小指")
    + """
  @足ＩＫ
    @つま先ＩＫ
"""
)
_MMD_ENGLISH = (
    """
mother
  center
    groove
      waist = pelvis
        lower body
          leg_@ = thigh
            knee_@ = shin
              ankle_@ = foot
                toe_@ = toe
        upper body = spine
          upper body2 = spine 3
            neck = neck
              head = head
                eye_@
            shoulder_@ = collar
              arm_@ = upper arm
                arm twist_@
                elbow_@ = forearm
                  wrist twist_@
                  wrist_@ = hand
"""
    + _fingers(11, "{}{}_@", "thumb thumb, index fore, middle middle, ring third, pinky little")
    + """
  leg IK_@
    toe IK_@
"""
)
_ROKOKO = (
    """
Root
  Hips = pelvis
    Spine1 = spine
      Spine2 = spine 2
        Spine3 = spine 3
          Spine4 = spine 4
            Neck = neck
              Head = head
            @Shoulder = collar
              @Arm = upper arm
                @ForeArm = forearm
                  @Hand = hand
"""
    + "\n".join(
        # The bone inside the palm is the thumb's first, and no part of the other fingers.
        f"{' ' * 20}@Finger{number}Metacarpal{' = thumb' * (number == 1)}\n"
        f"{' ' * 22}@Finger{number}Proximal{f' = {finger}' * (number > 1)}\n{' ' * 24}@Finger{number}Tip"
        for number, finger in enumerate(FINGERS, start=1)
    )
    + """
    @Thigh = thigh
      @Shin = shin
        @Foot = foot
          @Toe = toe
            @ToeTip
"""
)
_XSENS = """
Pelvis = pelvis
  L5 = spine
    L3 = spine 2
      T12 = spine 3
        T8 = spine 4
          Neck = neck
            Head = head
          @Shoulder = collar
            @UpperArm = upper arm
              @ForeArm = forearm
                @Hand = hand
  @UpperLeg = thigh
    @LowerLeg = shin
      @Foot = foot
        @Toe = toe
"""
_XSENS_BVH = """
Hips = pelvis
  Chest = spine
    Chest2 = spine 2
      Chest3 = spine 3
        Chest4 = spine 4
          Neck = neck
            Head = head
          @Collar = collar
            @Shoulder = upper arm
              @Elbow = forearm
                @Wrist = hand
  @Hip = thigh
    @Knee = shin
      @Ankle = foot
        @Toe = toe
"""
_FREEMOCAP = """
root
  pelvis = pelvis
    pelvis.@
      thigh.@ = thigh
        shin.@ = shin
          foot.@ = foot
          heel.02.@
    spine = spine
      spine.001 = spine 3
        neck = neck
          face = head
        shoulder.@ = collar
          upper_arm.@ = upper arm
            forearm.@ = forearm
              hand.@ = hand
                hand.IK.@
                thumb.carpal.@ = thumb
                  thumb.01.@
                palm.01.@
                  f_index.01.@ = index
                palm.02.@
                  f_middle.01.@ = middle
                palm.03.@
                  f_ring.01.@ = ring
                palm.04.@
                  f_pinky.01.@ = pinky
"""
# Collar bones hang on the neck.
_BIPED = (
    """
Bip01
  Bip01 Footsteps
  Bip01 Pelvis = pelvis
    Bip01 Spine = spine
      Bip01 Spine1 = spine 3
        Bip01 Neck = neck
          Bip01 Head = head
            Bip01 HeadNub
          Bip01 @ Clavicle = collar
            Bip01 @ UpperArm = upper arm
              Bip01 @ UpArmTwist
              Bip01 @ Forearm = forearm
                Bip01 @ ForeTwist
                Bip01 @ Hand = hand
"""
    + "\n".join(
        f"{' ' * 18}Bip01 @ Finger{number} = {finger}\n{' ' * 20}Bip01 @ Finger{number}1\n"
        f"{' ' * 22}Bip01 @ Finger{number}Nub"
        for number, finger in enumerate(FINGERS)
    )
    + """
    Bip01 @ Thigh = thigh
      Bip01 @ Calf = shin
        Bip01 @ Foot = foot
          Bip01 @ Toe0 = toe
            Bip01 @ Toe0Nub
"""
)
# Legs hang on the spine, as 3ds Max links them with a triangle pelvis.
_TRIANGLE = """
Bip001
  Bip001 Pelvis = pelvis
    Bip001 Spine = spine
      Bip001 @ Thigh = thigh
        Bip001 @ Calf = shin
          Bip001 @ Foot = foot
            Bip001 @ Toe0 = toe
      Bip001 Spine1 = spine 3
        Bip001 Neck = neck
          Bip001 Head = head
          Bip001 @ Clavicle = collar
            Bip001 @ UpperArm = upper arm
              Bip001 @ Forearm = forearm
                Bip001 @ Hand = hand
"""
_CMU_ASF = """
root = pelvis
  @hipjoint
    @femur = thigh
      @tibia = shin
        @foot = foot
          @toes = toe
  lowerback = spine
    upperback = spine 2
      thorax = spine 3
        lowerneck = neck
          upperneck = neck 2
            head = head
        @clavicle = collar
          @humerus = upper arm
            @radius = forearm
              @wrist = hand
                @hand
                  @fingers = middle
                @thumb = thumb
"""
_RIGIFY = """
spine = pelvis
  spine.001 = spine
    spine.002 = spine 2
      spine.003 = spine 3
        spine.004 = neck
          spine.005 = neck 2
            spine.006 = head
              face
        shoulder.@ = collar
          upper_arm.@ = upper arm
            forearm.@ = forearm
              hand.@ = hand
                palm.01.@
                  f_index.01.@ = index
                  thumb.01.@ = thumb
                palm.02.@
                  f_middle.01.@ = middle
                palm.03.@
                  f_ring.01.@ = ring
                palm.04.@
                  f_pinky.01.@ = pinky
        breast.@
  pelvis.@
  thigh.@ = thigh
    shin.@ = shin
      foot.@ = foot
        toe.@ = toe
        heel.02.@
"""

KNOWN = {
    "SMPL": (_SMPL_TRUNK + " " * 16 + "@_Hand", ("L", "R")),
    "SMPL of Unity": (_SMPL_TRUNK.replace("@", "m_avg_@") + " " * 16 + "m_avg_@_Hand", ("L", "R")),
    "SMPL-X": (_SMPL_X, ("left", "right")),
    "SMPL-H": (_SMPL_X.replace("jaw", "head_end").replace("_smplhf", ""), ("left", "right")),
    "SOMA": (_SOMA, ("Left", "Right")),
    "Mixamo": (_MIXAMO, ("Left", "Right")),
    "Mixamo with prefix": (_MIXAMO, ("mixamorig:Left", "mixamorig:Right")),
    "Mixamo with glued prefix": (_MIXAMO, ("mixamorigLeft", "mixamorigRight")),
    "Unreal": (_UNREAL, ("l", "r")),
    "Unity": (_UNITY, ("Left", "Right")),
    "MMD": (_MMD_JAPANESE, ("左", "右")),
    "MMD in English": (_MMD_ENGLISH, ("L", "R")),
    "Rokoko": (_ROKOKO, ("Left", "Right")),
    "Xsens": (_XSENS, ("Left", "Right")),
    "Xsens BVH": (_XSENS_BVH, ("Left", "Right")),
    "FreeMoCap": (_FREEMOCAP, ("L", "R")),
    "Biped": (_BIPED, ("L", "R")),
    "Biped with a triangle pelvis": (_TRIANGLE, ("L", "R")),
    "CMU ASF": (_CMU_ASF, ("l", "r")),
    "Rigify": (_RIGIFY, ("L", "R")),
}


def known(convention: str) -> tuple[Skeleton, dict[str, int]]:
    """The skeleton of a convention, and the joint number of 'head', 'left hand' and so on."""
    lines, sides = KNOWN[convention]
    number: dict[str, int] = {}
    names: list[str] = []
    parents: list[int] = []
    places: list[np.ndarray] = []
    above: dict[tuple[int, str], int] = {}
    for line in (line for line in lines.splitlines() if line.strip()):
        depth = (len(line) - len(line.lstrip())) // 2
        name, _, part = (word.strip() for word in line.partition("="))
        above = {place: joint for place, joint in above.items() if place[0] < depth}
        for side, word, sign in (("left ", sides[0], 1), ("right ", sides[1], -1)) if "@" in name else (("", "", 1),):
            parent = above.get((depth - 1, side), above.get((depth - 1, ""), -1))
            above[depth, side] = len(names)
            names.append(name.replace("@", word))
            parents.append(parent)
            beside = places[parent] + (0, 0.1, 0.1) if parent >= 0 else np.zeros(3)
            places.append(np.multiply(PLACES[part], (sign, 1, 1)) if part else beside)
            if part:
                number[side + part] = len(names) - 1
    return Skeleton.build(names, parents, places), number
