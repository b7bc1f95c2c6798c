"""Retargeting: the motion of one character on another one (motion editing chapter, 1.7.2.4)."""

from .held_distance import HeldDistance
from .mapping import JointMapping, JointPair
from .proposal import name_mapping
from .report import MissedDistance, Retargeted, RetargetReport
from .retarget import RetargetOptions, retarget

__all__ = [
    "HeldDistance",
    "JointMapping",
    "JointPair",
    "MissedDistance",
    "RetargetOptions",
    "RetargetReport",
    "Retargeted",
    "name_mapping",
    "retarget",
]
