"""glTF: armatures with any number of actions; the format states seconds of keys, and no frames."""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import bpy

from ..file_format import FileFormat
from ..scene_rate import play_at, rate_believed

# Where keys are not evenly spaced; most writers use it.
USUAL_RATE = 30.0
# Whole ones, and those of broadcast.
_RATES = (*map(float, range(10, 241)), *(rate / 1.001 for rate in (24, 30, 48, 60, 120, 240)))
# By how much of a frame, and by what share of all frames, the last key may miss a whole one: times are rounded.
_MISS, _MISS_OF_ALL = 0.02, 1e-4
# Frames nearer than this are the same.
_SAME = 1e-3


class Gltf(FileFormat):
    """A scene whose keys lie at seconds."""

    name = "glTF"
    suffixes = (".glb", ".gltf")
    note = (
        "The seconds of the file are believed. It is read at the rate at which most of its channels have keys, 23.976 "
        "and 29.97 too, or at 30 frames a second where keys are not evenly spaced. A reference pose at the start is "
        "left out of edits, as in BVH files. A `.gltf` result has its textures in a folder of its own, "
        "`horse textures`."
    )
    needs_keys = True

    def load(self, path: Path) -> None:
        """Read it at the rate at which it was sampled."""
        play_at(sampled_rate(path))
        with rate_believed(), _rate_turned_round():
            bpy.ops.import_scene.gltf(filepath=str(path))

    def save(self, path: Path, like: Path) -> tuple[str, ...]:
        """Write a key on every frame."""
        with _rate_turned_round():
            bpy.ops.export_scene.gltf(
                filepath=str(path),
                export_format="GLB" if path.suffix.lower() == ".glb" else "GLTF_SEPARATE",
                export_animation_mode="ACTIONS",
                export_optimize_animation_size=False,
                # A folder of its own: textures of another result may have the same names.
                export_texture_dir=f"{path.stem} textures",
            )
        return ()


@contextmanager
def _rate_turned_round() -> Iterator[None]:
    """Blender's glTF reader and writer multiply by the base of the rate; everyone else divides by it."""
    render = bpy.context.scene.render
    base = render.fps_base
    render.fps_base = 1.0 / base
    try:
        yield
    finally:
        render.fps_base = base


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
    content: dict[str, Any]
    if path.suffix.lower() == ".gltf":
        content = json.loads(path.read_text(encoding="utf-8-sig"))
        return content
    with path.open("rb") as file:
        # Magic number, version, length of the file; length and kind of the first part, which is the description.
        *_, length, _kind = struct.unpack("<5I", file.read(20))
        content = json.loads(file.read(length))
        return content


def _usual_rate(rate: float) -> float:
    """The nearest one."""
    return min(_RATES, key=lambda each: abs(each - rate))


def _samplings(content: dict[str, Any]) -> Iterator[_Sampling]:
    """Every channel whose number of keys fits its length at a usual rate."""
    for animation in content.get("animations", ()):
        for sampler in animation["samplers"]:
            times = content["accessors"][sampler["input"]]
            seconds, steps = float(times["max"][0]) - float(times["min"][0]), times["count"] - 1
            if not seconds > 0.0:
                continue
            rate = steps / seconds
            meant = _usual_rate(rate)
            if abs(rate - meant) * seconds < max(_MISS, _MISS_OF_ALL * steps):
                yield _Sampling(meant, rate, seconds)
