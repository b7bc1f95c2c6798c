"""Several workers side by side; a clip that ends one of them is tried once more, and then given up.

A clip that takes too long is given up at once, with its worker.
"""

from __future__ import annotations

import contextlib
import queue
import signal
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from .process import WorkerDied, WorkerOverdue, WorkerProcess

# A worker may have been ended by someone else; a clip that ends two workers is the reason itself.
_MOST_TRIES = 2


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """A second Ctrl-C, or whatever stops us, does not keep the first from ending all workers."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    usual = [signal.signal(number, signal.SIG_IGN) for number in numbers]
    try:
        yield
    finally:
        for number, answer in zip(numbers, usual, strict=True):
            signal.signal(number, answer)


Question = dict[str, Any]
Answer = dict[str, Any]


class Pool:
    """Gives questions to worker processes and collects answers as they come.

    Args:
        start: The command that starts a worker.
        questions: What to ask.
        jobs: How many workers.
        limit: Seconds that a clip may take; 0 for as long as it takes.
    """

    def __init__(self, start: Sequence[str], questions: Sequence[Question], *, jobs: int, limit: float = 0.0) -> None:
        self._start, self._limit = start, limit
        self._waiting: queue.SimpleQueue[tuple[int, int, Question]] = queue.SimpleQueue()
        for number, question in enumerate(questions):
            self._waiting.put((number, 1, question))
        self._answers: queue.SimpleQueue[tuple[int, Answer]] = queue.SimpleQueue()
        self._count, self._jobs = len(questions), min(jobs, len(questions))
        self._stopping = threading.Event()
        self._processes: dict[threading.Thread, WorkerProcess] = {}
        self._guard = threading.Lock()

    def answers(self) -> Iterator[tuple[int, Answer]]:
        """Number of the question and the answer, in the order in which they come.

        Leaving early ends all workers.
        """
        threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(self._jobs)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(self._count):
                yield self._next()
        finally:
            with _uninterrupted():
                self._stop()
                for thread in threads:
                    thread.join()

    def pids(self) -> list[int]:
        """Numbers of the worker processes that are running."""
        with self._guard:
            return [process.pid for process in self._processes.values()]

    def _next(self) -> tuple[int, Answer]:
        # In slices: where waiting cannot be interrupted, Ctrl-C is noticed between them.
        while True:
            with contextlib.suppress(queue.Empty):
                return self._answers.get(timeout=0.5)

    def _stop(self) -> None:
        """End the workers that still have something to do; the others end by themselves."""
        self._stopping.set()
        with self._guard:
            for process in self._processes.values():
                process.kill()

    def _serve(self) -> None:
        """One thread: keep a worker alive and give it questions."""
        process: WorkerProcess | None = None
        while not self._stopping.is_set():
            try:
                number, tries, question = self._waiting.get(timeout=0.05)
            except queue.Empty:
                # Another worker may yet die and hand its question back.
                continue
            process = process or self._started()
            try:
                self._answers.put((number, process.ask(question, limit=self._limit)))
            except WorkerDied as death:
                process = None
                self._handle_death(number, tries, question, death)
        self._forget(process)

    def _handle_death(self, number: int, tries: int, question: Question, death: WorkerDied) -> None:
        if self._stopping.is_set():
            return
        if isinstance(death, WorkerOverdue):
            self._answers.put((number, {"error": str(death)}))
        elif tries < _MOST_TRIES:
            self._waiting.put((number, tries + 1, question))
        else:
            self._answers.put((number, {"error": f"Blender ended {tries} times while it worked on this ({death})"}))

    def _started(self) -> WorkerProcess:
        process = WorkerProcess(self._start)
        with self._guard:
            self._processes[threading.current_thread()] = process
        if self._stopping.is_set():
            process.kill()
        return process

    def _forget(self, process: WorkerProcess | None) -> None:
        with self._guard:
            self._processes.pop(threading.current_thread(), None)
        if process is not None:
            process.close()
