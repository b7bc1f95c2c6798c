"""The border between F-curves and core motions; no F-curve is touched anywhere else."""

from ..key_options import KeyOptions
from .channels import Channels, Property, bone_of_path, channelbag, channels_of
from .create import write_bones, write_new
from .ends import ends_of_curves, key_ends, key_ends_elsewhere
from .fingerprint import fingerprint
from .other_frames import write_other_frames
from .read import Clip, read
from .rekey import make_continuous, plan_rekey
from .restore import restore_keys
from .retime import retime
from .scene_sizes import scale_of_all
from .selection import selected_key_frames
from .transaction import all_or_nothing
from .whole_reduction import ReductionReport, plan_reduction
from .write import Plan, baked_bones, plan_write, write
from .write_report import WriteReport, misses_text, muted_text

__all__ = [
    "Channels",
    "Clip",
    "KeyOptions",
    "Plan",
    "Property",
    "ReductionReport",
    "WriteReport",
    "all_or_nothing",
    "baked_bones",
    "bone_of_path",
    "channelbag",
    "channels_of",
    "ends_of_curves",
    "fingerprint",
    "key_ends",
    "key_ends_elsewhere",
    "make_continuous",
    "misses_text",
    "muted_text",
    "plan_reduction",
    "plan_rekey",
    "plan_write",
    "read",
    "restore_keys",
    "retime",
    "scale_of_all",
    "selected_key_frames",
    "write",
    "write_bones",
    "write_new",
    "write_other_frames",
]
