"""The pose timeline: key poses, their views, and the parts of a motion that are alike."""

from .composite_timing import OverlappingWindowsError
from .key_poses import KeyPoses, key_poses, rank_key_poses
from .lookup import EmptyWindowError, propagation_windows
from .match_web import MatchOptions, MatchWeb, match_web, weave_match_web
from .projection import ViewBy, view_angles
from .propagation_windows import PropagationWindow, without_overlaps
from .retiming import ImpossibleFactorError, move_pose_map, stretch_map
from .rotation_statistics import transfer_mean_rotation, transfer_rotation_variance
from .segment import Segment

__all__ = [
    "EmptyWindowError",
    "ImpossibleFactorError",
    "KeyPoses",
    "MatchOptions",
    "MatchWeb",
    "OverlappingWindowsError",
    "PropagationWindow",
    "Segment",
    "ViewBy",
    "key_poses",
    "match_web",
    "move_pose_map",
    "propagation_windows",
    "rank_key_poses",
    "stretch_map",
    "transfer_mean_rotation",
    "transfer_rotation_variance",
    "view_angles",
    "weave_match_web",
    "without_overlaps",
]
