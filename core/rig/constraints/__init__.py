"""What constraints do with the matrices of a bone, for all frames at once; the meanings are Blender's.

Every class has the targets it looks at, and `solve`, which gives the bone's new matrices of the old ones and those of
the targets, all in the spaces that the constraint names.
"""

from .carriers import ChildOf, FollowBones
from .constraint import ALL, NONE, Axes, Constraint, Target
from .copies import CopyLocation, CopyRotation, CopyScale, CopyTransforms
from .limits import LimitDistance, LimitLocation, LimitRotation, LimitScale, MaintainVolume
from .tracks import DampedTrack, StretchTo
from .transformation import Transformation

__all__ = [
    "ALL",
    "NONE",
    "Axes",
    "ChildOf",
    "Constraint",
    "CopyLocation",
    "CopyRotation",
    "CopyScale",
    "CopyTransforms",
    "DampedTrack",
    "FollowBones",
    "LimitDistance",
    "LimitLocation",
    "LimitRotation",
    "LimitScale",
    "MaintainVolume",
    "StretchTo",
    "Target",
    "Transformation",
]
