"""Formats that need no Blender."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .bvh import read_bvh, read_joints, write_bvh
    from .bvh_hierarchy import BvhJoint
    from .smpl import read_smpl, write_smpl
    from .smpl_skeleton import average_skeleton
else:
    __getattr__ = lazy_door(__name__)
