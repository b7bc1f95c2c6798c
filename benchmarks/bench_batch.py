"""A folder of 200 clips with one and with two processes, in clips per second."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from places import PROJECT, clips_folder

CLIPS = 200
COMMAND = (sys.executable, str(PROJECT / "scripts" / "motion_edit.py"))
RECIPE = PROJECT / "recipes" / "shorten_keep_jumps.toml"
# Short clips, so that what is paid for each clip beside the edit shows.
LONGEST = 800_000  # bytes


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        clips = make_folder(Path(folder) / "in")
        start_up = seconds_of("list", "smooth")
        one, two = (run(clips, Path(folder) / f"out{jobs}", jobs) for jobs in (1, 2))
    print("| processes | seconds | clips per second | times as fast |\n|---|---:|---:|---:|")
    print(f"| 1 | {one:.1f} | {CLIPS / one:.2f} | 1 |")
    print(f"| 2 | {two:.1f} | {CLIPS / two:.2f} | {one / two:.2f} |")
    print(f"\n{CLIPS} clips with the recipe {RECIPE.stem}, no pictures; starting Blender takes {start_up:.1f} s, once.")


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
    from core.bvh import write_bvh
    from core.sample_motion import sample_motion

    path = folder / "sample.bvh"
    write_bvh(path, sample_motion(rate=30.0))
    return path


def run(clips: Path, out: Path, jobs: int) -> float:
    """Seconds of a whole run, Blender's start included."""
    return seconds_of("run", RECIPE, clips, "--out", out, "--jobs", jobs, "--no-pictures")


def seconds_of(*words: object) -> float:
    """Seconds of a command."""
    started = time.perf_counter()
    subprocess.run([*COMMAND, *map(str, words)], check=True, capture_output=True)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
