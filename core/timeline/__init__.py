"""The pose timeline: key poses, their views, and the parts of a motion that are alike."""

from .beat_snapping import NoBeatNearError, assign_beats, snap_map
from .composite_timing import OverlappingWindowsError
from .key_poses import KeyPoses, key_poses, rank_key_poses
from .lookup import EmptyWindowError, propagation_windows
from .match_web import MatchOptions, MatchWeb, match_web, weave_match_web
from .painted_retiming import ChangedDurationError, retime_effector, retime_joints
from .projection import ViewBy, view_angles
from .propagation_windows import PropagationWindow, without_overlaps
from .retiming import ImpossibleFactorError, move_pose_map, stretch_map
from .rotation_statistics import transfer_mean_rotation, transfer_rotation_variance
from .segment import Segment
from .temporal_alignment import align_map, align_to_reference, shared_features

__all__ = [
    "ChangedDurationError",
    "EmptyWindowError",
    "ImpossibleFactorError",
    "KeyPoses",
    "MatchOptions",
    "MatchWeb",
    "NoBeatNearError",
    "OverlappingWindowsError",
    "PropagationWindow",
    "Segment",
    "ViewBy",
    "align_map",
    "align_to_reference",
    "assign_beats",
    "key_poses",
    "match_web",
    "move_pose_map",
    "propagation_windows",
    "rank_key_poses",
    "retime_effector",
    "retime_joints",
    "shared_features",
    "snap_map",
    "stretch_map",
    "transfer_mean_rotation",
    "transfer_rotation_variance",
    "view_angles",
    "weave_match_web",
    "without_overlaps",
]
