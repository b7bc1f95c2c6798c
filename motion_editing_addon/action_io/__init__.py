"""The border between F-curves and core motions; no F-curve is touched anywhere else."""

from .channels import Channels, Property, bone_of_path, channelbag, channels_of
from .key_options import KEY_CHOICES, KeyOptions
from .keys import Snapshot
from .read import Clip, read
from .write import WriteReport, write

__all__ = [
    "KEY_CHOICES",
    "Channels",
    "Clip",
    "KeyOptions",
    "Property",
    "Snapshot",
    "WriteReport",
    "bone_of_path",
    "channelbag",
    "channels_of",
    "read",
    "write",
]
