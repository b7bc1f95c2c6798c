"""Rates of scenes and of files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy

from ...document import scope
from ...document.take.examination import STATED


def play_at(rate: float) -> None:
    """Let the scene play so many frames a second."""
    render = bpy.context.scene.render
    render.fps = max(1, round(rate))
    render.fps_base = render.fps / rate


@contextmanager
def rate_believed() -> Iterator[None]:
    """Believe the seconds of the file: a guess from the movement would change how long its clips are."""
    known = set(bpy.data.actions)
    yield
    for action in set(bpy.data.actions) - known:
        settings = action.motion_editing
        settings.source_rate, settings.source_rate_reason = scope.scene_rate(bpy.context), STATED
