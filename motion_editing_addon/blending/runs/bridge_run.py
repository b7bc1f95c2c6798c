"""How a gap is bridged."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import bpy

from ....core.errors import MotionEditError
from ...document import scope
from ...document.take.clip_take import ClipTake
from ...interface.operators.take_run import TakeRun

if TYPE_CHECKING:
    import numpy as np

    from ....core.blending import BridgeGap
    from ...border.action_io import Clip
    from ...interface.operators.operator import MotionEditOperator


class BridgeRun(TakeRun):
    """One call of Bridge Gap."""

    def __init__(self, operator: MotionEditOperator) -> None:
        """Nothing is read yet."""
        super().__init__(operator)
        # First and last row of the gap in the whole action, by armature.
        self._gaps: dict[str, tuple[int, int]] = {}

    def take_of(self, clip: Clip, joints: np.ndarray) -> ClipTake:
        """The whole action: the speeds beside the gap count."""
        whole = scope.read_clip(bpy.context, clip.armature)
        first, last = whole.frames.searchsorted(clip.frames[[0, -1]] - 1e-3)
        if first < 1 or last > len(whole.frames) - 2:
            raise MotionEditError(
                "Choose a Range with motion before and after it: its speeds are met at the gap's ends"
            )
        if last - first < 2:
            raise MotionEditError("The range has no frames between its ends: choose a longer one")
        self._gaps[clip.armature.name] = int(first), int(last)
        return ClipTake(whole, joints)

    def tool_for(self, take: ClipTake) -> BridgeGap:
        """The tool, which knows the gap."""
        tool: BridgeGap = super().tool_for(take)
        return replace(tool, gap=self._gaps[take.clip.armature.name])
