"""How a gap is bridged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ....core.blending import bridge
from ....core.cleaning import Flaw, FlawKind, repaired
from ....core.editing import standing_still
from ....core.errors import MotionEditError
from ...document import scope
from ...document.character.carried_figure import refuse_left_behind
from .character_run import CharacterRun

if TYPE_CHECKING:
    import numpy as np

    from ....core.motion import Motion
    from ...border.action_io import Clip
    from ...document.take.clip_take import ClipTake
    from ..bridge_operator import MOTIONEDIT_OT_bridge_gap


class BridgeRun(CharacterRun):
    """One call of Bridge Gap."""

    def __init__(self, operator: MOTIONEDIT_OT_bridge_gap) -> None:
        """Nothing is read yet."""
        super().__init__(operator)
        # First and last row of the gap in the whole action, by armature.
        self._ends: dict[str, tuple[int, int]] = {}

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
        self._ends[clip.armature.name] = int(first), int(last)
        return super().take_of(whole, joints)

    def ends(self, take: ClipTake) -> tuple[int, int]:
        """First and last row of the gap."""
        return self._ends[take.clip.armature.name]

    def examine(self, take: ClipTake) -> None:
        """All that follows is carried on as one."""
        if self.operator.carry:
            refuse_left_behind(take.clip, take.carried, take.body)

    def change(self, take: ClipTake) -> Motion:
        """Poses filled in, all that follows carried on if that is wanted."""
        first, last = self.ends(take)
        if not self.operator.carry:
            return _filled(take, first, last)
        motion = take.carried
        parts = motion.part(0, first + 1), motion.part(last, len(motion))
        return bridge(*parts, take.body, gap=(last - first) / motion.rate).motion

    def held(self, take: ClipTake, after: Motion) -> Motion:
        """Contacts in the gap stand still."""
        first, last = self.ends(take)
        return standing_still(after, take.body, first=first, last=last)


def _filled(take: ClipTake, first: int, last: int) -> Motion:
    names = [name for name, chosen in zip(take.motion.skeleton.names, take.joints, strict=True) if chosen]
    flaws = [
        Flaw(FlawKind.MISSING, name, channel, first + 1, last - 1, 0.0)
        for name in names
        for channel in ("rotation", "location", "scale")
    ]
    return repaired(take.motion, flaws)
