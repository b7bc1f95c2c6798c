"""The warp that the mouse is setting at present, for whoever shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...interface import strip

if TYPE_CHECKING:
    from ....core.guided_warp import Keytimes
    from ....core.motion import TimeMap


class LiveWarp(NamedTuple):
    """What would become of an armature's motion."""

    armature: str
    keytimes: Keytimes
    time_map: TimeMap


_shown: LiveWarp | None = None


def show(armature: str, keytimes: Keytimes, time_map: TimeMap) -> None:
    """Have it shown."""
    global _shown
    _shown = LiveWarp(armature, keytimes, time_map)
    strip.redraw()


def hide() -> None:
    """Nothing is being set."""
    global _shown
    if _shown is not None:
        _shown = None
        strip.redraw()


def shown_of(armature: str) -> LiveWarp | None:
    """What would become of an armature's motion; None while nothing is being set."""
    return _shown if _shown is not None and _shown.armature == armature else None
