"""Filters beside forward kinematics of the same motion, in one run: `python benchmarks/core/bench_filters.py`.

Prints a table in Markdown. Turns are taken alternately and the fastest of each counts, since a shared
machine has slow moments.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

# One thread; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "core"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
from bench_forward_kinematics import made_motion as branching_motion
from made_motion import Motion, smooth_curves, smooth_rotations
from stopwatch import each_in_turn

from core.analysis import PoseCandidates
from core.analysis.flaws import Flaw, FlawKind, find_spikes
from core.cleaning import find_held, median_filtered, trimmed_mean
from core.editing import repaired
from core.filters import (
    compressed,
    equalized,
    exaggerated,
    filtered,
    keep_extremes,
    low_passed,
    octaves,
    soft_limited,
    spectrum,
)
from core.motion import forward_kinematics, smooth
from core.numerics import binomial, butterworth, gaussian, quaternion

JOINTS, FRAMES, RATE = 60, 10_000, 60.0  # As many joints as the branching skeleton has.
MOST_PASSES = 20.0
TURNS = 5
fastest = partial(each_in_turn, turns=TURNS)


def made_motion() -> Motion:
    """Joints that swing with noise, and a root that travels."""
    noise = 0.01 * np.random.default_rng(0).normal(size=(FRAMES, JOINTS, 3))
    rotations = quaternion.multiply(smooth_rotations(FRAMES, JOINTS, 1), quaternion.exp(noise))
    locations = np.zeros((FRAMES, JOINTS, 3))
    locations[:, 0] = smooth_curves(FRAMES, 3, 2)
    return Motion.build(branching_motion(1)[0], rotations, rate=RATE, locations=locations)


def made_extremes(motion: Motion) -> PoseCandidates:
    """Poses at even distances, whose joints are up to a fifth of a second early or late."""
    frames = np.linspace(0, FRAMES - 1, 400).astype(np.intp)
    late = np.random.default_rng(1).uniform(-0.2, 0.2, size=(len(frames), JOINTS))
    nothing = np.zeros(len(frames))
    return PoseCandidates(motion.times[frames], frames, nothing, late, nothing, np.zeros(FRAMES))


def made_spikes(motion: Motion) -> list[Flaw]:
    """Twenty spikes for every joint."""
    return [
        Flaw(FlawKind.SPIKE, name, "rotation", frame, frame + 2, 1.0)
        for name in motion.skeleton.names
        for frame in range(250, FRAMES, 500)
    ]


def tasks(motion: Motion) -> dict[str, Callable[[], Any]]:
    """Every filter by name, with settings that leave it no short cut."""
    middle, high = butterworth(4.0), butterworth(8.0)
    cutoffs = octaves(motion)
    slow, extremes, spikes = low_passed(motion, middle), made_extremes(motion), made_spikes(motion)
    return {
        "Gaussian 0.1 s": lambda: low_passed(motion, gaussian(0.1)),
        "Butterworth 4 Hz": lambda: low_passed(motion, middle),
        "Butterworth 4 Hz, half strength": lambda: filtered(motion, keep_below=middle, strength=0.5),
        "1/4 [1 2 1], 3 passes": lambda: low_passed(motion, binomial(RATE, passes=3)),
        "high pass 4 Hz": lambda: filtered(motion, keep_above=middle),
        "band pass 4 to 8 Hz, half strength": lambda: filtered(
            motion, keep_above=middle, keep_below=high, strength=0.5
        ),
        "equalizer, 6 gains": lambda: equalized(motion, [1.5, 0.5, 1.2, 1.3, 0.8, 0.7], cutoffs=cutoffs),
        "spectrum, 6 bands": lambda: spectrum(motion, cutoffs=cutoffs),
        "smooth 0.1 s": lambda: smooth(motion, radius=0.1),
        "keep 400 extremes": lambda: keep_extremes(motion, slow, extremes),
        "median, radius 1": lambda: median_filtered(motion, radius=1),
        "median, radius 3": lambda: median_filtered(motion, radius=3),
        "trimmed mean, radius 2": lambda: trimmed_mean(motion),
        "find spikes": lambda: find_spikes(motion),
        "repair 1200 spikes": lambda: repaired(motion, spikes),
        "find held samples": lambda: find_held(motion),
        "exaggerate": lambda: exaggerated(motion, 1.3),
        "soft limits": lambda: soft_limited(motion, 0.5),
        "range compression": lambda: compressed(motion, threshold=0.3, ratio=2.0),
    }


def main() -> None:
    """Print the table."""
    motion = made_motion()
    kinematics = "forward kinematics"
    passes = {
        kinematics: lambda: forward_kinematics(motion.skeleton, motion.rotations, motion.locations, motion.scales)
    }
    # A pass is also taken at its best, turn after turn, with nothing else in the processor's cache.
    unit = min(fastest(passes)[kinematics], fastest(passes)[kinematics])
    times = fastest(passes | tasks(motion))
    unit = min(unit, times.pop(kinematics))
    print(f"Filters of {JOINTS} joints x {FRAMES} frames, one thread; a pass is {unit:.1f} ms\n")
    print("| filter | ms | forward-kinematics passes |")
    print("|---|---:|---:|")
    for name, taken in times.items():
        print(f"| {name} | {taken:.0f} | {taken / unit:.1f} |")
    kept = max(times.values()) <= MOST_PASSES * unit
    print(f"\nAt most {MOST_PASSES:g} passes: {'kept' if kept else 'not kept'}.")


if __name__ == "__main__":
    main()
