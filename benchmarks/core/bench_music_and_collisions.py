"""Collisions of two characters and beats of music: `python benchmarks/core/bench_music_and_collisions.py`.

Prints tables in Markdown. The plain loop measures a sample of all pairs of bones one by one, scaled up to
the whole. All times are processor times of one thread, the best of several runs.
"""

from __future__ import annotations

import os
import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

# One thread on all sides; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "core" / "analysis"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import made_music
import numpy as np
import slow_collisions
from stopwatch import PROCESSOR, seconds

from core.analysis.collisions import Capsules, collisions, fit_capsules
from core.analysis.music import beats, onset_strength, waveform
from core.body import find_body
from core.files import read_bvh
from core.motion import Skeleton

ROOT = Path(__file__).resolve().parents[2]
CLIPS = Path(os.environ.get("MOTION_EDITING_CLIPS", ROOT.parent / "shared" / "data")) / "dev"
BONES, FRAMES, LOOP_PAIRS = 60, 1000, 2000
# Units of a figure two units tall between the middles of two: wrestling, in reach, in another corner.
APART = {"through each other": 0.0, "side by side": 1.5, "far apart": 10.0}
SONG = 300.0
fastest = partial(seconds, clock=PROCESSOR)


def megabytes(work: Callable[[], Any]) -> float:
    """Most memory that is held during a run, on top of what was there."""
    tracemalloc.start()
    work()
    memory = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return memory


def figure(seed: int) -> tuple[Any, Capsules]:
    """(F, J, 3) joints of limbs that sway about a middle, and their capsules."""
    random = np.random.default_rng(seed)
    parents = [-1, *(joint - 1 if joint % 10 else 0 for joint in range(1, BONES))]
    steps = random.normal(size=(BONES, 3)) * 0.12
    rest = np.zeros((BONES, 3))
    for joint in range(1, BONES):
        rest[joint] = rest[parents[joint]] + steps[joint]
    skeleton = Skeleton.build([str(joint) for joint in range(BONES)], parents, rest, tips=steps)
    sway = np.sin(np.arange(FRAMES)[:, None, None] / 20.0 + random.uniform(0.0, 6.0, (1, BONES, 3)))
    return rest + 0.05 * sway, fit_capsules(skeleton)


def loop_seconds(first: Any, first_capsules: Capsules, second: Any, second_capsules: Capsules) -> float:
    """The plain loop over all pairs of bones in all frames, from a sample of them."""
    random = np.random.default_rng(1)
    one, other = first_capsules.segments(first), second_capsules.segments(second)
    chosen = random.integers(0, (FRAMES, len(first_capsules), len(second_capsules)), size=(LOOP_PAIRS, 3))
    begin = time.process_time()
    for frame, bone, other_bone in chosen:
        slow_collisions.segment_distance(
            one[0][frame, bone], one[1][frame, bone], other[0][frame, other_bone], other[1][frame, other_bone]
        )
    pairs = FRAMES * len(first_capsules) * len(second_capsules)
    return (time.process_time() - begin) / LOOP_PAIRS * pairs


def report_collisions() -> None:
    """Two made figures at several distances."""
    (first, first_capsules), (second, second_capsules) = figure(2), figure(3)
    print(f"{len(first_capsules)} x {len(second_capsules)} bones, {FRAMES} frames\n")
    print("| two characters | touches | ms | MB | plain loop (s) | loop / ours |")
    print("|---|---:|---:|---:|---:|---:|")
    loop = loop_seconds(first, first_capsules, second, second_capsules)
    for name, apart in APART.items():
        moved = second + np.array([apart, 0.0, 0.0])

        def search(moved: Any = moved) -> Any:
            return collisions(first, first_capsules, moved, second_capsules)

        taken = fastest(search)
        print(
            f"| {name} | {len(search())} | {1e3 * taken:.1f} | {megabytes(search):.0f} | {loop:.0f} | "
            f"{loop / taken:.0f} x |"
        )


def report_handshake() -> None:
    """Two captured people, as recomputed at every step of a drag."""
    paths = [CLIPS / f"{name}.bvh" for name in ("cmu_18_01_handshake_A", "cmu_19_01_handshake_B")]
    if not all(path.is_file() for path in paths):
        print("\nThe handshake was not measured: the clips are absent.")
        return
    motions = [read_bvh(path).to_motion() for path in paths]
    capsules = [fit_capsules(motion.skeleton, body=find_body(motion.skeleton, motion=motion)) for motion in motions]
    one, other = (motion.poses.positions for motion in motions)
    taken = fastest(lambda: collisions(one, capsules[0], other, capsules[1], margin=5.0), turns=20)
    print(f"\nHandshake, {len(one)} frames, {len(capsules[0])} x {len(capsules[1])} bones: {1e3 * taken:.1f} ms.")


def report_music() -> None:
    """A song, and how far beats of click tracks are off."""
    rate = 44100
    song = made_music.drums(made_music.even_times(117.0, end=SONG), seconds=SONG, rate=rate)
    print(f"\nA sound of {SONG:.0f} s at {rate} Hz\n\n| task | seconds |\n|---|---:|")
    print(f"| onset strength | {fastest(lambda: onset_strength(song, rate)):.2f} |")
    print(f"| beats, all | {fastest(lambda: beats(song, rate)):.2f} |")
    print(f"| waveform of 2000 bins | {fastest(lambda: waveform(song, 2000)):.3f} |")
    print(f"\nMemory of the beats: {megabytes(lambda: beats(song, rate)):.0f} MB.")
    print("\n| click track (beats per minute) | found | worst beat (ms) | with noise: found | worst beat (ms) |")
    print("|---:|---:|---:|---:|---:|")
    for tempo in (60, 90, 120, 150, 180):
        times = made_music.even_times(tempo, start=1.3, end=19.5)
        clicks = made_music.click_track(times, seconds=20.0)
        cells = [_accuracy(sound, times) for sound in (clicks, clicks + made_music.noise(20.0, 0.1))]
        print(f"| {tempo} | {' | '.join(cells)} |")


def _accuracy(sound: Any, times: Any) -> str:
    found = beats(sound, made_music.RATE)
    if len(found.times) != len(times):
        return f"{found.tempo:.2f} | {len(found.times)} of {len(times)} beats"
    return f"{found.tempo:.2f} | {1e3 * np.abs(found.times - times).max():.1f}"


def main() -> None:
    """Print all tables."""
    report_collisions()
    report_handshake()
    report_music()


if __name__ == "__main__":
    main()
