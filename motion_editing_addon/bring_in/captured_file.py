"""BVH files, whose unit nothing states: read once, measured, and put on bones of the right size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ... import core
from ...core.errors import MotionEditError
from ..border.translation import told_by

if TYPE_CHECKING:
    from pathlib import Path

    from bpy.types import Context


def add(context: Context, path: Path, *, up: str, size: str, scale: float) -> list[str]:
    """Add the armature of a file with its rate and reference frames; what people should know of its size.

    Raises:
        MotionEditError: It cannot be read.
    """
    motion = core.files.read_bvh(path).to_motion()
    body = core.body.find_body(motion.skeleton, motion=motion)
    found = core.analysis.find_unit(body.height if size == "METRES" else None, person=core.body.is_person(body))
    try:
        bpy.ops.motion_editing.import_bvh(filepath=str(path), up=up, scale=scale * found.factor, fit_scene=False)
    except RuntimeError as error:
        raise MotionEditError(told_by(str(error).strip())) from None
    return [] if found.is_unit else [f"{path.name}: its unit is not known, so the figure got a usual size"]
