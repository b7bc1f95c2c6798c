"""Files with motion: into an empty Blender, and out of it again."""

from __future__ import annotations

from pathlib import Path

import bpy

from ....core.errors import FileFormatError, FileWriteError
from .blender_errors import reason_of
from .file_format import format_of


def start_empty() -> None:
    """A scene with nothing in it; the add-on stays."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


def load(path: Path, *, beside: bool = False) -> None:
    """Read a file into the scene; one that is a whole scene takes the scene's place, unless it comes beside.

    Raises:
        FileFormatError: It cannot be read; the reason in one line.
    """
    if not path.is_file():
        raise FileFormatError(f"{path}: there is no {'motion in this folder' if path.is_dir() else 'such file'}")
    try:
        kind = format_of(path)
        (kind.load_beside if beside else kind.load)(path)
    except RuntimeError as error:
        reason = reason_of(error)
        raise FileFormatError(reason if path.name in reason else f"{path}: {reason}") from None
    except (ValueError, KeyError, IndexError, AttributeError, TypeError, OSError) as error:
        # Blender's importers are Python too, and trip over broken files.
        raise FileFormatError(f"{path}: the file is damaged: {error!r}") from None


def save(path: Path, *, like: Path) -> tuple[str, ...]:
    """Write what the scene shows in the format of the file's name.

    Args:
        like: The file that the armature comes from; its habits are kept where it has the same format.

    Returns:
        What the format could not hold.

    Raises:
        FileWriteError: It could not be written; the reason in one line.
    """
    try:
        warnings = format_of(path).save(path, like)
    except (RuntimeError, OSError) as error:
        raise FileWriteError(f"{path.name} cannot be written: {reason_of(error)}") from None
    if not path.is_file() or not path.stat().st_size:
        raise FileWriteError(f"{path.name} cannot be written: is the disk full?")
    return warnings
