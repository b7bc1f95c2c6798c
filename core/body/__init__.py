"""The character set-up: which joint is which part of the body, found, corrected and saved."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .axis import Axis, nearest_axis
    from .bvh_axes import euler_order_like, from_file_axes, to_file_axes, up_axis_like
    from .description import ROLES, Body
    from .hierarchy import control_joints
    from .joint_names import Part, is_mechanism, mirror_name, name_without_side, read_name
    from .limb import Limb, LimbKind, Side
    from .mass_centre import centre_of_mass, is_person
    from .saved_body import from_dict, to_dict
    from .search import find_body
else:
    __getattr__ = lazy_door(__name__)
