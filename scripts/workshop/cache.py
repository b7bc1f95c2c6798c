"""What keeps the cache folder sound: locks between parallel runs, and stamps on finished work."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from .command_line import say
from .places import cache_folder


class SetupError(Exception):
    """Something that is needed could not be set up; the message says what and why."""


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
