"""The bones that a mapping speaks of: the plain figure inside a control rig, else all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.motion import Motion
from ...core.numerics import quaternion
from ..border.armature import skeleton_of
from ..document.character.character import Character

if TYPE_CHECKING:
    from bpy.types import Object

    from ...core.motion import Skeleton
    from ...core.rig import RiggedFigure


def rigged_figure(armature: Object) -> RiggedFigure | None:
    """The figure inside a control rig, if core knows how its controls move it."""
    rigged = Character.of(armature).rigged
    if rigged is None:
        return None
    skeleton = skeleton_of(armature)
    rest = Motion.build(
        skeleton, quaternion.identity(1, len(skeleton)), rate=1.0, locations=np.zeros((1, len(skeleton), 3))
    )
    return None if rigged.unknown(rest) else rigged


def figure_of(armature: Object) -> Skeleton:
    """Its skeleton, named without what marks bones of a rig."""
    rigged = rigged_figure(armature)
    return skeleton_of(armature) if rigged is None else rigged.figure.plain
