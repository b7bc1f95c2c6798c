"""Numbers without a body: rotations, splines, steps."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from . import quaternion, rotation_channels, rotation_spline
    from .durations import frames_within
    from .hermite import ease, rotation_curve, vector_curve
    from .piecewise_cubic import Pieces, PiecewiseCubic, Sampled, fit, from_pieces, knot_slopes
    from .quaternion import Array, rotate
    from .reach_limit import soft_reach
    from .recent import Recent
    from .responses import LowPass, binomial, butterworth, gaussian
    from .rotation_channels import EULER_ORDERS, from_euler, to_euler
    from .rotation_spline import angles_between, in_one_hemisphere, inner_products, mixed, slerp_weights, spline
    from .sample_medians import (
        Distance,
        medians,
        rotation_difference,
        rotation_distance,
        vector_distance,
        windows_around,
    )
    from .single_precision import single_quaternions
    from .steps import REACHED, stepped_offsets, strongest
    from .true_runs import first_and_last, runs
    from .unit_vectors import unit
else:
    __getattr__ = lazy_door(__name__)
