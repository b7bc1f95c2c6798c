"""The other end of a worker: starting it, asking it, and ending it. Needs nothing but Python itself.

Farm software copies this file to machines where the add-on is not a Python package.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

_MARK = "motion_edit:"
# Jobs, not algorithms, share the cores.
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB")}
_PATIENCE = 5.0  # seconds
# What it says between a question and its answer: that it has started, and which clip it works on.
_SIGNS_OF_LIFE = {"ready", "clip"}


class WorkerDied(Exception):  # noqa: N818 - it is no mistake of anyone's
    """The process ended in the middle of a job: killed, out of memory, or crashed."""


class WorkerOverdue(WorkerDied):
    """It gave no sign of life for too long, stopped or in an endless loop, and was ended."""


class _Watch:
    """Ends what gives no sign of life for some seconds; waits for ever if these are 0."""

    def __init__(self, end: Callable[[], None], seconds: float) -> None:
        self._end, self._seconds = end, seconds
        self._timer: threading.Timer | None = None
        self.is_over = False

    def restart(self) -> None:
        self.stop()
        if self._seconds:
            self._timer = threading.Timer(self._seconds, self._finish)
            self._timer.daemon = True
            self._timer.start()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _finish(self) -> None:
        self.is_over = True
        self._end()


class WorkerProcess:
    """A Blender that does jobs."""

    def __init__(self, start: Sequence[str]) -> None:
        # A group of its own: Ctrl-C at the terminal is for the one who gives out the jobs.
        group = {"creationflags": 0x200} if sys.platform == "win32" else {"start_new_session": True}
        self._process = subprocess.Popen(
            [*start, "worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, **_ONE_THREAD},
            **group,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._questions, self._answers = self._process.stdin, self._process.stdout
        self.pid = self._process.pid

    def ask(self, question: dict[str, Any], *, limit: float = 0.0) -> dict[str, Any]:
        """Give it a job and wait for the answer.

        Args:
            limit: Seconds that each clip of the job may take; 0 for as long as it takes.

        Raises:
            WorkerOverdue: A clip took longer, and the process was ended.
            WorkerDied: It ended before it answered.
        """
        watch = _Watch(self.kill, limit)
        clip = ""
        try:
            watch.restart()
            self._send(question)
            while not (answer := self._next()).keys().isdisjoint(_SIGNS_OF_LIFE):
                watch.restart()
                clip = answer.get("clip", "")
            return answer
        except WorkerDied:
            if not watch.is_over:
                raise
            name = f"action '{clip}' " if clip else ""
            raise WorkerOverdue(f"{name}took longer than the time limit of {limit:g} s") from None
        finally:
            watch.stop()

    def _send(self, question: dict[str, Any]) -> None:
        try:
            self._questions.write(json.dumps(question) + "\n")
            self._questions.flush()
        except OSError:
            raise WorkerDied(self._why()) from None

    def _next(self) -> dict[str, Any]:
        for line in self._answers:
            if _MARK in line:
                answer: dict[str, Any] = json.loads(line.partition(_MARK)[2])
                return answer
        raise WorkerDied(self._why())

    def _why(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._process.wait(_PATIENCE)
            return f"signal {-code}" if code < 0 else f"exit code {code}"
        return "no answer"

    def close(self) -> None:
        """Let it end by itself, since no more jobs come."""
        with contextlib.suppress(OSError):
            self._questions.close()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it now, and what it has started: a script that starts Blender leaves none behind."""
        if self._process.poll() is None:
            self._kill_group()
        self._process.wait()

    def _kill_group(self) -> None:
        if sys.platform == "win32":
            self._process.kill()
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
