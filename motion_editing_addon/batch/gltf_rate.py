"""The rate at which a glTF file was sampled: the format states seconds of keys, and no frames."""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Where keys are not evenly spaced; most writers use it.
USUAL_RATE = 30
_RATES = range(10, 241)
# Share of a frame by which the last key may miss a whole one: times are single precision.
_MISS = 0.02


def sampled_rate(path: Path) -> int:
    """Frames a second at which most channels have a key on every frame; `USUAL_RATE` where none has."""
    try:
        found = Counter(_rates(_content(path)))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, struct.error):
        return USUAL_RATE  # the importer says what is wrong with the file
    return max(found, key=lambda rate: (found[rate], rate), default=USUAL_RATE)


def _content(path: Path) -> dict[str, Any]:
    """The description of the file, without its buffers."""
    if path.suffix.lower() == ".gltf":
        return json.loads(path.read_text(encoding="utf-8-sig"))
    with path.open("rb") as file:
        # Magic number, version, length of the file; length and kind of the first part, which is the description.
        *_, length, _kind = struct.unpack("<5I", file.read(20))
        return json.loads(file.read(length))


def _rates(content: dict[str, Any]) -> Iterator[int]:
    """A rate for every channel whose number of keys fits its length at that rate."""
    for animation in content.get("animations", ()):
        for sampler in animation["samplers"]:
            times = content["accessors"][sampler["input"]]
            seconds = float(times["max"][0]) - float(times["min"][0])
            rate = (times["count"] - 1) / seconds if seconds > 0.0 else 0.0
            if round(rate) in _RATES and abs(rate - round(rate)) * seconds < _MISS:
                yield round(rate)
