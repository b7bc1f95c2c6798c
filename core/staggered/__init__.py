"""Staggered poses: a motion as a few poses whose joints have timing of their own, with all detail kept."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .curve_fit.rotation_fit import FitOptions, fit_rotations
    from .edits.carried_pose_edits import carry_pose_edit, corresponding_poses
    from .edits.detail_edits import (
        with_detail_strength,
        with_scaled_tangents,
        with_shaped_tangents,
    )
    from .edits.differences import carried_over, changed_frames, changed_only, without_rounding
    from .edits.knot_changes import with_motion
    from .edits.noise import added_noise, high_frequency_energy, smooth_chain
    from .edits.pose_edits import non_staggered_pose, true_pose, widened, with_extreme_pose, with_true_pose
    from .edits.pose_set import delete_poses, insert_pose, with_presence
    from .edits.relative_edits import average_pose, exaggerate
    from .edits.safe_steps import jumps, within_steps
    from .edits.selection import channels_of_shape
    from .edits.time_changes import knot_map, pose_map
    from .edits.timing_edits import (
        copy_stagger,
        on_whole_frames,
        random_stagger,
        restagger,
        retime,
        ripple,
        scale_stagger,
        succession,
        time_limits,
        with_channel_refinements,
        with_refinements,
        with_times_of,
    )
    from .edits.timing_warnings import Tightness, TimingWarning, timing_warnings
    from .evaluation import evaluate, frame_times
    from .model import StaggeredMotion
    from .model_fit import fit
    from .overlap.chains import chain_depths, depths_in_take
    from .overlap.delay import delayed
    from .poses.followed_poses import mirrored_poses, poses_on_keys, poses_within, retimed_poses, with_hidden_keys
    from .poses.joined_key_groups import SAME_TIME
    from .poses.key_groups import KeyGroups, group_key_times
    from .poses.pose_table import PoseTable
    from .ranges.hinges import Hinge, hinges_of, locked
    from .ranges.own_range import within_range
    from .shown_poses import ShownPoses
    from .storage.compact_arrays import from_compact_arrays, to_compact_arrays
    from .storage.model_arrays import curves_to_arrays, from_arrays, to_arrays, with_curves
    from .tools.overlap_tools import Overlap
    from .tools.pose_tools import DetailStrength, EasePose, ExaggeratePose, SetTangents
    from .tools.posed_take import PosedTake
    from .tools.timing_tools import (
        CopyStagger,
        RandomStagger,
        Restagger,
        RetimePose,
        ScaleStagger,
        Succession,
        Unstagger,
    )
else:
    __getattr__ = lazy_door(__name__)
