"""Batches on the GPU, kept until what they show changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

Built = TypeVar("Built")
Owner = TypeVar("Owner")


class Kept(Generic[Built]):
    """The last thing built for each name, and how often anything was built.

    Attributes:
        builds: Counts what was built; a redraw of something unchanged adds nothing.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.builds = 0
        self._built: dict[str, tuple[Hashable, Built]] = {}

    def get(self, name: str, key: Hashable, build: Callable[[], Built]) -> Built:
        """What was built for the name; built anew if the key is another one."""
        known = self._built.get(name)
        if known is not None and known[0] == key:
            return known[1]
        made = build()
        self.builds += 1
        self._built[name] = (key, made)
        return made

    def forget(self, name: str) -> None:
        """Let go of what was built for the name."""
        self._built.pop(name, None)

    def forget_all(self, beginning: str) -> None:
        """Let go of what was built for all names that begin so."""
        for name in [name for name in self._built if name.startswith(beginning)]:
            self.forget(name)

    def clear(self) -> None:
        """Let go of everything."""
        self._built.clear()

    def __len__(self) -> int:
        return len(self._built)


class KeptWithOwner(Generic[Owner, Built]):
    """What was built for each owner, for as long as the owner lives.

    Attributes:
        builds: Counts what was built.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.builds = 0
        self._built: WeakKeyDictionary[Owner, Built] = WeakKeyDictionary()

    def get(self, owner: Owner, build: Callable[[], Built]) -> Built:
        """What was built for the owner; built if it is asked for the first time."""
        made = self._built.get(owner)
        if made is None:
            made = self._built[owner] = build()
            self.builds += 1
        return made

    def clear(self) -> None:
        """Let go of everything."""
        self._built.clear()

    def __len__(self) -> int:
        return len(self._built)
