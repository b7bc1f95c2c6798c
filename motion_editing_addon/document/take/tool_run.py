"""What goes with writing an edit: feet that stand between few keys, numbers for the report, followers that are told."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...border import action_io
from ...border.action_io.reduction.sparse_keys import carry_following, has_few_keys
from ..contacts.floor_keys import lift_between_keys
from ..contacts.saved_contacts import list_held
from ..motion_changes import change_of, tell

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....core.analysis import Difference
    from ....core.editing import Change
    from ....core.motion import TimeMap
    from ....core.numerics import Array
    from ...border.action_io import Clip, WriteReport
    from ...border.action_io.reduction.sparse_keys import Closely
    from ...border.action_io.written_motion import Plan
    from ...border.key_options import KeyOptions
    from .clip_take import ClipTake

    Carry = Callable[[], WriteReport]


def moved_keys(
    clip: Clip, time_map: TimeMap, joints: Array, options: KeyOptions, moves: frozenset[str], *, held: int = 0
) -> Carry:
    """Moving sparse keys to where their poses are seen, and resampling baked ones; see `Tool.key_moves`.

    Args:
        held: Moments between keys that every curve may get a breakdown key for.
    """
    return lambda: action_io.retime(
        clip,
        time_map,
        joints,
        prefilter="soften" in moves,
        snap="snap" in moves,
        options=options if "breakdowns" in moves else None,
        held=held,
    )


def told(take: ClipTake, change: Change, carry_out: Carry) -> Carry:
    """The same writing, after which all that goes with the motion follows a new timing or exchanged sides."""
    if change.time_map is None and change.partner is None:
        return carry_out

    def carry_out_and_tell() -> WriteReport:
        report = carry_out()
        joints = take.joints if change.joints is None else change.joints
        seen = change_of(take.clip, joints, time_map=change.time_map, partner=change.partner)
        tell(seen if change.led is None else replace(seen, moved=seen.moved | change.led, is_whole=False))
        return report

    return carry_out_and_tell


def hold_between_keys(take: ClipTake, planned: Plan, change: Change, *closely: Closely) -> Carry:
    """Writing what is planned so that feet stand between few keys too.

    Args:
        change: What they are for.
        closely: Where else few keys follow it.
    """
    contacts = take.contacts_after(change, change.whole)
    standing = take.where_standing(change.whole, contacts)

    def carry_out() -> WriteReport:
        report = carry_following(planned, (), *closely, standing)
        if contacts is take.contacts:
            list_held(take.clip, contacts)
        return report

    return carry_out


def above_between_keys(take: ClipTake, planned: Plan, change: Change, carry_out: Carry) -> Carry:
    """The same writing, after which nothing is below the floor between few keys either, if the change says so."""
    ground = take.shown.ground(len(change.whole)) if change.stays_above and has_few_keys(planned) else None
    if ground is None:
        return carry_out

    def carry_out_above() -> WriteReport:
        report = carry_out()
        standing = [take.standing_after(change)] if change.holds_contacts else []
        lift_between_keys(planned, report, change.whole, ground, *standing, seen=take.seen)
        return report

    return carry_out_above


def measured(take: ClipTake, change: Change, carry_out: Carry, differences: list[Difference]) -> Carry:
    """The same writing, followed by measuring.

    Args:
        change: How.
        differences: Gets what the keys show differently, once they are written.
    """

    def carry_out_and_measure() -> WriteReport:
        report = carry_out()
        if report.bones:
            differences.append(take.difference_made(change))
        return report

    return carry_out_and_measure
