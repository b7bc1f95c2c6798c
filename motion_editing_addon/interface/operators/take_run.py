"""Running a tool on the takes of all chosen armatures: plan everything, write, measure, report."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ....core.editing import options_of
from ....core.errors import MotionEditError
from ....core.motion import Retimed
from ...border import action_io
from ...document import influence, scope
from ...document.action_users import one_per_animation, original_kept, own_actions
from ...document.character.carried_figure import refuse_left_behind
from ...document.stack import settings
from ...document.take.clip_take import ClipTake
from ...document.take.edit_report import measured_text
from ...document.take.examination import tell_once
from ...document.take.tool_run import above_between_keys, hold_between_keys, measured, moved_keys, told
from ..drawing.original_ghost import ghost_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from bpy.types import Context, Object

    from ....core.analysis import Difference
    from ....core.editing import Change
    from ....core.motion import TimeMap
    from ...border.action_io import Clip, Plan, Property, WriteReport
    from ...border.action_io.reduction.sparse_keys import Closely
    from ...border.steps import Steps
    from ...document.take.tool_run import Carry
    from ..drawing.original_ghost import OriginalGhost
    from .operator import MotionEditOperator
    from .preview_trails import ShownMotion

    Planned = tuple[Object, list[Property], Carry]


class TakeRun:
    """One call of an operator that has a tool."""

    def __init__(self, operator: MotionEditOperator) -> None:
        """Nothing is read yet."""
        self.operator = operator
        self.takes: Sequence[ClipTake] = ()
        # What the keys show differently, once they are written.
        self.differences: list[Difference] = []

    # While the mouse sets values

    def begin(self, context: Context) -> None:
        """Read what is needed; raise MotionEditError to refuse."""
        takes, reason = [], None
        for armature in filter(scope.action_of, self.operator.chosen(context)):
            try:
                takes.append(self.read(context, armature))
            except MotionEditError as error:
                reason = reason or error
        if reason and not takes:
            raise reason
        self.takes = takes

    def preview(self, _context: Context) -> Sequence[tuple[Clip, ShownMotion]]:
        """The edited motion of every clip for the present values of the properties."""
        return [(take.clip, self.change(take).whole) for take in self.takes]

    def ghosts(self) -> list[OriginalGhost]:
        """The figures as they were, to be shown beside the changed ones."""
        return [ghost_of(take) for take in self.takes]

    # When it is done

    def work(self, context: Context) -> Steps[None]:
        """Edit all armatures; one that cannot be edited is left as it is, with the reason."""
        chosen = one_per_animation(self.operator.chosen(context))
        reports = []
        # An error on one of them leaves none changed: Blender keeps no undo step of what was not finished.
        with ExitStack() as edits:
            edits.enter_context(own_actions(chosen if self.operator.if_shared == "COPY" else []))
            for armature, muted, carry_out in (yield from self._plan_all(context, chosen)):
                kept = edits.enter_context(original_kept(context, armature))
                reports.append(carry_out())
                kept.needed = reports[-1].bones > 0
                if not reports[-1].muted_follow:
                    reports[-1].add_muted(muted)
        self.tell(reports, chosen)

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Work out what to write, in steps; what it returns writes it. Until then nothing may change."""
        tool, options = self.present_tool(take), self.operator.key_options()
        # Nobody reads numbers of edits that are done again.
        is_measured = tool.is_measured and not settings.is_replaying()
        if tool.needs_positions:
            yield from take.sample()
        elif is_measured:
            yield from take.sample_if_quick()
        self.examine(take)
        change = self.change(take)
        yield 0.5
        if isinstance(change.motion, Retimed):
            return self.moving(take, change, change.motion.time_map)
        planned = yield from action_io.plan_write(take.clip, change.motion, options)
        carry_out = above_between_keys(take, planned, change, self.writing(take, planned, change))
        if is_measured:
            carry_out = measured(take, change, carry_out, self.differences)
        return told(take, change, carry_out)

    def examine(self, take: ClipTake) -> None:
        """Raise if the take cannot be edited: a figure that is carried must follow as a whole."""
        if self.operator.present_tool().carries:
            refuse_left_behind(take.clip, take.carried, take.body)

    def tool_for(self, take: ClipTake) -> Any:
        """The tool with the present values of the properties, and what it has to know of Blender besides."""
        return self.present_tool(take)

    def present_tool(self, take: ClipTake) -> Any:
        """The tool with the present values of the properties.

        Contacts and floor of control rigs are kept where somebody asks for it, since that takes long, and by tools that
        have to play the rig anyway.
        """
        tool = self.operator.present_tool()
        is_kept = take.is_figure or (tool.needs_positions and take.is_shown)
        return tool if is_kept else replace(tool, **self._unasked(tool))

    def _unasked(self, tool: Any) -> dict[str, bool]:
        """Contacts and floor that a tool keeps without anybody asking for it, as options that leave them."""
        kept, chosen = {"keep_contacts", "keep_floor"} & set(options_of(type(tool))), self.operator.properties
        return {name: False for name in kept if getattr(tool, name) and not chosen.is_property_set(name)}

    def change(self, take: ClipTake) -> Change:
        """What the tool does, by the share that it counts."""
        tool = self.tool_for(take)
        return influence.influenced(take, self.without_new_channels(take, tool, tool.apply(take)))

    def without_new_channels(self, take: ClipTake, tool: Any, change: Change) -> Change:
        """A change that keeps contacts and floor of a control rig unasked as far as controls have keys for it."""
        clip, unasked = take.clip, self._unasked(tool) if take.is_shown else {}
        if not unasked or isinstance(change.motion, Retimed):
            return change
        new = action_io.channel_values.new_channels(clip, change.motion)
        if not new:
            return change
        plain: Change = replace(tool, **unasked).apply(take)
        return change if new <= action_io.channel_values.new_channels(clip, plain.whole) else plain

    def moving(self, take: ClipTake, change: Change, time_map: TimeMap) -> Carry:
        """Moving keys to where their poses are seen with another timing."""
        joints: Any = take.joints if change.joints is None else change.joints
        if not joints.any():
            return action_io.WriteReport
        moves = self.operator.present_tool().key_moves
        options, held = self.operator.key_options(), self.held_moments(take)
        return told(take, change, moved_keys(take.clip, time_map, joints, options, moves, held=held))

    def held_moments(self, _take: ClipTake) -> int:
        """How many moments between keys a new timing has to hold."""
        return 0

    def writing(self, take: ClipTake, planned: Plan, change: Change, *closely: Closely) -> Carry:
        """Writing what is planned; where contacts are held, feet stand between few keys too."""
        return hold_between_keys(take, planned, change, *closely) if change.holds_contacts else planned.carry_out

    def read(self, context: Context, armature: Object) -> ClipTake:
        """The take of an armature, with the joints in scope; once for every action a look at what is unusual."""
        tell_once(self.operator, context, armature)
        clip = scope.read_clip(context, armature, choice=self.operator.range)
        return self.take_of(clip, self.operator.joints(armature, clip))

    def take_of(self, clip: Clip, joints: np.ndarray) -> ClipTake:
        """What was read, with the joints (J,) that may change."""
        return ClipTake(clip, joints)

    def muted(self, take: ClipTake) -> list[Property]:
        """What is left out because it is muted: of all joints in scope, as each may change."""
        return [prop for prop, _index in take.clip.muted_of(take.joints)]

    def tell(self, reports: list[WriteReport], chosen: list[Object]) -> None:
        """Report what was done to the chosen objects."""
        self.operator.tell_edit(reports, chosen, self.remarks(reports))

    def remarks(self, reports: list[WriteReport]) -> str:
        """What there is to say about the edit, right after the counts."""
        return measured_text(reports, self.differences) if self.differences else ""

    def _plan_all(self, context: Context, chosen: list[Object]) -> Steps[list[Planned]]:
        """The armatures that can be edited, with what is muted and how it is written; reasons of others are told."""
        planned, failures = [], []
        for armature in chosen:
            try:
                take = self.read(context, armature)
                muted = self.muted(take)
                planned.append((armature, muted, (yield from self.plan(take))))
            except MotionEditError as error:
                failures.append(error)
        if failures and not planned:
            raise failures[0]
        for failure in failures:
            self.operator.report({"ERROR"}, str(failure))
        return planned
