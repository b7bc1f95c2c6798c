"""The same jobs on a Dask cluster: several machines that see the same files under the same names."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from ...core.errors import MotionEditError
from . import farm_task, process

_PATIENCE = 20  # seconds until a scheduler must have answered
# How often the cluster may lose a worker in the middle of a clip before the clip is given up.
_MOST_LOSSES = 3


class FarmError(MotionEditError):
    """The cluster cannot be used; the message says what to do."""


class _Carried:
    """The task with its code in the luggage; where it is unpacked it is the plain function."""

    def __init__(self) -> None:
        import cloudpickle

        for module in (farm_task, process):
            cloudpickle.register_pickle_by_value(module)
        self._unpack, self._code = cloudpickle.loads, cloudpickle.dumps(farm_task.do)

    def __reduce__(self) -> tuple[Any, ...]:
        # Dask would send the function's name only, and its workers do not know the add-on.
        return self._unpack, (self._code,)

    def __call__(self, start: Sequence[str], question: dict[str, Any]) -> dict[str, Any]:
        return farm_task.do(start, question)


class DaskCrew:
    """Gives questions to a Dask cluster and collects answers as they come."""

    def __init__(self, address: str, start: Sequence[str], questions: Sequence[dict[str, Any]]) -> None:
        self._distributed = _distributed()
        self._task = _Carried()
        self._start, self._questions = list(start), questions
        try:
            self._client = self._distributed.Client(address, timeout=_PATIENCE)
        except (OSError, ValueError) as error:
            reason = str(error) or type(error).__name__
            raise FarmError(f"there is no Dask scheduler at {address}: {reason.splitlines()[0]}") from None

    def answers(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Number of the question and the answer, in the order in which they come; each once.

        A worker that is lost hands its clip back to the scheduler. Doing a clip again gives the same
        file, which takes the place of the first at once, so nothing is doubled.
        """
        futures = {self._submitted(question): number for number, question in enumerate(self._questions)}
        try:
            for future in self._distributed.as_completed(list(futures)):
                yield futures[future], _answer(future)
        finally:
            self._client.cancel(list(futures))
            self._client.close()

    def _submitted(self, question: dict[str, Any]) -> Any:
        return self._client.submit(self._task, self._start, question, pure=False, retries=_MOST_LOSSES)


def _answer(future: Any) -> dict[str, Any]:
    if future.status == "finished":
        return future.result()
    if future.status == "error":
        return {"error": f"the farm gave up: {' '.join(str(future.exception()).split())}"}
    return {"error": "the Dask scheduler is gone; --resume goes on where it was"}


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise FarmError("--dask needs the package 'distributed': pip install distributed") from None
    # A long table about Python and NumPy of all machines; the task needs nothing but Python, and Blender is its own.
    warnings.filterwarnings("ignore", category=distributed.versions.VersionMismatchWarning)
    logging.getLogger("distributed.client").disabled = True  # what it tells in a page, answers tell in a line
    return distributed
