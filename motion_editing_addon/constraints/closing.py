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
    from ...core.spacetime import Position
    from ..clean_filter.clip_facts import ClipFacts
    from .solving import Constrained


def closed_together(
    facts: list[ClipFacts],
    solved: list[Motion],
    constrained: Constrained,
    handles: tuple[Position, ...],
    *,
    before: list[Motion] | None = None,
) -> list[Motion]:
    """Each character's solved motion closed; one that did not change stays as it is.

    Args:
        facts: About each character.
        solved: Their edits.
        constrained: What was solved.
        handles: What was dragged of the first character.
        before: The motions as they were, if the edits are of some of their frames only.
    """
    before = before or [known.clip.motion for known in facts]
    found = []
    for character, (known, was, after) in enumerate(zip(facts, before, solved, strict=True)):
        items, numbers = constrained.members[character].items, constrained.gathered.numbers_of(character)
        held, moved = [items[number] for number in numbers], _moved(character, constrained, handles)
        is_same = after is was
        found.append(after if is_same else closed(was, after, known.body, known.contacts, held, moved=moved))
    return found


def _moved(character: int, constrained: Constrained, handles: tuple[Position, ...]) -> set[str]:
    """Names of the joints of a character that handles and constraints of others hold."""
    names = constrained.motions[character].skeleton.names
    ends = [end for each in (*constrained.gathered.constraints, *handles) for end in each.ends()]
    return {names[joint] for owner, joint in ends if owner == character}


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
