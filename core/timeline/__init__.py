"""The pose timeline: key poses, their views, and the parts of a motion that are alike."""

from .beat_snapping import NoBeatNearError, assign_beats, snap_map
from .carried_edits import carry_offsets, carry_pose_edit, corresponding_poses
from .coordination import OverlappingPartsError, coordination_timing, transfer_coordination
from .feature_menu import Feature, coordination_parts, feature_menu
from .frame_errors import EmptyWindowError, FrameError, OverlappingWindowsError
from .lookup import propagation_windows
from .match_web import MatchOptions, MatchWeb, match_web, weave_match_web
from .moving_part import MovingPart, StillPartError
from .painted_retiming import ChangedDurationError, retime_effector, retime_joints
from .projection import ViewBy, view_angles
from .propagation_windows import PropagationWindow, without_overlaps
from .repeated_part import NothingRepeatedError, most_repeated_part
from .retiming import ImpossibleFactorError, move_pose_map, stretch_map
from .rotation_statistics import transfer_mean_rotation, transfer_rotation_variance
from .segment import Segment
from .temporal_alignment import align_map, align_to_reference, shared_features
from .trajectory import path_miss, trajectory_path, transfer_trajectory

__all__ = [
    "ChangedDurationError",
    "EmptyWindowError",
    "Feature",
    "FrameError",
    "ImpossibleFactorError",
    "MatchOptions",
    "MatchWeb",
    "MovingPart",
    "NoBeatNearError",
    "NothingRepeatedError",
    "OverlappingPartsError",
    "OverlappingWindowsError",
    "PropagationWindow",
    "Segment",
    "StillPartError",
    "ViewBy",
    "align_map",
    "align_to_reference",
    "assign_beats",
    "carry_offsets",
    "carry_pose_edit",
    "coordination_parts",
    "coordination_timing",
    "corresponding_poses",
    "feature_menu",
    "match_web",
    "most_repeated_part",
    "move_pose_map",
    "path_miss",
    "propagation_windows",
    "retime_effector",
    "retime_joints",
    "shared_features",
    "snap_map",
    "stretch_map",
    "trajectory_path",
    "transfer_coordination",
    "transfer_mean_rotation",
    "transfer_rotation_variance",
    "transfer_trajectory",
    "view_angles",
    "weave_match_web",
    "without_overlaps",
]
