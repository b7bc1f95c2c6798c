"""Feet stay where they touch the ground while poses are edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.solve.contact_lock import hold_contacts
from ...core.staggered import evaluate, pose_map, with_layer
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
