"""Run a command with a time limit, and end everything it started when the time is over."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

TIMED_OUT = 124  # the exit code of timeout(1)
# Variables for programs that work with small matrices: several threads that wait for each other on a busy machine take
# ten times as long, and what benchmarks compare is algorithms, not how many cores a library takes.
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB", "BLIS")}


def run_to_end(
    command: Sequence[str],
    *,
    timeout: float,
    variables: Mapping[str, str] | None = None,
    folder: Path | None = None,
    output: Path | None = None,
) -> int:
    """Run a command and give its exit code; TIMED_OUT when it had to be ended.

    Args:
        command: The command and its arguments.
        timeout: Seconds after which the command and all its children are ended.
        variables: Environment variables besides our own.
        folder: Working folder.
        output: File for what it prints; without one it prints where we print.
    """
    with (output or Path(os.devnull)).open("wb") as file:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **(variables or {})},
            stdin=subprocess.DEVNULL,
            stdout=file if output else None,
            stderr=subprocess.STDOUT if output else None,
            # A group of its own, so that grandchildren (a virtual screen) can be ended too.
            start_new_session=True,
        )
        try:
            return process.wait(timeout)
        except subprocess.TimeoutExpired:
            return TIMED_OUT
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its whole group, also when we are interrupted while waiting."""
    if process.poll() is not None:
        return
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
