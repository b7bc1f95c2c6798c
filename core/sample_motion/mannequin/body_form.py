"""The masses of the mannequin's body: metres, z up, facing -y, arms out to the sides as the figure at rest.

Sided solids are given for the left.
"""

from __future__ import annotations

from .solids import Solid, both_sides

_DEEP, _WIDE, _THIN = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def _pressed(axis: tuple[float, float, float], left: float) -> tuple[float, float, float]:
    return (axis[0] * left, axis[1] * left, axis[2] * left)


_TRUNK = (
    Solid("trunk", (-0.052, 0.008, 0.955), (0.052, 0.008, 0.955), (0.096, 0.096), _pressed(_DEEP, 0.98), 0.06),
    Solid("trunk", (-0.036, 0.002, 1.07), (0.036, 0.002, 1.07), (0.090, 0.090), _pressed(_DEEP, 0.92), 0.08),
    Solid("trunk", (-0.032, 0.008, 1.20), (-0.046, 0.018, 1.34), (0.100, 0.100), _pressed(_DEEP, 0.98), 0.06),
    Solid("trunk", (0.032, 0.008, 1.20), (0.046, 0.018, 1.34), (0.100, 0.100), _pressed(_DEEP, 0.98), 0.06),
    Solid("trunk", (-0.12, 0.018, 1.402), (0.12, 0.018, 1.402), (0.056, 0.056), blend=0.06),
)
_TRUNK_SIDES = (
    Solid("trunk.L", (0.045, -0.045, 1.330), (0.095, -0.030, 1.355), (0.056, 0.050), _pressed(_DEEP, 0.8), 0.05),
    Solid("trunk.L", (0.085, 0.042, 1.28), (0.12, 0.04, 1.36), (0.058, 0.050), _pressed(_DEEP, 0.8), 0.06),
    Solid("trunk.L", (0.012, 0.026, 1.465), (0.140, 0.016, 1.424), (0.036, 0.040), blend=0.05),
    Solid("trunk.L", (0.058, 0.050, 0.925), (0.072, 0.046, 0.90), (0.072, 0.066), blend=0.06),
)
_ARM = (
    Solid("arm.L", (0.160, 0.012, 1.418), (0.225, 0.012, 1.422), (0.062, 0.054), blend=0.06),
    Solid("arm.L", (0.215, 0.010, 1.424), (0.455, 0.012, 1.425), (0.049, 0.037), blend=0.06),
    Solid("arm.L", (0.29, 0.006, 1.428), (0.37, 0.006, 1.429), (0.044, 0.041), blend=0.06),
    Solid("arm.L", (0.460, 0.012, 1.425), (0.715, 0.010, 1.425), (0.037, 0.026), _pressed(_THIN, 0.95), 0.03),
    Solid("arm.L", (0.510, 0.010, 1.425), (0.57, 0.008, 1.425), (0.042, 0.039), blend=0.06),
)
_HAND = (
    Solid("hand.L", (0.700, 0.010, 1.425), (0.745, 0.008, 1.424), (0.026, 0.033), _pressed(_THIN, 0.74), 0.02),
    Solid("hand.L", (0.755, -0.012, 1.424), (0.795, -0.016, 1.424), (0.022, 0.021), _pressed(_THIN, 0.66), 0.025),
    Solid("hand.L", (0.755, 0.022, 1.423), (0.792, 0.026, 1.423), (0.021, 0.019), _pressed(_THIN, 0.66), 0.025),
    Solid("hand.L", (0.740, -0.016, 1.418), (0.766, -0.036, 1.412), (0.017, 0.015), blend=0.02),
)
# From the wrist's end of each finger: name, its knuckle's place aside, lengths of its three bones, radius.
FINGERS = (
    ("index", (0.800, -0.026, 1.425), (0.036, 0.022, 0.018), 0.0098),
    ("middle", (0.803, -0.006, 1.426), (0.040, 0.025, 0.019), 0.0100),
    ("ring", (0.800, 0.014, 1.425), (0.036, 0.023, 0.018), 0.0096),
    ("pinky", (0.793, 0.033, 1.423), (0.028, 0.018, 0.016), 0.0086),
)
THUMB = ((0.742, -0.020, 1.416), (0.768, -0.047, 1.409), (0.791, -0.063, 1.404), (0.812, -0.072, 1.400))
_LEG = (
    Solid("leg.L", (0.086, 0.004, 0.89), (0.090, -0.002, 0.50), (0.086, 0.049), blend=0.05),
    Solid("leg.L", (0.088, -0.020, 0.78), (0.090, -0.014, 0.64), (0.062, 0.052), blend=0.06),
    Solid("leg.L", (0.090, -0.009, 0.505), (0.090, -0.009, 0.470), (0.045, 0.043), blend=0.05),
    Solid("leg.L", (0.090, 0.0, 0.47), (0.090, 0.004, 0.10), (0.043, 0.031), blend=0.05),
    Solid("leg.L", (0.092, 0.018, 0.385), (0.090, 0.014, 0.26), (0.045, 0.035), blend=0.06),
)
_FOOT = (
    Solid("foot.L", (0.090, 0.004, 0.120), (0.090, -0.003, 0.060), (0.031, 0.036), blend=0.03),
    Solid("foot.L", (0.090, 0.026, 0.034), (0.090, 0.010, 0.040), (0.034, 0.036), blend=0.03),
    Solid("foot.L", (0.090, -0.010, 0.050), (0.094, -0.115, 0.028), (0.040, 0.032), blend=0.04),
    Solid("foot.L", (0.082, -0.11, 0.026), (0.080, -0.165, 0.022), (0.031, 0.025), blend=0.03),
    Solid("foot.L", (0.105, -0.10, 0.025), (0.104, -0.148, 0.020), (0.027, 0.022), blend=0.03),
)
_NECK = (Solid("neck", (0.0, 0.024, 1.40), (0.0, 0.004, 1.58), (0.053, 0.046), blend=0.04),)
_HEAD = (
    Solid("head", (0.0, 0.014, 1.663), (0.0, -0.014, 1.661), (0.087, 0.086), _pressed(_WIDE, 0.93), 0.03),
    Solid("head", (-0.020, -0.024, 1.628), (-0.010, -0.047, 1.583), (0.056, 0.036), blend=0.05),
    Solid("head", (0.020, -0.024, 1.628), (0.010, -0.047, 1.583), (0.056, 0.036), blend=0.05),
    Solid("head", (0.0, -0.096, 1.640), (0.0, -0.106, 1.622), (0.006, 0.0095), blend=0.022),
)
_EAR = (Solid("head.L", (0.083, 0.016, 1.650), (0.079, 0.010, 1.624), (0.020, 0.013), _pressed(_WIDE, 0.45), 0.010),)


def _fingers() -> list[Solid]:
    solids = []
    for name, (x, y, z), lengths, radius in FINGERS:
        middle, tip = x + lengths[0], x + sum(lengths)
        solids.append(Solid(f"{name}.L", (x, y, z), (middle, y, z), (1.08 * radius, radius), blend=0.008))
        end = (tip - 0.8 * radius, y, z - 0.002)
        solids.append(Solid(f"{name}.L", (middle, y, z), end, (radius, 0.8 * radius), blend=0.004))
    for start, end, radii in zip(THUMB, THUMB[1:], ((0.014, 0.0125), (0.0125, 0.011), (0.011, 0.009)), strict=False):
        solids.append(Solid("thumb.L", start, end, radii, blend=0.008))
    return solids


def body_solids() -> list[Solid]:
    """All solids of the body, both sides."""
    sided = (*_TRUNK_SIDES, *_ARM, *_HAND, *_fingers(), *_LEG, *_FOOT, *_EAR)
    return both_sides((*_TRUNK, *_NECK, *_HEAD, *sided))
