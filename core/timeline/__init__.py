"""The pose timeline: key poses, their views, and the parts of a motion that are alike."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .carried_edits import REACH, carry_offsets
    from .carried_keys import KeyChanges, Landing, carried_poses, key_changes, landed
    from .durations.beat_snap import NoBeatNearError, assign_beats, footfalls, snap_map
    from .durations.coordination import OverlappingPartsError, coordination_timing, transfer_coordination
    from .durations.painted_timing import ChangedDurationError, retime_effector, retime_joints
    from .durations.temporal_alignment import align_map, align_to_reference
    from .durations.timing_change import moved_pose_map, timing_change
    from .durations.window_timing import ImpossibleFactorError, move_pose_map, stretch_map
    from .feature_choices import Feature, coordination_parts, feature_menu
    from .frame_errors import EmptyWindowError, FrameError, OverlappingWindowsError
    from .icon_choice import chosen_icons, telling_hits
    from .moving_part import MovingPart, StillPartError
    from .painted_part import Painting, painting_of
    from .projection import ViewBy, view_angles
    from .reference import Reference
    from .rotation_statistics import transfer_mean_rotation, transfer_rotation_variance
    from .segment import Segment
    from .similarity.lookup import propagation_windows
    from .similarity.match_web import MatchOptions, MatchWeb, match_web, weave_match_web
    from .similarity.propagation_windows import without_overlaps
    from .similarity.repeated_part import NothingRepeatedError, most_repeated_part
    from .similarity.web_storage import StaleWebError, from_arrays, to_arrays
    from .tools.feature_tools import TransferCoordination, TransferMean, TransferTrajectory, TransferVariance
    from .tools.propagation_tool import PropagateEdit
    from .tools.reference_options import NOT_SET
    from .tools.timing_tools import AlignWindows, MovePose, SnapToBeats, StretchWindows
    from .tools.windowed_take import WindowedTake
    from .trajectory import trajectory_path, transfer_trajectory
    from .windows import ALL, NoWindowError, Windows
else:
    __getattr__ = lazy_door(__name__)
