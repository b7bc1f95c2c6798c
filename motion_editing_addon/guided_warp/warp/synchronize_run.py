"""How a motion is brought into step with another."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import bpy

from ....core.errors import MotionEditError
from ....core.guided_warp import Synchronize
from ...document import scope
from ...interface.operators.take_run import TakeRun
from .warp_take import WarpTake

if TYPE_CHECKING:
    import numpy as np

    from ...border.action_io import Clip
    from ...document.take.clip_take import ClipTake


class SynchronizeRun(TakeRun):
    """One call of Synchronize."""

    def take_of(self, clip: Clip, joints: np.ndarray) -> WarpTake:
        """A take that knows other actions."""
        return WarpTake(clip, joints)

    def tool_for(self, take: ClipTake) -> Synchronize:
        """With the other selected armature's action where none is named."""
        tool: Synchronize = self.operator.present_tool()
        if tool.reference_action:
            return tool
        known: dict[str, Any] = {each.name: getattr(tool, each.name) for each in fields(tool)}
        return Synchronize(**known | {"reference_action": _other_action(take.clip.armature)})


def _other_action(armature: Any) -> str:
    """The action of the other selected armature."""
    for other in scope.selected_objects(bpy.context):
        action = scope.action_of(other)
        if other != armature and scope.is_armature(other) and action is not None:
            return str(action.name)
    raise MotionEditError("Name the action to follow, or select its armature as well")
