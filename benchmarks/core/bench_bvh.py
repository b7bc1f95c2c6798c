"""Reading and writing a BVH file of 7,000 frames and 96 channels.

Compared with Blender's own parser, NumPy's loadtxt and pymotion, on the same file.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from stopwatch import seconds

from core.files import read_bvh, write_bvh
from core.motion import Motion, Skeleton
from core.numerics import from_euler

FRAMES, JOINTS, CHANNELS = 7000, 31, 96
REPEATS = 5
fastest = partial(seconds, turns=REPEATS)


def swinging_figure() -> Motion:
    """Five chains whose joints swing at their own frequencies, carried along by the root."""
    parents = [-1] + [0 if joint % 6 == 0 else joint for joint in range(JOINTS - 1)]
    offsets = np.random.default_rng(1).normal(size=(JOINTS, 3))
    places = np.zeros((JOINTS, 3))
    for joint in range(1, JOINTS):
        places[joint] = places[parents[joint]] + offsets[joint]
    times = np.arange(FRAMES)[:, None, None] / 120.0
    frequencies = np.random.default_rng(2).uniform(0.2, 3.0, size=(JOINTS, 3))
    angles = np.sin(times * frequencies * 2.0 * np.pi + offsets)
    locations = np.zeros((FRAMES, JOINTS, 3))
    locations[:, 0] = np.cumsum(angles[:, 0], axis=0) * 0.01
    skeleton = Skeleton.build([f"joint{joint}" for joint in range(JOINTS)], parents, places, tips=offsets)
    return Motion.build(skeleton, from_euler(angles, "XYZ"), rate=120.0, locations=locations)


def blender_reader(path: Path) -> Callable[[], object]:
    """Blender's parser alone, without the armature that its importer builds from it."""
    importlib.import_module("bpy")
    module = importlib.import_module("io_anim_bvh.import_bvh")
    return lambda: module.read_bvh(None, str(path))


def pymotion_reader(path: Path) -> Callable[[], object]:
    """pymotion's loader."""
    module = importlib.import_module("pymotion.io.bvh")
    return lambda: module.BVH().load(str(path))


def loadtxt_reader(path: Path) -> Callable[[], object]:
    """NumPy reading only the rows; the lines before them are counted for it."""
    lines = path.read_text().splitlines()
    rows = next(number for number, line in enumerate(lines) if line.startswith("Frame Time")) + 1
    return lambda: np.loadtxt(path, skiprows=rows)


PEERS = {
    "Blender read_bvh": blender_reader,
    "numpy.loadtxt, rows alone": loadtxt_reader,
    "pymotion BVH.load": pymotion_reader,
}


def measured_peers(path: Path) -> dict[str, float]:
    """Seconds of every peer that can be imported here."""
    found = {}
    for name, reader in PEERS.items():
        try:
            read = reader(path)
        except ImportError as error:
            print(f"{name}: not measured, {error}")
            continue
        found[name] = fastest(read)
    return found


def main() -> None:
    """Print the table."""
    motion = swinging_figure()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "swinging.bvh")
        writing = fastest(lambda: write_bvh(path, motion))
        bvh = read_bvh(path)
        assert bvh.values.shape == (FRAMES, CHANNELS)
        assert np.array_equal(bvh.values, loadtxt_reader(path)())
        reading = fastest(lambda: read_bvh(path))
        size = path.stat().st_size / 1e6
        peers = measured_peers(path)
    print(f"BVH of {FRAMES} frames x {CHANNELS} channels, {size:.1f} MB, fastest of {REPEATS} runs")
    print(f"{'':32}{'ms':>9}{'ratio to read_bvh here':>26}")
    print(f"{'read_bvh':32}{reading * 1e3:9.1f}{1.0:26.1f}")
    for name, taken in peers.items():
        print(f"{name:32}{taken * 1e3:9.1f}{taken / reading:26.1f}")
    print(f"{'to_motion, after reading':32}{fastest(bvh.to_motion) * 1e3:9.1f}")
    print(f"{'write_bvh of a motion':32}{writing * 1e3:9.1f}")


if __name__ == "__main__":
    main()
