"""The border between F-curves and core motions; no F-curve is touched anywhere else."""

from typing import TYPE_CHECKING

from ..lazy_modules import lazy_submodules

if TYPE_CHECKING:
    from ..key_options import KeyOptions
    from .clip import Clip, read
    from .curves.channels import Channels, Property, bone_of_path, channelbag, channels_of, further_owners
    from .curves.ends import ends_of_curves, key_ends, key_ends_elsewhere
    from .curves.fingerprint import fingerprint
    from .curves.selection import selected_key_frames
    from .key_forms import make_continuous, plan_rekey
    from .new_action import write_bones, write_new
    from .other_frames import write_other_frames
    from .reduction.scene_sizes import scale_of_all
    from .reduction.whole_reduction import ReductionReport, plan_reduction
    from .restoration import restore_all, restore_keys
    from .timing.key_columns import sparse_key_frames
    from .timing.new_timing import retime
    from .timing.trimmed_keys import trim
    from .window_keys.carried_keys import CarriedKeys
    from .window_keys.edited_keys import EditedKeys, sparse_keys
    from .write_report import WriteReport, misses_text, muted_text
    from .written_motion import Plan, baked_bones, plan_write, write
else:
    __getattr__ = lazy_submodules(__name__)

__all__ = [
    "CarriedKeys",
    "Channels",
    "Clip",
    "EditedKeys",
    "KeyOptions",
    "Plan",
    "Property",
    "ReductionReport",
    "WriteReport",
    "any_frames",
    "baked_bones",
    "bone_of_path",
    "channel_values",
    "channelbag",
    "channels_of",
    "clip",
    "ends_of_curves",
    "fingerprint",
    "further_owners",
    "key_edits",
    "key_ends",
    "key_ends_elsewhere",
    "make_continuous",
    "mirrored_keys",
    "misses_text",
    "muted_text",
    "new_part",
    "plan_reduction",
    "plan_rekey",
    "plan_write",
    "read",
    "restore_all",
    "restore_keys",
    "retime",
    "samples",
    "scale_of_all",
    "selected_key_frames",
    "sparse_key_frames",
    "sparse_keys",
    "trim",
    "write",
    "write_bones",
    "write_new",
    "write_other_frames",
    "written_motion",
]
