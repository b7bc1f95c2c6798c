"""Numbers without a body: rotations, splines, steps."""

from . import quaternion, rotation_channels
from .durations import frames_within
from .piecewise_cubic import Pieces, PiecewiseCubic, Sampled, fit, from_pieces, knot_slopes
from .quaternion import Array, rotate
from .rotation_channels import EULER_ORDERS, from_euler, to_euler
from .soft_reach import soft_reach
from .stepped import REACHED, stepped_offsets, strongest

__all__ = [
    "EULER_ORDERS",
    "REACHED",
    "Array",
    "Pieces",
    "PiecewiseCubic",
    "Sampled",
    "fit",
    "frames_within",
    "from_euler",
    "from_pieces",
    "knot_slopes",
    "quaternion",
    "rotate",
    "rotation_channels",
    "soft_reach",
    "stepped_offsets",
    "strongest",
    "to_euler",
]
