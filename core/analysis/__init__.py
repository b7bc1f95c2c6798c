"""What is found in a motion."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .alignment import Alignment, UnalignableError, align, align_table
    from .compared_features import shared_features
    from .difference import Difference, difference_between
    from .expressions import face_path
    from .extremes.candidates import PoseCandidates, cull
    from .extremes.extraction import extract_poses
    from .extremes.options import ExtractionOptions
    from .extremes.peaks import signal_extremes
    from .ground_paths import GroundPath, ground_path, smoothed_places
    from .moments import UNKNOWN_MOMENTS, SameMoments, find_same_moments, old_times
    from .pose_features import (
        feature_joints,
        horizontal_alignment,
        horizontal_frame,
        low_passed,
        rigid_features,
        torso_positions,
    )
    from .pose_rank import KeyPoses, key_poses, rank_key_poses
    from .source_rate import guess_source_rate
    from .source_unit import SourceUnit, find_unit
    from .timing import sample_count, smooth_timing
    from .view import best_view, head_joint, points_of, screen_axes, side_of
    from .window_grid import Single, WindowGrid
else:
    __getattr__ = lazy_door(__name__)
