"""The menu that is open in the strip. One for all editors: there is one mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .popup import Popup


class Opened(NamedTuple):
    """A menu and the region it is in, by address."""

    popup: Popup
    region: int


_opened: Opened | None = None


def show(popup: Popup, region: int) -> None:
    """Draw this menu from now on."""
    global _opened
    _opened = Opened(popup, region)


def hide() -> None:
    """Draw no menu."""
    global _opened
    _opened = None


def in_region(region: int) -> Popup | None:
    """The menu to be drawn in a region."""
    return _opened.popup if _opened is not None and _opened.region == region else None
