"""How a motion is blended with another one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import bpy

from ....core.blending import Partner, beside
from ...border.action_io.any_frames import read_frames
from ...document import scope
from ...document.character.carriers import carried_motion
from ...document.take.clip_take import ClipTake
from ...interface.operators.take_run import TakeRun
from ..partner.other_motion import other_motion, with_numbers_of

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context

    from ....core.blending import BlendAction
    from ...border.action_io import Clip, WriteReport
    from ...interface.operators.operator import MotionEditOperator


class BlendRun(TakeRun):
    """One call of Blend With Action."""

    def __init__(self, operator: MotionEditOperator) -> None:
        """No other motion is known yet."""
        super().__init__(operator)
        # By armature: both motions side by side, (J,) joints that the other has, and what is missing.
        self._pairs: dict[str, tuple[Partner, np.ndarray, str]] = {}

    def begin(self, context: Context) -> None:
        """Read both motions before anything is shown: an action that is played to be read resets the pose."""
        super().begin(context)
        for take in self.takes:
            self.tool_for(take)
        context.view_layer.update()

    def take_of(self, clip: Clip, joints: np.ndarray) -> ClipTake:
        """What was read, which knows the other motion's numbers too."""
        self.operator.take_from_panel(bpy.context)
        return ClipTake(with_numbers_of(bpy.context, clip, self.operator.present_tool()), joints)

    def tool_for(self, take: ClipTake) -> BlendAction:
        """The tool, which knows both motions."""
        tool: BlendAction = super().tool_for(take)
        name = take.clip.armature.name
        if name not in self._pairs:
            self._pairs[name] = self._pair(take, tool)
        partner, present, _missing = self._pairs[name]
        return replace(tool, partner=partner, present=present)

    def remarks(self, reports: list[WriteReport]) -> str:
        """Numbers, and bones that the other motion lacks."""
        return super().remarks(reports) + next((missing for *_pair, missing in self._pairs.values() if missing), "")

    def _pair(self, take: ClipTake, tool: BlendAction) -> tuple[Partner, np.ndarray, str]:
        clip = take.clip
        # Whole actions run beside each other; the range only says what of it is blended.
        whole = clip if self.operator.range == "ACTION" else _whole(clip)
        other = other_motion(bpy.context, whole, tool)
        own = carried_motion(clip, take.body, other.motion)
        shown = beside(whole.motion, other.motion, take.body, name=other.name, timing=tool.timing, offset=tool.offset)
        first, last = whole.frames.searchsorted(clip.frames[[0, -1]] - 1e-3)
        partner = Partner.of(own, shown.part(first, last + 1), take.body, ground=tool.ground)
        return partner, other.present, other.missing_text()


def _whole(clip: Clip) -> Clip:
    """The whole action, with the numbers that the clip knows."""
    whole = scope.read_clip(bpy.context, clip.armature)
    return read_frames(clip.armature, whole.frames, rate=whole.motion.rate, scalars=clip.channels.scalars)
