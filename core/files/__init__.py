"""Formats that need no Blender."""

from .bvh import read_bvh, read_joints, write_bvh
from .bvh_hierarchy import BvhJoint

__all__ = [
    "BvhJoint",
    "read_bvh",
    "read_joints",
    "write_bvh",
]
