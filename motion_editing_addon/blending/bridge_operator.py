"""Bridge Gap: new poses over frames that are wrong, or between two parts that do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty
from bpy.types import Operator

from ..document import scope
from ..interface.shared_options import RANGE
from .character_edit import CharacterEdit

if TYPE_CHECKING:
    import numpy as np

    from ...core.motion import Motion
    from ..border.action_io import Clip
    from ..border.steps import Steps
    from ..document.take.clip_facts import ClipFacts
    from ..interface.operators.operator import Carry


class MOTIONEDIT_OT_bridge_gap(CharacterEdit, Operator):
    """Interpolate over the range from its first pose to its last"""

    bl_idname = "motion_editing.bridge_gap"
    bl_label = "Bridge Gap"
    verb = "Bridged"
    own = ("carry",)

    range: EnumProperty(**RANGE, items=scope.RANGES, default="KEYS")
    carry: BoolProperty(
        name="Carry the Rest",
        description="Move what follows, so that the character keeps its speed",
        default=False,
    )

    _ends = (0, 0)

    def plan(self, clip: Clip, joints: np.ndarray) -> Steps[Carry]:
        """Read the whole action: the speeds beside the gap count."""
        from ...core.errors import MotionEditError

        whole = scope.read_clip(bpy.context, clip.armature)
        first, last = whole.frames.searchsorted(clip.frames[[0, -1]] - 1e-3)
        if first < 1 or last > len(whole.frames) - 2:
            raise MotionEditError(
                "Choose a Range with motion before and after it: its speeds are met at the gap's ends"
            )
        if last - first < 2:
            raise MotionEditError("The range has no frames between its ends: choose a longer one")
        self._ends = int(first), int(last)
        return (yield from super().plan(whole, joints))

    def examine(self, facts: ClipFacts) -> None:
        """All that follows is carried on as one."""
        from ..document.character.carried_figure import refuse_left_behind

        if self.carry:
            refuse_left_behind(facts.clip, facts.carried, facts.body)

    def change(self, facts: ClipFacts, joints: np.ndarray) -> Motion:
        """Poses filled in, all that follows carried on if that is wanted."""
        from ...core.blending import bridge

        motion, (first, last) = facts.carried, self._ends
        if not self.carry:
            return self._filled(facts.clip.motion, joints)
        parts = motion.part(0, first + 1), motion.part(last, len(motion))
        return bridge(*parts, facts.body, gap=(last - first) / motion.rate).motion

    def _filled(self, motion: Motion, joints: np.ndarray) -> Motion:
        from ...core.cleaning import Flaw, FlawKind, repaired

        first, last = self._ends
        names = [name for name, chosen in zip(motion.skeleton.names, joints, strict=True) if chosen]
        flaws = [
            Flaw(FlawKind.MISSING, name, channel, first + 1, last - 1, 0.0)
            for name in names
            for channel in ("rotation", "location", "scale")
        ]
        return repaired(motion, flaws)

    def held(self, facts: ClipFacts, after: Motion) -> Motion:
        """Contacts in the gap stand still."""
        from ...core.editing import standing_still

        return standing_still(after, facts.body, first=self._ends[0], last=self._ends[1])


classes = (MOTIONEDIT_OT_bridge_gap,)
