"""Skeletons and their motion, and what happens to it in time."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .carriers import carriers_of, find_carriers, with_free_joints
    from .channels import with_channels
    from .ground_move import GroundMove, location_axes
    from .joint_blocks import Mask, blocks, chosen_joints, moving_blocks
    from .kinematics.bone_inheritance import inherited, orthogonal
    from .kinematics.forward_kinematics import forward_kinematics
    from .kinematics.global_poses import GlobalPoses
    from .match import at_rate_of, joints_by_name, matched, with_joints_held, with_joints_of
    from .motion import Carriers, Motion
    from .offsets.displacement import displaced, displacement_between, smooth_offsets
    from .offsets.pose_offsets import OFFSETS, PoseOffsets, in_own_heading
    from .offsets.pose_rows import chosen, joined, replaced
    from .placement import motion_from_poses, with_still_object, without_placement
    from .reference_frame import leading_reference_frames, still_leading
    from .rest_axes import turned, with_rest_rotations
    from .scene_turns import with_scene_turns
    from .scope import within_scope
    from .shapes import shape_channels, shape_name, with_shapes
    from .skeleton import Indices, InheritScale, Skeleton
    from .smoothing import smooth
    from .time_maps.resampling import with_times
    from .time_maps.retimed_motion import Retimed
    from .time_maps.time_map import Ends, TimeMap
else:
    __getattr__ = lazy_door(__name__)
