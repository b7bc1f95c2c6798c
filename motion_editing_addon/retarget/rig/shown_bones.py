"""Control rigs whose plain figure can be told: bones that show the pose beside controls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.rig import SHOWN, Figure
from ...border.armature import skeleton_of

if TYPE_CHECKING:
    from bpy.types import Object

    from ....core.motion import Skeleton


def is_control_rig(armature: Object) -> bool:
    """Whether there are bones that show the pose, and controls that a figure can be laid on."""
    names = armature.data.bones
    return "torso" in names and any(bone.name.startswith(f"{SHOWN}spine") for bone in names)


def figure_of(armature: Object) -> Skeleton:
    """The bones that a mapping speaks of: those of a control rig's plain figure, else all."""
    skeleton = skeleton_of(armature)
    return Figure.of(skeleton).plain if is_control_rig(armature) else skeleton
