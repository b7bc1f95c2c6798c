"""The character set-up: which joint is which part of the body, found, corrected and saved."""

from .axis import Axis
from .description import ROLES, Body
from .hierarchy import control_joints
from .joint_names import is_mechanism, mirror_name
from .limb import Limb, LimbKind, Side
from .saved_body import from_dict, to_dict
from .search import find_body

__all__ = [
    "ROLES",
    "Axis",
    "Body",
    "Limb",
    "LimbKind",
    "Side",
    "control_joints",
    "find_body",
    "from_dict",
    "is_mechanism",
    "mirror_name",
    "to_dict",
]
