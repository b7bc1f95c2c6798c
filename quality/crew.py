"""Blenders at work side by side; what they find is kept line by line, so that a run can be gone on with."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any

from .clips import half_of
from .trials import Trial

WORKER = Path(__file__).resolve().parent / "worker.py"
# A trial that takes longer has hung; its Blender is started anew.
LONGEST_TRIAL = 240.0
HUNG = "hung"

Outcome = dict[str, Any]


def run(
    trials: list[Trial],
    *,
    python: Path,
    clips: Path,
    cache: Path,
    results: Path,
    jobs: int,
    seconds: float,
    told: Callable[[Outcome, int], None],
) -> list[Outcome]:
    """Run the trials that the file of results does not hold yet, until the time is over; gives all that it holds.

    Args:
        trials: What to try.
        python: Interpreter that has Blender as a module.
        clips: Folder of clips.
        cache: Folder where scenes are kept.
        results: File with a line for every outcome.
        jobs: Blenders at once.
        seconds: Begin no trial after this time.
        told: Is called with every new outcome and the number of those still to come.
    """
    wanted = {_name(asdict(trial)) for trial in trials}
    found = {_name(each): each for each in kept(results) if _name(each) in wanted}
    waiting = _groups([trial for trial in trials if _name(asdict(trial)) not in found])
    until, lock = time.monotonic() + seconds, Lock()
    left = [sum(map(len, waiting))]
    results.parent.mkdir(parents=True, exist_ok=True)

    def work() -> None:
        blender = _Blender(python, clips, cache)
        for trial in _next(waiting, lock, until):
            outcome = blender.answer(trial)
            with lock, results.open("a") as file:
                file.write(json.dumps(outcome) + "\n")
                found[_name(outcome)] = outcome
                left[0] -= 1
                told(outcome, left[0])
        blender.stop()

    with ThreadPoolExecutor(jobs) as pool:
        for each in [pool.submit(work) for _job in range(jobs)]:
            each.result()
    return list(found.values())


def kept(results: Path) -> list[Outcome]:
    """The outcomes that a file holds."""
    return [json.loads(line) for line in results.read_text().splitlines()] if results.is_file() else []


def _name(outcome: Outcome) -> tuple[Any, ...]:
    return tuple(outcome[key] for key in ("tool", "clip", "rig", "seed"))


def _groups(trials: list[Trial]) -> list[list[Trial]]:
    """Trials on the same scene together: a Blender plays it once."""
    groups: dict[tuple[str, str], list[Trial]] = {}
    for trial in trials:
        groups.setdefault((trial.rig, trial.clip), []).append(trial)
    return list(groups.values())


def _next(waiting: list[list[Trial]], lock: Lock, until: float) -> Iterator[Trial]:
    while True:
        with lock:
            if not waiting:
                return
            group = waiting.pop(0)
        for trial in group:
            if time.monotonic() > until:
                return
            yield trial


class _Blender:
    """One Blender that answers trials; started when first asked, and anew when it dies or hangs."""

    def __init__(self, python: Path, clips: Path, cache: Path) -> None:
        self._command = [str(python), str(WORKER), str(clips), str(cache)]
        self._process: subprocess.Popen[bytes] | None = None

    def answer(self, trial: Trial) -> Outcome:
        """Try it."""
        if self._process is None:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            )
        process = self._process
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(json.dumps(asdict(trial)).encode() + b"\n")
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], LONGEST_TRIAL)
            line = process.stdout.readline() if ready else b""
        except BrokenPipeError:
            ready, line = [process.stdout], b""
        if line:
            return json.loads(line)
        self.stop()
        why = "Blender crashed" if ready else f"no answer in {LONGEST_TRIAL:.0f} s"
        return {**asdict(trial), "half": half_of(trial.clip), "outcome": HUNG, "message": why}

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
