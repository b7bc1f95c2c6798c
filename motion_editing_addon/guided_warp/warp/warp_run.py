"""How time is warped: the map can be kept, other objects follow it, and keytimes that were hit are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ....core.editing import Change
from ....core.motion import Retimed
from ...document import scope
from ...document.stack.settings import is_replaying
from ...interface.operators.take_run import TakeRun
from .. import kept_maps, written
from ..following import others, shared_timing
from ..keytimes import clear_keytimes
from . import live_warp
from .warp_report import fates_text
from .warp_take import WarpTake

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context

    from ....core.motion import Motion, TimeMap
    from ...border.action_io import Clip, WriteReport
    from ...document.take.clip_take import ClipTake
    from ...document.take.tool_run import Carry
    from ...interface.drawing.original_ghost import OriginalGhost
    from ..operators import MOTIONEDIT_OT_warp_time


class WarpRun(TakeRun):
    """One call of Warp Time. With several objects the first one leads, and the others get its timing."""

    operator: MOTIONEDIT_OT_warp_time

    def __init__(self, operator: MOTIONEDIT_OT_warp_time) -> None:
        """Nothing is read yet."""
        super().__init__(operator)
        # The timing that all have, between frames of the scene, and what became of the leading motion's spans.
        self._shared: TimeMap | None = None
        self._fates: tuple[Any, float] | None = None

    def read(self, context: Context, armature: Any) -> ClipTake:
        """The take of an object; the first one knows the other characters that play with it."""
        take = super().read(context, armature)
        chosen, tool = self.operator.chosen(context), self.operator.present_tool()
        if isinstance(take, WarpTake) and armature == chosen[0]:
            take.given_spans = written.spans_in(tool.spans, take.motion.rate)
        if isinstance(take, WarpTake) and tool.along and armature == chosen[0]:
            others = [other for other in chosen[1:] if other.pose]
            take.partners = tuple(WarpTake(scope.read_clip(context, other)) for other in others)
        return take

    def take_of(self, clip: Clip, joints: np.ndarray) -> WarpTake:
        """A take with keytimes."""
        return WarpTake(clip, joints)

    def preview(self, _context: Context) -> list[tuple[Clip, Motion]]:
        """The warped motions, of which nothing is worked out but what is looked at; the strip shows the first."""
        self._shared, tool = None, self.operator.present_tool()
        shown: list[Any] = []
        for take in self.takes:
            change = self.change(take)
            if not shown and change.time_map is not None:
                live_warp.show(take.clip.armature.name, tool.hit(take)[0], change.time_map)
            shown.append((take.clip, change.motion))
        return [(clip, motion) for clip, motion in shown if clip.armature.pose]

    def ghosts(self) -> list[OriginalGhost]:
        """None: poses stay."""
        return []

    def remarks(self, reports: list[WriteReport]) -> str:
        """What became of jumps and other spans of the leading motion."""
        is_guided = self._fates is not None and self.operator.present_tool().influence >= 1.0
        return super().remarks(reports) + (fates_text(*self._fates) if is_guided and self._fates else "")

    def change(self, take: ClipTake) -> Change:
        """What the tool does; another object than the first gets the same timing."""
        followed = self._followed(take)
        if followed is not None:
            time_map = shared_timing.of_clip(followed, take.clip)
            return Change(Retimed(take.motion, time_map), time_map=time_map)
        change = super().change(take)
        if self.operator.present_tool().along and change.time_map is not None:
            self._shared = shared_timing.in_scene(change.time_map, take.clip)
            self.operator.lead = take.clip.armature.name
            self.operator.lead_map = shared_timing.as_text(self._shared)
        self._fates = change.found, take.motion.rate
        return change

    def _followed(self, take: ClipTake) -> TimeMap | None:
        """The timing of the leading object, for the others; also where an edit is done again for one of them alone."""
        operator, name = self.operator, take.clip.armature.name
        if self._shared is not None:
            return self._shared
        return shared_timing.from_text(operator.lead_map) if operator.lead_map and name != operator.lead else None

    def held_moments(self, take: ClipTake) -> int:
        """The keytimes between the ends."""
        return len(self.operator.present_tool().hit(take)[0]) - 2

    def moving(self, take: ClipTake, change: Change, time_map: TimeMap) -> Carry:
        """Keys and baked curves move through the map."""
        write, tool = super().moving(take, change, time_map), self.operator.present_tool()
        # Strips are outside of the action: they follow once, with the motion that leads.
        has_strips = tool.strips and change.found is not None and not is_replaying()

        def carry_out() -> WriteReport:
            if has_strips:
                others.retime_strips(bpy.context, shared_timing.in_scene(time_map, take.clip))
            report = write()
            if tool.keep_as:
                kept_maps.keep(take.clip.armature, tool.keep_as, time_map)
            clear_keytimes(take.clip.armature)
            return report

        return carry_out
