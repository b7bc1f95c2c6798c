"""Staggered poses: a motion as a few poses whose joints have timing of their own, with all detail kept."""

from .detail_edits import tangents, with_detail_strength, with_shaped_tangents, with_tangents
from .evaluation import evaluate, frame_times
from .extraction import ExtractionOptions, PoseCandidates, cull, extract_poses
from .fitting import fit
from .key_groups import KeyGroups, group_key_times
from .layers import with_layer, without_layer
from .model import StaggeredMotion
from .noise import added_noise, high_frequency_energy, smooth_chain
from .pose_edits import non_staggered_pose, true_pose, with_extreme_pose, with_true_pose
from .pose_set import delete_poses, insert_pose
from .relative_edits import average_pose, exaggerate
from .rotation_fit import FitOptions
from .storage import from_arrays, to_arrays
from .timing_edits import (
    copy_stagger,
    random_stagger,
    restagger,
    retime,
    scale_stagger,
    succession,
    time_limits,
    with_refinements,
)
from .timing_warnings import Tightness, TimingWarning, timing_warnings

__all__ = [
    "ExtractionOptions",
    "FitOptions",
    "KeyGroups",
    "PoseCandidates",
    "StaggeredMotion",
    "Tightness",
    "TimingWarning",
    "added_noise",
    "average_pose",
    "copy_stagger",
    "cull",
    "delete_poses",
    "evaluate",
    "exaggerate",
    "extract_poses",
    "fit",
    "frame_times",
    "from_arrays",
    "group_key_times",
    "high_frequency_energy",
    "insert_pose",
    "non_staggered_pose",
    "random_stagger",
    "restagger",
    "retime",
    "scale_stagger",
    "smooth_chain",
    "succession",
    "tangents",
    "time_limits",
    "timing_warnings",
    "to_arrays",
    "true_pose",
    "with_detail_strength",
    "with_extreme_pose",
    "with_layer",
    "with_refinements",
    "with_shaped_tangents",
    "with_tangents",
    "with_true_pose",
    "without_layer",
]
