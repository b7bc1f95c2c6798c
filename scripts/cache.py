"""The cache folder outside the checkout, and the lock that keeps parallel runs apart."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PROJECT = Path(__file__).resolve().parent.parent
_print_lock = threading.Lock()


class SetupError(Exception):
    """Something that is needed could not be set up; the message says what and why."""


def cache_folder() -> Path:
    """Give the folder for environments: $MOTION_EDITING_CACHE or ~/.cache/motion_editing."""
    chosen = os.environ.get("MOTION_EDITING_CACHE")
    folder = Path(chosen) if chosen else Path.home() / ".cache" / "motion_editing"
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


def say(text: str) -> None:
    """Print one whole line at once: several threads report progress."""
    with _print_lock:
        print(text, flush=True)


def stop_with(reason: str) -> None:
    """End the program because of what was asked of it: one line, exit code 2."""
    print(f"error: {reason}", file=sys.stderr)
    raise SystemExit(2)


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Hold the lock of one part of the cache.

    The operating system frees it when the process ends, however it ends, so there is
    never a stale lock to clean up.
    """
    with (cache_folder() / f"{name}.lock").open("a+") as file:
        _take_lock(file, name)
        yield


def _take_lock(file: IO[str], name: str) -> None:
    """Wait until the lock is ours; say so once when another run holds it."""
    told = False
    while not _try_lock(file):
        if not told:
            say(f"[{name}] another run is setting this up, waiting for it")
            told = True
        time.sleep(0.5)


def _try_lock(file: IO[str]) -> bool:
    """Take the lock if it is free."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def is_complete(folder: Path, stamp: str) -> bool:
    """Tell whether the folder was finished, and for exactly these requirements."""
    file = folder / "complete.stamp"
    return file.is_file() and file.read_text() == stamp


def mark_complete(folder: Path, stamp: str) -> None:
    """Write the stamp; the last thing done, so a half-built folder never has one."""
    unfinished = folder / "complete.stamp.new"
    unfinished.write_text(stamp)
    unfinished.replace(folder / "complete.stamp")


def remove(folder: Path) -> None:
    """Delete an unfinished or outdated folder, its stamp first."""
    (folder / "complete.stamp").unlink(missing_ok=True)
    if folder.exists():
        shutil.rmtree(folder)
