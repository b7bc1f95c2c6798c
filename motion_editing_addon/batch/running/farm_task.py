"""What a Dask worker does: it keeps one Blender and hands jobs to it. Needs nothing of this add-on.

Machines whose Blender is started in another way say so in the variable MOTION_EDIT_COMMAND.
"""

from __future__ import annotations

import os
import shlex
import threading
from collections.abc import Sequence
from typing import Any

from .process import WorkerDied, WorkerOverdue, WorkerProcess

_KEPT = "_motion_edit"


def do(start: Sequence[str], question: dict[str, Any], limit: float) -> dict[str, Any]:
    """Do one job in the Blender of this worker.

    Raises:
        RuntimeError: Blender ended meanwhile; the scheduler then tries again.
    """
    from distributed import get_worker

    own = os.environ.get("MOTION_EDIT_COMMAND")
    worker = get_worker()
    # Kept with the worker, not in this module: the module arrives anew with every job.
    kept = worker.__dict__.setdefault(_KEPT, {"lock": threading.Lock(), "process": None})
    # A worker with several threads still has one Blender, which does one thing at a time.
    with kept["lock"]:
        if kept["process"] is None:
            kept["process"] = WorkerProcess(shlex.split(own) if own else list(start))
        try:
            process: WorkerProcess = kept["process"]
            return process.ask(question, limit=limit)
        except WorkerOverdue as death:
            kept["process"] = None
            return {"error": str(death)}
        except WorkerDied as death:
            kept["process"] = None
            raise RuntimeError(f"Blender ended while it worked on this ({death})") from None
