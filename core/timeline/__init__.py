"""The pose timeline: key poses, their views, and the parts of a motion that are alike."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .carried_edits import carry_offsets, carry_pose_edit, corresponding_poses
    from .durations.beat_snap import NoBeatNearError, assign_beats, snap_map
    from .durations.coordination import OverlappingPartsError, coordination_timing, transfer_coordination
    from .durations.painted_timing import ChangedDurationError, retime_effector, retime_joints
    from .durations.temporal_alignment import align_map, align_to_reference, shared_features
    from .durations.window_timing import ImpossibleFactorError, move_pose_map, stretch_map
    from .feature_choices import Feature, coordination_parts, feature_menu
    from .frame_errors import EmptyWindowError, FrameError, OverlappingWindowsError
    from .moving_part import MovingPart, StillPartError
    from .projection import ViewBy, view_angles
    from .rotation_statistics import transfer_mean_rotation, transfer_rotation_variance
    from .segment import Segment
    from .similarity.lookup import propagation_windows
    from .similarity.match_web import MatchOptions, MatchWeb, match_web, weave_match_web
    from .similarity.propagation_windows import PropagationWindow, without_overlaps
    from .similarity.repeated_part import NothingRepeatedError, most_repeated_part
    from .similarity.web_storage import StaleWebError, from_arrays, to_arrays
    from .trajectory import trajectory_path, transfer_trajectory
else:
    __getattr__ = lazy_door(__name__)

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
    "StaleWebError",
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
    "from_arrays",
    "match_web",
    "most_repeated_part",
    "move_pose_map",
    "propagation_windows",
    "retime_effector",
    "retime_joints",
    "shared_features",
    "snap_map",
    "stretch_map",
    "to_arrays",
    "trajectory_path",
    "transfer_coordination",
    "transfer_mean_rotation",
    "transfer_rotation_variance",
    "transfer_trajectory",
    "view_angles",
    "weave_match_web",
    "without_overlaps",
]
