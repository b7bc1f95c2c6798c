"""How closely sparse keys follow where feet stand: a foot between two of them would slide."""

from __future__ import annotations

from ..key_options import KeyOptions

# How far sparse curves may stray between an animator's keys: radians, and body heights.
_ANGLE, _WAY = 0.001, 0.0005


def standing_keys(height: float | None) -> KeyOptions:
    """Keys for a figure of a height in units, if that is known."""
    return KeyOptions(rotation_error=_ANGLE, location_error=_WAY * (height or 1.0))
