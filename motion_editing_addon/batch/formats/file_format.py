"""A kind of file with motion, and the register of all kinds."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, ClassVar

from ....core.errors import FileFormatError
from . import kinds

if TYPE_CHECKING:
    from pathlib import Path


class FileFormat:
    """How files of a format are read and written; a subclass in a file of `kinds` is all that a format needs.

    Attributes:
        name: As people call it.
        suffixes: With which names of its files end, in small letters.
        note: What is special about reading and writing it, in sentences for the manual.
        holds_one_clip: A file has no room for more than the active armature with one action.
        is_whole_scene: A file is everything that there is in Blender: its scene and rate, and the keys from before.
        needs_keys: What an action has no keys for is nowhere in a file.
    """

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    note: ClassVar[str]
    holds_one_clip: ClassVar[bool] = False
    is_whole_scene: ClassVar[bool] = False
    needs_keys: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Register it."""
        _kinds[cls.name] = cls

    def load(self, path: Path) -> None:
        """Read a file into the scene, or in the scene's place."""
        raise NotImplementedError

    def load_beside(self, path: Path) -> None:
        """Read a file next to what is in the scene."""
        self.load(path)

    def save(self, path: Path, like: Path) -> tuple[str, ...]:
        """Write what the scene shows.

        Args:
            path: The file to write; it is moved afterwards.
            like: The file whose habits to keep, where it has this format too.

        Returns:
            What the format could not hold.
        """
        raise NotImplementedError


_kinds: dict[str, type[FileFormat]] = {}


def formats() -> list[FileFormat]:
    """All formats, by name; those that are whole scenes last."""
    _find_kinds()
    return [_kinds[name]() for name in sorted(_kinds, key=lambda name: (_kinds[name].is_whole_scene, name))]


@cache
def _find_kinds() -> None:
    for module in iter_modules(kinds.__path__, f"{kinds.__name__}."):
        import_module(module.name)


def suffixes() -> tuple[str, ...]:
    """With which names of files with motion end."""
    return tuple(suffix for each in formats() for suffix in each.suffixes)


def format_of(path: Path) -> FileFormat:
    """The format of a file by its name.

    Raises:
        FileFormatError: It has none of them.
    """
    found = next((each for each in formats() if path.suffix.lower() in each.suffixes), None)
    if found is None:
        raise FileFormatError(f"{path}: not one of {', '.join(suffixes())}")
    return found


def is_known(path: Path) -> bool:
    """Whether a file has one of the formats, by its name."""
    return path.suffix.lower() in suffixes()
