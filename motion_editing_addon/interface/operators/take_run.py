"""Running a tool on the takes of all chosen armatures: plan everything, write, measure, report."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from ....core.errors import MotionEditError
from ...document import scope
from ...document.action_users import one_per_animation, original_kept, own_actions
from ...document.take.clip_take import ClipTake
from ...document.take.edit_report import measured_text
from ...document.take.examination import tell_once
from ...document.take.tool_run import plan_tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from bpy.types import Context, Object

    from ....core.motion import Motion
    from ...border.action_io import Clip, Property, WriteReport
    from ...border.steps import Steps
    from ...document.take.change import Change
    from ...document.take.tool_run import Carry
    from ..drawing.original_ghost import OriginalGhost
    from .operator import MotionEditOperator

    Planned = tuple[Object, list[Property], Carry]


class TakeRun:
    """One call of an operator that has a tool."""

    def __init__(self, operator: MotionEditOperator) -> None:
        """Nothing is read yet."""
        self.operator = operator
        self.takes: Sequence[ClipTake] = ()
        # What the keys show differently, once they are written.
        self.changes: list[Change] = []

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

    def preview(self, _context: Context) -> list[tuple[Clip, Motion]]:
        """The edited motion of every clip for the present values of the properties."""
        tool = self.operator.present_tool()
        return [(take.clip, tool.apply(take).motion) for take in self.takes]

    def ghosts(self) -> list[OriginalGhost]:
        """The figures as they were, to be shown beside the changed ones."""
        from ..drawing.original_ghost import ghost_of

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
        self.operator.tell_edit(reports, chosen, self.remarks(reports))

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Work out what to write, in steps; what it returns writes it. Until then nothing may change."""
        operator = self.operator
        return (yield from plan_tool(operator.present_tool(), take, operator.key_options(), self.changes))

    def read(self, context: Context, armature: Object) -> ClipTake:
        """The take of an armature, with the joints in scope; once for every action a look at what is unusual."""
        tell_once(self.operator, context, armature)
        clip = scope.read_clip(context, armature, choice=self.operator.range)
        return self.take_of(clip, self.operator.joints(armature, clip))

    def take_of(self, clip: Clip, joints: np.ndarray) -> ClipTake:
        """What was read, with the joints (J,) that may change."""
        return ClipTake(clip, joints)

    def muted(self, take: ClipTake) -> list[Property]:
        """What is left out because it is muted."""
        return self.operator.muted(take.clip, take.joints)

    def remarks(self, reports: list[WriteReport]) -> str:
        """What there is to say about the edit, right after the counts."""
        return measured_text(reports, self.changes)

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


class OperatorRun(TakeRun):
    """One call of an operator that says itself what to write."""

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Ask the operator."""
        return (yield from self.operator.plan(take.clip, take.joints))

    def preview(self, context: Context) -> list[tuple[Clip, Motion]]:
        """Ask the operator."""
        return [(take.clip, self.operator.preview_motion(context, take.clip)) for take in self.takes]

    def ghosts(self) -> list[OriginalGhost]:
        """None."""
        return []

    def remarks(self, reports: list[WriteReport]) -> str:
        """Ask the operator."""
        return self.operator.remarks(reports)
