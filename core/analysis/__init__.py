"""What is found in a motion."""

from .alignment import Alignment, align, align_table
from .ground_path import GroundPath, ground_path, smoothed_places
from .key_poses import KeyPoses, key_poses, rank_key_poses
from .pose_features import (
    feature_joints,
    horizontal_alignment,
    horizontal_frame,
    low_passed,
    rigid_features,
    torso_positions,
)
from .smooth_timing import sample_count, smooth_timing
from .source_rate import guess_source_rate

__all__ = [
    "Alignment",
    "GroundPath",
    "KeyPoses",
    "align",
    "align_table",
    "feature_joints",
    "ground_path",
    "guess_source_rate",
    "horizontal_alignment",
    "horizontal_frame",
    "key_poses",
    "low_passed",
    "rank_key_poses",
    "rigid_features",
    "sample_count",
    "smooth_timing",
    "smoothed_places",
    "torso_positions",
]
