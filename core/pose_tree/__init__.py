"""Spatial pose trees: poses blended by moving through space, part by part."""

from .clustering import ClusterError, cluster_poses
from .control_space import ControlSpace, EmptySpaceError
from .suggestion import Suggestion, suggest_place
from .tree import Node, NodePose, PoseTree, TreeError
from .view_layout import View, arrange_for_view

__all__ = [
    "ClusterError",
    "ControlSpace",
    "EmptySpaceError",
    "Node",
    "NodePose",
    "PoseTree",
    "Suggestion",
    "TreeError",
    "View",
    "arrange_for_view",
    "cluster_poses",
    "suggest_place",
]
