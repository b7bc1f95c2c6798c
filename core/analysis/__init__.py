"""What is found in a motion."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .alignment import Alignment, align, align_table
    from .extremes.extraction import ExtractionOptions, PoseCandidates, cull, extract_poses
    from .ground_paths import GroundPath, ground_path, smoothed_places
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
    from .timing import sample_count, smooth_timing
    from .view import best_view, head_joint, points_of, screen_axes, side_of
    from .window_grid import Single, WindowGrid
else:
    __getattr__ = lazy_door(__name__)

__all__ = [
    "Alignment",
    "ExtractionOptions",
    "GroundPath",
    "KeyPoses",
    "PoseCandidates",
    "Single",
    "WindowGrid",
    "align",
    "align_table",
    "best_view",
    "cull",
    "extract_poses",
    "feature_joints",
    "ground_path",
    "guess_source_rate",
    "head_joint",
    "horizontal_alignment",
    "horizontal_frame",
    "key_poses",
    "low_passed",
    "points_of",
    "rank_key_poses",
    "rigid_features",
    "sample_count",
    "screen_axes",
    "side_of",
    "smooth_timing",
    "smoothed_places",
    "torso_positions",
]
