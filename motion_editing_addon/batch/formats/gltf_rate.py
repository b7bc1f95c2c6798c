"""The rate at which a glTF file was sampled: the format states seconds of keys, and no frames."""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

# Where keys are not evenly spaced; most writers use it.
USUAL_RATE = 30.0
# Whole ones, and those of broadcast.
_RATES = (*map(float, range(10, 241)), *(rate / 1.001 for rate in (24, 30, 48, 60, 120, 240)))
# By how much of a frame, and by what share of all frames, the last key may miss a whole one: times are rounded.
_MISS, _MISS_OF_ALL = 0.02, 1e-4
# Frames nearer than this are the same.
_SAME = 1e-3


class _Sampling(NamedTuple):
    """A channel with keys on all frames: the rate that is meant, the one at which it has its keys, its length."""

    meant: float
    rate: float
    seconds: float


def sampled_rate(path: Path) -> float:
    """Frames a second at which most channels have a key on every frame; `USUAL_RATE` where none has.

    Rates that were rounded, such as 120.0005, are given as they are: else keys would lie between frames.
    """
    try:
        found = list(_samplings(_content(path)))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, struct.error):
        return USUAL_RATE  # the importer says what is wrong with the file
    if not found:
        return USUAL_RATE
    counts = Counter(each.meant for each in found)
    meant = max(counts, key=lambda rate: (counts[rate], rate))
    longest = max((each for each in found if each.meant == meant), key=lambda each: each.seconds)
    return meant if abs(longest.rate - meant) * longest.seconds < _SAME else longest.rate


def _content(path: Path) -> dict[str, Any]:
    """The description of the file, without its buffers."""
    if path.suffix.lower() == ".gltf":
        return json.loads(path.read_text(encoding="utf-8-sig"))
    with path.open("rb") as file:
        # Magic number, version, length of the file; length and kind of the first part, which is the description.
        *_, length, _kind = struct.unpack("<5I", file.read(20))
        return json.loads(file.read(length))


def _samplings(content: dict[str, Any]) -> Iterator[_Sampling]:
    """Every channel whose number of keys fits its length at a usual rate."""
    for animation in content.get("animations", ()):
        for sampler in animation["samplers"]:
            times = content["accessors"][sampler["input"]]
            seconds, steps = float(times["max"][0]) - float(times["min"][0]), times["count"] - 1
            if not seconds > 0.0:
                continue
            rate = steps / seconds
            meant = min(_RATES, key=lambda each, rate=rate: abs(each - rate))
            if abs(rate - meant) * seconds < max(_MISS, _MISS_OF_ALL * steps):
                yield _Sampling(meant, rate, seconds)
