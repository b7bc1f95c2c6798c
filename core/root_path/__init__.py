"""The way of a character over the ground, and moving it elsewhere."""

from .ground_move import GroundMove, top_joints
from .ground_path import GroundPath, ground_path

__all__ = ["GroundMove", "GroundPath", "ground_path", "top_joints"]
