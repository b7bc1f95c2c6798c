"""How clips are trimmed, split and brought to another rate."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ...core.analysis.events import EventKind, find_events
from ...core.errors import MotionEditError
from ...core.guided_warp import ConformRate, TrimClip
from ...core.motion import TimeMap
from ..border import action_io
from ..document import scope
from ..document.motion_changes import change_of, tell
from ..document.take.clip_take import ClipTake
from ..document.take.examination import CONFORMED
from ..document.take.tool_run import told
from ..interface.operators.take_run import TakeRun

if TYPE_CHECKING:
    from bpy.types import Action, Context, Object

    from ...core.editing import Change
    from ..border.action_io import WriteReport
    from ..border.steps import Steps
    from ..document.take.tool_run import Carry

# Frames that a part has at least.
_SHORTEST = 2


class TrimRun(TakeRun):
    """One call of Trim Clip."""

    def read(self, context: Context, armature: Object) -> ClipTake:
        """The range, or the motion with all that is known of its current frame."""
        choice = self.operator.range if self.operator.present_tool().part == "RANGE" else "ACTION"
        return ClipTake(scope.read_clip(context, armature, choice=choice))

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Cut off the keys beyond the part."""
        tool: TrimClip = self.operator.present_tool()
        first, last = (round(time * take.motion.rate) for time in tool.ends(take))
        start = action_io.key_ends(take.clip.armature)
        offset = float(start[0]) - first if tool.to_start and start is not None else 0.0
        yield 0.5
        return lambda: trimmed(take, first, last, offset)


def trimmed(take: ClipTake, first: float, last: float, offset: float) -> WriteReport:
    """Keep action frames alone, with all that goes with the motion."""
    clip = scope.read_clip(bpy.context, take.clip.armature, choice="ALL")
    report = action_io.trim(clip, first, last, offset=offset)
    rate = clip.motion.rate
    ends = [first / rate, last / rate]
    time_map = TimeMap.from_samples([end + offset / rate for end in ends], ends)
    change = change_of(clip, np.ones(len(clip.motion.skeleton), dtype=np.bool_), time_map=time_map)
    tell(replace(change, new_ends=(first + offset, last + offset)))
    return report


class ConformRun(TakeRun):
    """One call of Conform Rate."""

    def tool_for(self, _take: ClipTake) -> ConformRate:
        """With the scene's rate where none is given."""
        tool: ConformRate = self.operator.present_tool()
        if tool.rate > 0.0:
            return tool
        known = {each.name: getattr(tool, each.name) for each in fields(tool)}
        return ConformRate(**known | {"rate": scope.scene_rate(bpy.context)})

    def moving(self, take: ClipTake, change: Change, time_map: TimeMap) -> Carry:
        """Resample, and say that the action has the new rate now."""
        tool = self.tool_for(take)

        def resample() -> WriteReport:
            return action_io.retime(
                take.clip, time_map, take.joints, prefilter=tool.smooth, keep_accents=False, snap=True
            )

        def carry_out() -> WriteReport:
            report = told(take, change, resample)()
            # At the end: what follows knows times of the rate before.
            settings = scope.own_action(take.clip.armature).motion_editing
            settings.source_rate, settings.source_rate_reason = tool.rate, CONFORMED
            return report

        return carry_out


def split(context: Context, armature: Object, by: str, *, frame: float, to_start: bool) -> list[Action]:
    """Make an action of every part of a motion; the motion itself stays as it is.

    Args:
        by: "MARKERS", "IDLE", or "FRAME" for the scene frame that is given.
        frame: That frame.
        to_start: Let every part begin where the motion does.

    Raises:
        MotionEditError: There is nowhere to split it, or the action is that of a strip.
    """
    data: Any = armature.animation_data
    if data.use_tweak_mode:
        raise MotionEditError("Leave the NLA strip's tweak mode to split its action")
    clip = scope.read_clip(context, armature)
    first, last = round(float(clip.frames[0])), round(float(clip.frames[-1]))
    wanted = {round(cut) for cut in _cuts(context, clip, by, frame)}
    cuts = sorted(cut for cut in wanted if first + _SHORTEST <= cut <= last - _SHORTEST)
    if not cuts:
        raise MotionEditError(_WHY_NOT[by])
    ends = list(zip([first, *cuts], [*cuts, last], strict=True))
    return [_part(armature, number + 1, *part, to_start=to_start) for number, part in enumerate(ends)]


_WHY_NOT = {
    "MARKERS": "There are no markers within the motion: add some to the action, or to the scene",
    "IDLE": "Nothing stands still within the motion: split it at markers, or at the current frame",
    "FRAME": "Move the current frame into the motion",
}


def _cuts(context: Context, clip: Any, by: str, frame: float) -> list[float]:
    """Action frames at which parts begin."""
    armature = clip.armature
    if by == "FRAME":
        return [scope.from_scene(armature, frame)]
    if by == "IDLE":
        take = ClipTake(clip)
        events = find_events(clip.motion, take.body, positions=take.positions)
        idle = [event for event in events if event.kind is EventKind.IDLE]
        return [0.5 * (event.start + event.end) * clip.motion.rate for event in idle]
    own = [float(marker.frame) for marker in scope.own_action(armature).pose_markers]
    return own or [scope.from_scene(armature, float(marker.frame)) for marker in context.scene.timeline_markers]


def _part(armature: Object, number: int, first: float, last: float, *, to_start: bool) -> Action:
    """A copy of the action, trimmed."""
    data: Any = armature.animation_data
    action, slot = data.action, data.action_slot.identifier
    part: Action = action.copy()
    part.name, part.use_fake_user = f"{action.name} {number}", True
    part.motion_editing.original = None
    part.motion_editing_stack.forget()
    try:
        data.action, data.action_slot = part, part.slots[slot]
        clip = scope.read_clip(bpy.context, armature, choice="ALL")
        start = float(clip.frames[0])
        trimmed(ClipTake(clip), first, last, start - first if to_start else 0.0)
    finally:
        data.action = action
        data.action_slot = action.slots[slot]
    return part
