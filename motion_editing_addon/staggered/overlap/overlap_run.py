"""How overlap is written: baked bones get other values, hand-set keys move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ....core.motion import Ends, TimeMap
from ....core.staggered import Overlap, depths_in_take
from ...border import action_io
from ...border.action_io.reduction.sparse_keys import Closely, carry_following
from ...border.key_options import AUTOMATIC
from ...document.take.clip_take import ClipTake
from ...interface.operators.take_run import TakeRun
from ..edits import loops

if TYPE_CHECKING:
    from ....core.editing import Change
    from ...border.action_io import Clip, Plan, WriteReport
    from ...border.steps import Steps
    from ...document.take.tool_run import Carry


class LoopTake(ClipTake):
    """A take that knows whether its motion plays round and round."""

    @property
    def seam(self) -> float | None:
        """Seconds between two rounds of a loop."""
        return loops.seam_of(self.clip)


class OverlapRun(TakeRun):
    """One call of Overlap."""

    def take_of(self, clip: Clip, joints: np.ndarray) -> LoopTake:
        """What was read."""
        return LoopTake(clip, joints)

    def examine(self, take: ClipTake) -> None:
        """Refuse bones of which none is below another."""
        super().examine(take)
        if not depths_in_take(take).any():
            raise MotionEditError("Select two bones or more in a row, such as a tail, or an arm with its hand")

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Move hand-set keys; everything else gets other values."""
        tool = self.operator.present_tool()
        if isinstance(tool, Overlap) and self.operator.keying == AUTOMATIC and _is_hand_keyed(take):
            self.examine(take)
            yield 0.5
            return lambda: _move_keys(take, tool)
        return (yield from super().plan(take))

    def writing(self, take: ClipTake, planned: Plan, change: Change, *closely: Closely) -> Carry:
        """Few keys follow with breakdown keys: a bone that swings on has more to do than its keys say."""
        if self.operator.keying != AUTOMATIC:
            return super().writing(take, planned, change, *closely)
        everywhere = Closely.everywhere(take.clip, self.operator.key_options())
        if change.holds_contacts:
            return super().writing(take, planned, change, *closely, everywhere)
        return lambda: carry_following(planned, (), *closely, everywhere)


def _is_hand_keyed(take: ClipTake) -> bool:
    """Whether the bones that would be late have few keys, which may go beyond the ends of the motion."""
    names = {take.motion.skeleton.names[joint] for joint in np.flatnonzero(depths_in_take(take))}
    baked = action_io.baked_bones(take.clip)
    return take.seam is None and not any(baked.get(name, False) for name in names)


def _move_keys(take: ClipTake, tool: Overlap) -> WriteReport:
    """Move the keys of each bone by its place in its chain, to whole frames."""
    clip, moved = take.clip, action_io.WriteReport(muted_follow=True)
    frame, depths = 1.0 / take.motion.rate, depths_in_take(take, keep_contacts=tool.keep_contacts)
    for depth in np.unique(depths[depths > 0]):
        late = round(float(depth) * tool.overlap / frame) * frame
        joints = depths == depth
        if late:
            report = action_io.retime(clip, TimeMap.shift(late, ends=Ends.EXTEND), joints, snap=True)
            moved.bones += report.bones
            moved.frames = max(moved.frames, report.frames)
    return moved
