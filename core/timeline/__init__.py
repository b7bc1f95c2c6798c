"""The pose timeline: key poses, their views, and the parts of a motion that are alike."""

from .key_poses import KeyPoses, key_poses, rank_key_poses
from .projection import ViewBy, view_angles

__all__ = ["KeyPoses", "ViewBy", "key_poses", "rank_key_poses", "view_angles"]
