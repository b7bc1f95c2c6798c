"""Frames a second that an FBX file states: Blender reads its seconds at the scene's rate."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# By the number of the format's time mode; 14 is a rate of its own.
_RATES = {
    1: 120.0,
    2: 100.0,
    3: 60.0,
    4: 50.0,
    5: 48.0,
    6: 30.0,
    7: 30.0,
    8: 30.0 / 1.001,
    9: 30.0 / 1.001,
    10: 25.0,
    11: 24.0,
    13: 24.0 / 1.001,
    15: 96.0,
    16: 72.0,
    17: 60.0 / 1.001,
}
_CUSTOM = 14
_MODE = re.compile(rb"TimeModeS\x04\0\0\0enumS\0\0\0\0S\0\0\0\0I(.{4})", re.DOTALL)
_RATE = re.compile(rb"CustomFrameRateS\x06\0\0\0doubleS\x06\0\0\0NumberS\0\0\0\0D(.{8})", re.DOTALL)
_MODE_TEXT = re.compile(rb'"TimeMode",\s*"enum",\s*"",\s*"",\s*(\d+)')
_RATE_TEXT = re.compile(rb'"CustomFrameRate",\s*"double",\s*"Number",\s*"",\s*([\d.]+)')
# The settings stand at the beginning of a file.
_LOOKED_AT = 1 << 20


def stated_rate(path: Path) -> float:
    """Frames a second; 0 for files of other formats and for those that state none."""
    if path.suffix.lower() != ".fbx" or not path.is_file():
        return 0.0
    with path.open("rb") as file:
        start = file.read(_LOOKED_AT)
    mode, text = _MODE.search(start), _MODE_TEXT.search(start)
    number = struct.unpack("<i", mode[1])[0] if mode else int(text[1]) if text else 0
    return _custom_rate(start) if number == _CUSTOM else _RATES.get(number, 0.0)


def _custom_rate(start: bytes) -> float:
    binary, text = _RATE.search(start), _RATE_TEXT.search(start)
    rate = struct.unpack("<d", binary[1])[0] if binary else float(text[1]) if text else 0.0
    return rate if 1.0 <= rate <= 1000.0 else 0.0
