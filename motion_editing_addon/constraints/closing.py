"""A last pass by limb IK: what has to stand still does so in every frame, between the solver's frames too."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.contact_lock import hold_contacts
from ...core.contacts import ContactSpans
from ...core.motion import Motion

if TYPE_CHECKING:
    from bpy.types import PropertyGroup

    from ...core.body import Body


def closed(
    before: Motion,
    after: Motion,
    body: Body,
    contacts: ContactSpans,
    items: list[PropertyGroup],
    *,
    moved: set[str] = frozenset(),
) -> Motion:
    """Hold contacts and constraints of limbs exactly.

    Limbs without constraints keep their contacts where they were. Bones to be kept follow their old way.
    Bones that may not skid stand where they are in the middle of their span.

    Args:
        before: The motion as it was.
        after: The edit.
        body: Its limbs are used.
        contacts: Of the motion as it was.
        items: The constraints that were held.
        moved: Names of further joints that were moved on purpose.
    """
    limbs = [{after.skeleton.names[joint] for joint in limb.joints} for limb in body.limbs]
    constrained = moved | {item.bone for item in items}
    kept = _spans("KEEP", items, set().union(*limbs), after.rate)
    for name in sorted(set().union(*(limb for limb in limbs if not limb & constrained)) & set(contacts.joints)):
        kept = kept.with_spans(name, contacts.of(name))
    held, _report = hold_contacts(before, after, body, kept, lowering=None)
    for limb in limbs:
        standing = _spans("NO_SKID", items, limb, after.rate)
        if standing.joints:
            held, _report = hold_contacts(_frozen(after, standing), held, body, standing, lowering=None)
    return held


def _spans(kind: str, items: list[PropertyGroup], bones: set[str], rate: float) -> ContactSpans:
    """Spans of the constraints of a kind on the heads of bones."""
    spans = ContactSpans()
    for item in items:
        if item.kind == kind and item.bone in bones and item.end > item.start and not item.tail:
            spans = spans.add(item.bone, item.start / rate, item.end / rate)
    return spans


def _frozen(motion: Motion, spans: ContactSpans) -> Motion:
    """The motion with the pose in the middle of each span during all of it."""
    frames = np.arange(len(motion))
    for name in spans.joints:
        for start, end in spans.of(name):
            inside = np.flatnonzero((motion.times >= start - 1e-6) & (motion.times <= end + 1e-6))
            frames[inside] = inside[len(inside) // 2] if len(inside) else frames[inside]
    names = ("rotations", "locations", "scales", "scalars")
    return replace(motion, **{name: getattr(motion, name)[frames] for name in names})
