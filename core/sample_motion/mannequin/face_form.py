"""The mannequin's face: eyes, brows and mouth lie on the head, and shape keys move them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...numerics import Array
from .surface import Field

# What shape keys are called; those of one side end in .L or .R.
SIDED_SHAPES = ("blink", "brow_up", "brow_down")
SHAPES = ("smile", "jaw_open", *(f"{name}.{side}" for name in SIDED_SHAPES for side in "LR"))
_SIGN = {"L": 1.0, "R": -1.0}
_AROUND, _RINGS = 20, 4
_IN_FRONT = -0.16
Expression = Mapping[str, float]


@dataclass(frozen=True)
class Patch:
    """A piece that lies on the head.

    Attributes:
        middles: (A, 2) points across and up that its rim is drawn to, one for each point of the rim.
        rim: (A, 2) its outline, across and up, in metres.
        lift: How far its middle stands out of the head.
        material: 'dark' or 'light'.
    """

    middles: Array
    rim: Array
    lift: float
    material: str = "dark"

    def places(self, head: Field) -> Array:
        """(V, 3) vertices: rings from the middle to the rim, laid on the head."""
        share = np.linspace(0.0, 1.0, _RINGS)[:, None, None]
        flat = (self.middles + share * (self.rim - self.middles)).reshape(-1, 2)
        lift = np.repeat(self.lift * np.sqrt(1.0 - 0.96 * share[:, 0, 0] ** 2), _AROUND)
        return np.column_stack([flat[:, 0], front_of(head, flat) - lift, flat[:, 1]])


def patch_squares() -> Array:
    """(Q, 4) squares of every patch, seen from the front."""
    ring, along = np.meshgrid(np.arange(_RINGS - 1), np.arange(_AROUND), indexing="ij")
    start, after = ring * _AROUND + along, ring * _AROUND + (along + 1) % _AROUND
    return np.stack([start, start + _AROUND, after + _AROUND, after], axis=-1).reshape(-1, 4)


def front_of(head: Field, flat: Array) -> Array:
    """(N,) how far in front the head's surface is, at points (N, 2) across and up."""
    near, far = np.full(len(flat), _IN_FRONT), np.zeros(len(flat))
    for _ in range(24):
        middle = 0.5 * (near + far)
        outside = head(np.column_stack([flat[:, 0], middle, flat[:, 1]])) > 0.0
        near, far = np.where(outside, middle, near), np.where(outside, far, middle)
    return far


def face_patches(expression: Expression) -> list[Patch]:
    """Eyes, brows and mouth of an expression; shape keys that are not named are zero."""
    value = {name: expression.get(name, 0.0) for name in SHAPES}
    patches = []
    for side in "LR":
        own = {name: value[f"{name}.{side}"] for name in SIDED_SHAPES}
        patches += [*_eye(_SIGN[side], own["blink"]), _brow(_SIGN[side], own["brow_up"], own["brow_down"])]
    return [*patches, _mouth(value["smile"], value["jaw_open"])]


def _turns() -> Array:
    return 2.0 * np.pi * np.arange(_AROUND) / _AROUND


def _oval(middle: Sequence[float], half: Sequence[float], lift: float, material: str = "dark") -> Patch:
    rim = np.column_stack([half[0] * np.cos(_turns()), half[1] * np.sin(_turns())]) + middle
    return Patch(np.broadcast_to(middle, rim.shape), rim, lift, material)


def _eye(sign: float, blink: float) -> list[Patch]:
    """A dark oval with a light in it; a blink presses both to a line."""
    open_ = 1.0 - 0.88 * blink
    height = 1.652 - 0.006 * blink
    light = (sign * 0.034 + 0.005, height + 0.007 * open_)
    return [
        _oval((sign * 0.034, height), (0.0125 + 0.0015 * blink, 0.0185 * open_), 0.0035),
        _oval(light, (0.004, 0.005 * open_ * (1.0 - blink)), 0.0062 - 0.006 * blink, "light"),
    ]


def _strip(sign: float, *line_of: Array, lift: float) -> Patch:
    """A line with rounded ends: its upper and its lower edge make the rim.

    Args:
        sign: -1 for a line that is given from the character's right; patches have to look outwards.
        line_of: Points of the line across and up, and its half thickness there.
        lift: How far it stands out.
    """
    across, up, thickness = (value if sign > 0.0 else value[::-1] for value in line_of)
    edge = np.concatenate([thickness, -thickness[::-1]])
    line = np.column_stack([np.concatenate([v, v[::-1]]) for v in (across, up)])
    return Patch(line, line + np.column_stack([np.zeros(_AROUND), edge]), lift)


def _along() -> Array:
    return np.cos(np.pi * (np.arange(_AROUND // 2) + 0.5) / (_AROUND // 2))


def _brow(sign: float, up: float, down: float) -> Patch:
    along = _along()
    inner = 0.5 - 0.5 * along
    height = 1.686 + 0.005 * (1.0 - along**2) + 0.013 * up - 0.004 * inner - down * (0.004 + 0.011 * inner)
    across = sign * (0.036 - 0.003 * down + 0.019 * along)
    thickness = 0.0042 * np.sqrt(1.0 - 0.9 * along**2)
    return _strip(sign, across, height, thickness, lift=0.003)


def _mouth(smile: float, jaw: float) -> Patch:
    along = _along()
    width = 0.022 + 0.009 * smile - 0.004 * jaw
    height = 1.585 + (0.004 + 0.017 * smile) * (along**2 - 0.35)
    room = np.sqrt(1.0 - 0.97 * along**2)
    upper, lower = 0.0028 * room + 0.003 * jaw * room, 0.0028 * room + 0.026 * jaw * room
    middle, half = height + 0.5 * (upper - lower), 0.5 * (upper + lower)
    return _strip(1.0, width * along, middle, half, lift=0.0025)


def jaw_drop(places: Array) -> Array:
    """(V, 3) how an open jaw moves points of the head: the chin goes down and back."""
    up = np.clip((1.600 - places[:, 2]) / 0.030, 0.0, 1.0)
    front = np.clip((0.01 - places[:, 1]) / 0.04, 0.0, 1.0)
    share = up * up * (3.0 - 2.0 * up) * front * front * (3.0 - 2.0 * front)
    neck = np.clip((places[:, 2] - 1.525) / 0.02, 0.0, 1.0)
    drop: Array = (share * neck)[:, None] * [0.0, 0.004, -0.020]
    return drop


def cheek_lift(places: Array) -> Array:
    """(V, 3) how a smile moves points of the head: the cheeks come up and out."""
    aside = np.sign(places[:, 0])
    cheek = np.column_stack([aside * 0.042, np.full(len(places), -0.075), np.full(len(places), 1.612)])
    share = np.exp(-((places - cheek) ** 2).sum(axis=1) / 0.019**2)
    lift: Array = share[:, None] * (aside[:, None] * [0.002, 0.0, 0.0] + [0.0, -0.004, 0.005])
    return lift
