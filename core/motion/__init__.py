"""Skeletons and their motion, and what happens to it in time."""

from .displacement import displaced, displacement_between, smooth_offsets
from .forward_kinematics import forward_kinematics
from .global_poses import GlobalPoses
from .joint_blocks import Mask, blocks, chosen_joints, moving_blocks
from .motion import Carriers, Motion
from .placement import without_placement
from .reference_frame import leading_reference_frames, still_leading
from .resampling import with_times
from .rest_axes import turned, with_rest_rotations
from .scene_turns import with_scene_turns
from .scope import within_scope
from .skeleton import Indices, InheritScale, Skeleton
from .smoothing import smooth
from .time_map import Ends, TimeMap

__all__ = [
    "Carriers",
    "Ends",
    "GlobalPoses",
    "Indices",
    "InheritScale",
    "Mask",
    "Motion",
    "Skeleton",
    "TimeMap",
    "blocks",
    "chosen_joints",
    "displaced",
    "displacement_between",
    "forward_kinematics",
    "leading_reference_frames",
    "moving_blocks",
    "smooth",
    "smooth_offsets",
    "still_leading",
    "turned",
    "with_rest_rotations",
    "with_scene_turns",
    "with_times",
    "within_scope",
    "without_placement",
]
