"""The scene at one frame of a clip for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy
import numpy as np

from .. import scope

if TYPE_CHECKING:
    from ...border.action_io import Clip


@contextmanager
def shown_at(clip: Clip, row: int) -> Iterator[None]:
    """Go to the frame of one of a clip's samples, and back."""
    scene = bpy.context.scene
    before = scene.frame_current, scene.frame_subframe
    frame = float(scope.to_scene(clip.armature, clip.frames[[row]])[0])
    whole = int(np.floor(frame))
    scene.frame_set(whole, subframe=frame - whole)
    try:
        yield
    finally:
        scene.frame_set(before[0], subframe=before[1])
