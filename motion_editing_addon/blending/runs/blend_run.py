"""How a motion is blended with another one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import bpy

from ....core.blending import Partner, beside, weights_over
from ....core.motion import within_scope
from ...border.action_io.any_frames import read_frames
from ...document import scope
from ...document.character.carried_figure import refuse_left_behind
from ...document.character.carriers import carried_motion
from .character_run import CharacterRun

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context

    from ....core.motion import Motion
    from ...border.action_io import Clip, WriteReport
    from ...document.take.clip_take import ClipTake
    from ..blend_operator import MOTIONEDIT_OT_blend_action


class BlendRun(CharacterRun):
    """One call of Blend With Action."""

    def __init__(self, operator: MOTIONEDIT_OT_blend_action) -> None:
        """No other motion is known yet."""
        super().__init__(operator)
        self._partners: list[tuple[ClipTake, Partner, np.ndarray]] = []
        self._missing: list[str] = []

    def begin(self, context: Context) -> None:
        """Read both motions before anything is shown: an action that is played to be read resets the pose."""
        super().begin(context)
        for take in self.takes:
            self._partner(take)
        context.view_layer.update()

    def take_of(self, clip: Clip, joints: np.ndarray) -> ClipTake:
        """What was read, which knows the other motion's numbers too."""
        return super().take_of(self.operator.knowing_other(bpy.context, clip), joints)

    def examine(self, take: ClipTake) -> None:
        """The other motion is carried to this one as a whole."""
        if self.operator.ground != "PLACES":
            refuse_left_behind(take.clip, take.carried, take.body)

    def change(self, take: ClipTake) -> Motion:
        """The blend; bones that the other motion lacks keep their own."""
        operator = self.operator
        partner, present = self._partner(take)
        weights = weights_over(take.motion.times, operator.weight, profile=operator.profile, fade=operator.fade)
        blended = partner.blended(weights)
        return take.motion if blended is partner.own else within_scope(take.motion, blended, present)

    def remarks(self, reports: list[WriteReport]) -> str:
        """Numbers, and bones that the other motion lacks."""
        return super().remarks(reports) + next(filter(None, self._missing), "")

    def _partner(self, take: ClipTake) -> tuple[Partner, np.ndarray]:
        """Both motions side by side, and (J,) the joints that the other has."""
        known = next((entry for entry in self._partners if entry[0] is take), None)
        if known is None:
            known = take, *self._find_partner(take)
            self._partners.append(known)
        return known[1:]

    def _find_partner(self, take: ClipTake) -> tuple[Partner, np.ndarray]:
        clip, operator = take.clip, self.operator
        # Whole actions run beside each other; the range only says what of it is blended.
        whole = clip if operator.range == "ACTION" else _whole(clip)
        other = operator.other(bpy.context, whole)
        self._missing.append(other.missing_text())
        own = carried_motion(clip, take.body, other.motion)
        timing = {"timing": operator.timing, "offset": operator.offset}
        shown = beside(whole.motion, other.motion, take.body, name=other.name, **timing)
        shown = replace(shown, skeleton=own.skeleton, carriers=own.carriers)
        first, last = whole.frames.searchsorted(clip.frames[[0, -1]] - 1e-3)
        return Partner.of(own, shown.part(first, last + 1), take.body, ground=operator.ground), other.present


def _whole(clip: Clip) -> Clip:
    """The whole action, with the numbers that the clip knows."""
    whole = scope.read_clip(bpy.context, clip.armature)
    return read_frames(clip.armature, whole.frames, rate=whole.motion.rate, scalars=clip.channels.scalars)
