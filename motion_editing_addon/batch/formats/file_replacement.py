"""Files that appear whole or not at all: written beside, then put in place."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ....core.errors import FileWriteError

# Folder below the output folder with records, pictures and what is being written.
PRIVATE = ".motion_edit"
_WORK = "work-"
# Seconds after which nobody is writing any more what is being written.
_OLD = 86_400.0


class Work:
    """Files being written, by their names below the output folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: list[Path] = []

    def written(self) -> list[Path]:
        """The named files, and then those that writers put beside them: textures, buffers."""
        files = sorted(path.relative_to(self.folder) for path in self.folder.rglob("*") if path.is_file())
        return sorted(files, key=lambda name: self.names.index(name) if name in self.names else len(self.names))

    def place(self, name: Path) -> Path:
        """Where to write a file for now."""
        self.names.append(name)
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


@contextmanager
def replaced(out: Path, *, run: str) -> Iterator[Work]:
    """Everything that was written within is put in place at the end; after an error nothing is.

    Args:
        run: Of which run this is; see `clear_work`.

    Raises:
        FileWriteError: The folder cannot be written to, or the disk is full.
    """
    folder: Path | None = None
    try:
        private = out / PRIVATE
        private.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f"{_WORK}{run}-", dir=private))
        work = Work(folder)
        yield work
        _put_in_place(work, out)
    except OSError as error:
        raise FileWriteError(f"{error.filename or out}: cannot be written: {error.strerror}") from None
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _put_in_place(work: Work, out: Path) -> None:
    """Move all files, those that others refer to (textures, buffers) before the named ones."""
    work.names = work.written()
    for name in reversed(work.names):
        with (work.folder / name).open("rb+") as file:
            os.fsync(file.fileno())  # else a power cut may leave an empty file under the final name
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(work.folder / name, out / name)


def content_key(path: Path) -> str:
    """The same for files with the same bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def holds(path: Path, key: str) -> bool:
    """Whether a file is there, can be read and has the bytes to which a key belongs."""
    try:
        return path.is_file() and content_key(path) == key
    except OSError:
        return False


def write_text(path: Path, text: str) -> None:
    """Write a text whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{_WORK}{os.getpid()}-{path.name}")
    try:
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def clear_work(out: Path, *, run: str) -> None:
    """Remove what processes of a run left that were ended while they wrote.

    Other runs may write into the same folder now; of theirs only what is a day old is removed.
    """
    for path in (out / PRIVATE).glob(f"**/{_WORK}*"):
        if not (path.name.startswith(f"{_WORK}{run}-") or _is_old(path)):
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _is_old(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime > _OLD
    except OSError:  # its own run has just removed it
        return False
