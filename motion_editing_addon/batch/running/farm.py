"""The same jobs on a Dask cluster: several machines that see the same files under the same names."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from ....core.errors import MotionEditError
from . import farm_task, process

_PATIENCE = 20  # seconds until a scheduler must have answered
# How often the cluster may lose a worker in the middle of a clip before the clip is given up.
_MOST_LOSSES = 3


class FarmError(MotionEditError):
    """The cluster cannot be used; the message says what to do."""


class Tls(NamedTuple):
    """Files in PEM format: the authority that all machines trust, one's own certificate, and its key."""

    authority: str
    certificate: str
    key: str

    def settings(self) -> dict[str, Any]:
        """As Dask names them."""
        return {
            "require_encryption": True,
            "tls_ca_file": self.authority,
            "tls_client_cert": self.certificate,
            "tls_client_key": self.key,
        }


class _Carried:
    """The task with its code in the luggage; where it is unpacked it is the plain function."""

    def __init__(self) -> None:
        import cloudpickle

        for module in (farm_task, process):
            cloudpickle.register_pickle_by_value(import_module(module.__name__))
        self._unpack, self._code = cloudpickle.loads, cloudpickle.dumps(farm_task.do)

    def __reduce__(self) -> tuple[Any, ...]:
        # Dask would send the function's name only, and its workers do not know the add-on.
        return self._unpack, (self._code,)

    def __call__(self, start: Sequence[str], question: dict[str, Any], limit: float) -> dict[str, Any]:
        return farm_task.do(start, question, limit)


class DaskCrew:
    """Gives questions to a Dask cluster and collects answers as they come.

    Args:
        address: Of the scheduler.
        start: The command that starts a worker, where a machine has no other.
        questions: What to ask.
        limit: Seconds that a clip may take; 0 for as long as it takes.
        tls: How to prove who one is; Dask's own configuration tells if not given.
    """

    def __init__(
        self,
        address: str,
        start: Sequence[str],
        questions: Sequence[dict[str, Any]],
        *,
        limit: float = 0.0,
        tls: Tls | None = None,
    ) -> None:
        self._distributed = _distributed()
        self._task = _Carried()
        self._start, self._questions, self._limit = list(start), questions, limit
        try:
            security = None if tls is None else self._distributed.Security(**tls.settings())
            self._client = self._distributed.Client(address, timeout=_PATIENCE, security=security)
        except TypeError:  # as Dask says that it has no certificates
            raise FarmError(f"{address} needs certificates: give them with --dask-tls") from None
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
        return self._client.submit(self._task, self._start, question, self._limit, pure=False, retries=_MOST_LOSSES)


def _answer(future: Any) -> dict[str, Any]:
    if future.status == "finished":
        return dict(future.result())
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
