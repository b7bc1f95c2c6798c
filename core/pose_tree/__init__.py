"""Spatial pose trees: poses blended by moving through space, part by part."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .branches import BranchError, Edits, blend_paths, blended_branch, displaced_branch
    from .clusters import ClusterError, cluster_poses
    from .control_space import ControlSpace, EmptySpaceError
    from .embedding import ControlPath, embed_along_joint, embed_by_variance
    from .suggestion import Suggestion, suggest_place
    from .tree import Node, NodePose, PoseTree, TreeError
    from .view_layout import View, arrange_for_view
else:
    __getattr__ = lazy_door(__name__)

__all__ = [
    "BranchError",
    "ClusterError",
    "ControlPath",
    "ControlSpace",
    "Edits",
    "EmptySpaceError",
    "Node",
    "NodePose",
    "PoseTree",
    "Suggestion",
    "TreeError",
    "View",
    "arrange_for_view",
    "blend_paths",
    "blended_branch",
    "cluster_poses",
    "displaced_branch",
    "embed_along_joint",
    "embed_by_variance",
    "suggest_place",
]
