"""What is found in a motion."""

from .alignment import Alignment, align, align_table
from .pose_features import (
    feature_joints,
    horizontal_alignment,
    horizontal_frame,
    low_passed,
    rigid_features,
    torso_positions,
)
from .source_rate import guess_source_rate

__all__ = [
    "Alignment",
    "align",
    "align_table",
    "feature_joints",
    "guess_source_rate",
    "horizontal_alignment",
    "horizontal_frame",
    "low_passed",
    "rigid_features",
    "torso_positions",
]
