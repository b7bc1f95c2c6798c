"""A folder of 200 clips with one and with two processes, in clips per second."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from workshop.places import PROJECT, clips_folder

CLIPS = 200
# Runs of each kind, by turns: whatever else the machine does meanwhile meets both.
ROUNDS = 3
PROCESSES = (1, 2)
COMMAND = (sys.executable, str(PROJECT / "scripts" / "motion_edit.py"))
RECIPE = PROJECT / "recipes" / "shorten_keep_jumps.toml"
# Short clips, so that what is paid for each clip beside the edit shows.
LONGEST = 800_000  # bytes


class Cost(NamedTuple):
    """Seconds of the clock and of the processors; where the second are few, the machine had other work."""

    wall: float
    cpu: float


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        clips = make_folder(Path(folder) / "in")
        start_up = cost_of("list", "smooth")
        rounds = [[run(clips, Path(folder), jobs) for jobs in PROCESSES] for _ in range(ROUNDS)]
    costs = [typical(of_jobs) for of_jobs in zip(*rounds, strict=True)]
    print("| processes | seconds | CPU seconds | cores in use | clips per second | times as fast |")
    print("|---|---:|---:|---:|---:|---:|")
    for jobs, cost in zip(PROCESSES, costs, strict=True):
        speeds = f"{CLIPS / cost.wall:.2f} | {costs[0].wall / cost.wall:.2f}"
        print(f"| {jobs} | {cost.wall:.1f} | {cost.cpu:.1f} | {cost.cpu / cost.wall:.2f} | {speeds} |")
    print(f"\n{CLIPS} clips with the recipe {RECIPE.stem}, no pictures; median of {ROUNDS} runs by turns.")
    print(f"Blender is started once for each process and once before: {start_up.cpu:.1f} CPU seconds each.")


def typical(costs: tuple[Cost, ...]) -> Cost:
    """The median of each number."""
    return Cost(median(cost.wall for cost in costs), median(cost.cpu for cost in costs))


def make_folder(folder: Path) -> Path:
    """Clips repeated until there are enough; the sample motion where there are no captured ones."""
    folder.mkdir()
    sources = [path for path in sorted(clips_folder().glob("dev/*.bvh")) if path.stat().st_size < LONGEST]
    sources = sources or [sample(folder.parent)]
    for number in range(CLIPS):
        shutil.copy(sources[number % len(sources)], folder / f"{number:03d}.bvh")
    return folder


def sample(folder: Path) -> Path:
    """The sample motion as a file."""
    from core.files import write_bvh
    from core.sample_motion import sample_motion

    path = folder / "sample.bvh"
    write_bvh(path, sample_motion(rate=30.0))
    return path


def run(clips: Path, folder: Path, jobs: int) -> Cost:
    """A whole run into an empty folder, Blender's start included."""
    with tempfile.TemporaryDirectory(dir=folder) as out:
        return cost_of("run", RECIPE, clips, "--out", out, "--jobs", jobs, "--no-pictures")


def cost_of(*words: object) -> Cost:
    """What a command costs with all processes that it starts."""
    wall, cpu = time.perf_counter(), _cpu_of_children()
    subprocess.run([*COMMAND, *map(str, words)], check=True, capture_output=True)
    return Cost(time.perf_counter() - wall, _cpu_of_children() - cpu)


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
