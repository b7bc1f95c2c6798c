"""Retargeting: the motion of one character on another one (motion editing chapter, 1.7.2.4)."""

from .held_distance import HeldDistance
from .mapping import JointMapping, JointPair
from .options import RetargetOptions
from .partners import Meeting, Partner, retarget_together
from .paths import PathsFollowed, follow_paths
from .proportions import with_proportions
from .proposal import name_mapping
from .report import MissedDistance, Retargeted, RetargetReport
from .retarget import retarget
from .rolling import rolling_contacts

__all__ = [
    "HeldDistance",
    "JointMapping",
    "JointPair",
    "Meeting",
    "MissedDistance",
    "Partner",
    "PathsFollowed",
    "RetargetOptions",
    "RetargetReport",
    "Retargeted",
    "follow_paths",
    "name_mapping",
    "retarget",
    "retarget_together",
    "rolling_contacts",
    "with_proportions",
]
