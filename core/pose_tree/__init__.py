"""Spatial pose trees: poses blended by moving through space, part by part."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .bake_tool import BakePoseTree
    from .branches import BranchError, Edits, blend_paths, blended_branch, displaced_branch
    from .clusters import ClusterError, cluster_poses
    from .control_space import ControlSpace, EmptySpaceError
    from .embedding import ControlPath, embed_along_joint, embed_by_variance
    from .suggestion import Suggestion, suggest_place
    from .tree import Node, NodePose, PoseTree, TreeError
    from .tree_take import TreeTake
    from .view_layout import View, arrange_for_view
else:
    __getattr__ = lazy_door(__name__)
