"""A Blender in which one random session after the other is played."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[1] / "scripts")]


def main() -> None:
    """Play from a seed on until the time is over."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    from workshop import checkout_as_extension

    checkout_as_extension.load().register()
    from quality.chaos.scenes import STEPS, scenes
    from quality.chaos.session import ChaosError, play

    seed, end = int(sys.argv[1]), time.monotonic() + 60.0 * float(sys.argv[2])
    files, folder, failed = scenes(Path(sys.argv[3]), Path(sys.argv[4])), Path(tempfile.mkdtemp()), 0
    while True:
        answers.write(f"seed {seed}\n")
        answers.flush()
        try:
            play(seed, files, folder, steps=STEPS)
        except ChaosError as error:
            failed += 1
            answers.write(f"{error}\n\n")
        seed += 1
        if time.monotonic() > end:
            break
    answers.write(f"{failed} failed\n")
    answers.flush()
    os._exit(1 if failed else 0)


if __name__ == "__main__":
    main()
