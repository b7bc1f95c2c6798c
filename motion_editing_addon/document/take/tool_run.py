"""Running a tool on a take: keys are planned, written when nothing can fail any more, and looked at afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...border.action_io import plan_write
from ...border.action_io.reduction.sparse_keys import carry_following
from ..contacts.saved_contacts import list_held
from ..contacts.standing_keys import where_standing

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....core.editing import Tool
    from ....core.motion import Motion
    from ...border.action_io import WriteReport
    from ...border.action_io.reduction.sparse_keys import Closely
    from ...border.action_io.written_motion import Plan
    from ...border.key_options import KeyOptions
    from ...border.steps import Steps
    from .change import Change
    from .clip_take import ClipTake

    Carry = Callable[[], WriteReport]


def plan_tool(tool: Tool, take: ClipTake, options: KeyOptions, changes: list[Change]) -> Steps[Carry]:
    """Apply a tool and plan the keys; what it returns writes and measures them.

    Args:
        tool: What to do.
        take: To what.
        options: Which keys are wanted.
        changes: Gets what the keys show differently, once they are written.
    """
    yield from take.sample() if tool.needs_positions else take.sample_if_quick()
    change = tool.apply(take)
    yield 0.5
    planned = yield from plan_write(take.clip, change.motion, options)
    carry_out = planned.carry_out if change.contacts is None else hold_between_keys(take, planned, change.motion)
    return measured(take, carry_out, changes)


def hold_between_keys(take: ClipTake, planned: Plan, edited: Motion, *closely: Closely) -> Carry:
    """Writing what is planned so that feet stand between few keys too.

    Args:
        take: What was edited.
        planned: Keys.
        edited: The motion that they are for.
        closely: Where else few keys follow it.
    """
    contacts = take.contacts_of_edit(edited)
    standing = where_standing(edited, take.body, contacts)

    def carry_out() -> WriteReport:
        report = carry_following(planned, (), *closely, standing)
        if contacts is take.contacts:
            list_held(take.clip, contacts)
        return report

    return carry_out


def measured(take: ClipTake, carry_out: Carry, changes: list[Change]) -> Carry:
    """The same writing, followed by measuring."""

    def carry_out_and_measure() -> WriteReport:
        report = carry_out()
        if report.bones:
            changes.append(take.change_made())
        return report

    return carry_out_and_measure
