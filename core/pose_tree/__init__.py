"""Spatial pose trees: poses blended by moving through space, part by part."""

from .control_space import ControlSpace, EmptySpaceError
from .tree import Node, NodePose, PoseTree, TreeError

__all__ = ["ControlSpace", "EmptySpaceError", "Node", "NodePose", "PoseTree", "TreeError"]
