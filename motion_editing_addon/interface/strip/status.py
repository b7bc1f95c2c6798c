"""The hint in the status bar while the mouse is over a lane. One for all windows: there is one mouse."""

from __future__ import annotations

import bpy

from .. import status_bar

_hint = ""


def show(text: str) -> None:
    """Say what mouse and keys do here; nothing is set that is there already."""
    global _hint
    if text != _hint:
        _hint = text
        _set(text)


def clear() -> None:
    """Take the hint away; texts of other tools stay."""
    show("")


def forget() -> None:
    """Another text has taken the place of the hint."""
    global _hint
    _hint = ""


def shown() -> str:
    """The hint that is shown; empty for none."""
    return _hint


def _set(text: str) -> None:
    workspace = bpy.context.workspace
    if workspace is not None:
        if text:
            status_bar.show(workspace, text)
        else:
            status_bar.clear(workspace)
