"""The other end of a worker: starting it, asking it, and ending it. Needs nothing but Python itself.

Farm software copies this file to machines where the add-on is not a Python package.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

_MARK = "motion_edit:"
# Jobs, not algorithms, share the cores.
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB")}
_PATIENCE = 5.0  # seconds


class WorkerDied(Exception):  # noqa: N818 - it is no mistake of anyone's
    """The process ended in the middle of a job: killed, out of memory, or crashed."""


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
        self.pid = self._process.pid

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Give it a job and wait for the answer.

        Raises:
            WorkerDied: It ended before it answered.
        """
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise WorkerDied(self._why()) from None
        while True:
            answer = self._next()
            if "ready" not in answer:
                return answer

    def _next(self) -> dict[str, Any]:
        for line in self._process.stdout:
            if _MARK in line:
                return json.loads(line.partition(_MARK)[2])
        raise WorkerDied(self._why())

    def _why(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._process.wait(_PATIENCE)
            return f"signal {-code}" if code < 0 else f"exit code {code}"
        return "no answer"

    def close(self) -> None:
        """Let it end by itself, since no more jobs come."""
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it now."""
        self._process.kill()
        self._process.wait()
