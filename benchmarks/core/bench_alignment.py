"""Time alignment beside other libraries, in one run: `python benchmarks/core/bench_alignment.py`.

All start from the same two arrays of features and end with a path; those that are not installed
are named. The others' usual recurrence lets time stand still; where a library knows the steps
(1, 1), (1, 2), (2, 1) too, it is measured with them as well. All times are of one thread; turns of
all are taken alternately, since a shared machine has slow moments.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

# One thread on all sides; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("NUMBA_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "core"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
from made_motion import smooth_curves
from stopwatch import PROCESSOR, each_in_turn

from core.analysis import align

DIMENSIONS = 93  # 31 joints
PROMISE = 2.0  # times faster than every other library at 1,000 frames
PEERS = {"dtaidistance": "dtaidistance", "dtw-python": "dtw", "tslearn": "tslearn", "librosa": "librosa"}


def made(frames: int, seed: int) -> Any:
    """(F, 93) slow curves."""
    return np.ascontiguousarray(smooth_curves(frames, DIMENSIONS, seed, waves=20))


def dtaidistance_path(first: Any, second: Any) -> Any:
    """Distances and path in C."""
    from dtaidistance import dtw_ndim

    return dtw_ndim.warping_path(first, second, use_c=True)


def dtw_python_path(first: Any, second: Any) -> Any:
    """Usual steps."""
    from dtw import dtw

    return dtw(first, second).index1


def dtw_python_slope_path(first: Any, second: Any) -> Any:
    """Slope between a half and two."""
    from dtw import dtw

    return dtw(first, second, step_pattern="symmetricP1").index1


def tslearn_path(first: Any, second: Any) -> Any:
    """Usual steps."""
    from tslearn.metrics import dtw_path

    return dtw_path(first, second)


def librosa_path(first: Any, second: Any) -> Any:
    """Usual steps."""
    from librosa.sequence import dtw

    return dtw(X=first.T, Y=second.T)


def librosa_slope_path(first: Any, second: Any) -> Any:
    """The steps that ours uses."""
    from librosa.sequence import dtw

    return dtw(X=first.T, Y=second.T, step_sizes_sigma=np.array([[1, 1], [1, 2], [2, 1]]))


PATHS: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "dtaidistance (C)": ("dtaidistance", dtaidistance_path),
    "dtw-python (C)": ("dtw-python", dtw_python_path),
    "dtw-python, slope-limited": ("dtw-python", dtw_python_slope_path),
    "tslearn (numba)": ("tslearn", tslearn_path),
    "librosa (numba)": ("librosa", librosa_path),
    "librosa, slope-limited": ("librosa", librosa_slope_path),
}


def measure(frames: int, turns: int) -> dict[str, float]:
    """Print the table of one size and give back how many times faster ours is."""
    first, second = made(frames, 1), made(frames, 2)
    found = {
        name: path for name, (library, path) in PATHS.items() if importlib.util.find_spec(PEERS[library]) is not None
    }
    for path in found.values():
        path(first[:50], second[:50])  # Compiles what is compiled at first use.
    actions = {"ours": lambda: align(first, second)}
    actions |= {name: lambda path=path: path(first, second) for name, path in found.items()}
    taken = each_in_turn(actions, turns, clock=PROCESSOR)
    print(f"\n{frames} x {frames} frames, {DIMENSIONS} dimensions, from features to path\n")
    print("| library | ms | times ours |\n|---|---:|---:|")
    for name, milliseconds in taken.items():
        print(f"| {name} | {milliseconds:.1f} | {milliseconds / taken['ours']:.1f} x |")
    return {name: taken[name] / taken["ours"] for name in found}


def main() -> None:
    """Print the tables."""
    missing = [library for library, module in PEERS.items() if importlib.util.find_spec(module) is None]
    print(f"Not installed, so not measured: {', '.join(missing) or 'none'}.")
    ratios = measure(1000, 9)
    slow = [name for name, ratio in ratios.items() if ratio < PROMISE]
    if ratios:
        print(f"\n{PROMISE:.0f} times faster than all of them: {'MISSED by ' + ', '.join(slow) if slow else 'kept'}.")
    measure(3000, 3)


if __name__ == "__main__":
    main()
