"""Contacts after an edit that gave joints another timing, or another joint's motion."""

from collections.abc import Collection, Mapping

import numpy as np

from ...motion import TimeMap
from .spans import ContactSpans, Span


def following_contacts(
    contacts: ContactSpans,
    joints: Collection[str],
    *,
    start: float = -np.inf,
    end: float = np.inf,
    time_map: TimeMap | None = None,
    partners: Mapping[str, str] | None = None,
) -> ContactSpans:
    """The contacts where and when they are seen after an edit; a contact that the edit cuts is cut, too.

    Args:
        contacts: Before the edit.
        joints: Names of those that were edited; contacts of others stay.
        start: Seconds from which on the edit counts; what was before stays.
        end: Seconds up to which it counts.
        time_map: New to old time; the timing stays if not given.
        partners: Who shows the motion of a joint now; the joint itself if it is not named.
    """
    edited, kept = _divided(contacts, joints, start, end)
    if time_map is not None:
        edited = edited.retimed(time_map)
    shown_by = {joint: (partners or {}).get(joint, joint) for joint in edited.joints}
    return kept.with_more((shown_by[joint], *span) for joint in edited.joints for span in edited.of(joint))


def _divided(
    contacts: ContactSpans, joints: Collection[str], start: float, end: float
) -> tuple[ContactSpans, ContactSpans]:
    """The parts of contacts of some joints between two times, and all others."""
    inside: dict[str, tuple[Span, ...]] = {}
    outside: dict[str, tuple[Span, ...]] = {}
    for joint in contacts.joints:
        if joint in joints:
            inside[joint] = _parts(contacts.of(joint), start, end)
            outside[joint] = (*_parts(contacts.of(joint), -np.inf, start), *_parts(contacts.of(joint), end, np.inf))
        else:
            outside[joint] = contacts.of(joint)
    return ContactSpans(inside), ContactSpans({joint: spans for joint, spans in outside.items() if spans})


def _parts(spans: tuple[Span, ...], start: float, end: float) -> tuple[Span, ...]:
    cut = ((max(first, start), min(last, end)) for first, last in spans)
    return tuple((first, last) for first, last in cut if first < last)
