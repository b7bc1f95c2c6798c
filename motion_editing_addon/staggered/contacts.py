"""Feet stay where they touch the ground while poses are edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.motion import Ends, TimeMap
from ...core.solve.contact_lock import hold_contacts
from ...core.staggered import with_layer
from ...core.staggered.evaluation import evaluate
from ..document.contacts.saved_contacts import contacts_of

if TYPE_CHECKING:
    from ...core.staggered import StaggeredMotion
    from .edits.poses_run import Target


def with_held_contacts(target: Target, model: StaggeredMotion) -> tuple[StaggeredMotion, object]:
    """Add the layer of limb IK that keeps contacts, and say how well they are kept."""
    before, body = evaluate(target.model), target.body()
    contacts = contacts_of(target.clip)
    held, report = hold_contacts(before, evaluate(model), body, contacts, time_map=pose_map(target.model, model))
    return with_layer(model, held), report


def pose_map(before: StaggeredMotion, after: StaggeredMotion) -> TimeMap | None:
    """From new to old time along the poses; None where they stayed."""
    if len(before) != len(after) or len(after) < 2 or (before.pose_times == after.pose_times).all():
        return None
    return TimeMap.through(after.pose_times, before.pose_times, smooth=False, ends=Ends.EXTEND)
