"""Foot sliding, measured in one way by everything that tells it.

A foot slides by the farthest that one of its joints in contact gets, in any frame of the contact, from where it is
in the contact's first frame: in a straight line, up and down included, in units of the scene. Where a figure walks
on the spot, that is seen from the ground that moves along under it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...analysis.contacts import ContactSpans, Stance, ground_velocity, on_still_ground
from ...body import Body
from ...motion import Motion
from ...numerics import Array, runs
from .windows import Mask, frames_of


def foot_slide(
    motion: Motion, contacts: ContactSpans, *, body: Body | None = None, positions: Any = None
) -> dict[str, tuple[float, ...]]:
    """How far each contact of a joint slides, in units.

    Args:
        contacts: In the motion's own times; `ContactSpans.retimed` gives those of a retimed motion.
        body: Its up axis tells how ground can move that does.
        positions: (F, J, 3) places of the joints, where they do not follow from the motion alone.
    """
    places = motion.poses.positions if positions is None else np.asarray(positions)
    stances = {joint: stances_of(motion, contacts, joint) for joint in contacts.joints}
    slides = iter(_slides(places, motion.times, [stance for own in stances.values() for stance in own], _up(body)))
    return {joint: tuple(next(slides) for _ in own) for joint, own in stances.items()}


def largest_slide(
    motion: Motion, contacts: ContactSpans, *, body: Body | None = None, positions: Any = None
) -> float | None:
    """How far the contact slides that slides furthest, in units; None if nothing is in contact. See `foot_slide`."""
    slides = foot_slide(motion, contacts, body=body, positions=positions)
    return max((slide for own in slides.values() for slide in own), default=None)


def largest_slide_of(
    motion: Motion, active: Mapping[int, Mask], *, body: Body | None = None, positions: Any = None
) -> float:
    """The same for joints that are in contact in given frames (F,); 0 if nothing is."""
    places = motion.poses.positions if positions is None else np.asarray(positions)
    stances = [(joint, run) for joint, frames in active.items() for run in runs(frames)]
    return max(_slides(places, motion.times, stances, _up(body)), default=0.0)


def stances_of(motion: Motion, contacts: ContactSpans, joint: str) -> list[Stance]:
    """A joint's number and frames, for each of its contacts."""
    number = motion.skeleton.index[joint]
    return [(number, frames_of(span, motion.times)) for span in contacts.of(joint)]


def ground_under(motion: Motion, contacts: ContactSpans, body: Body | None = None) -> Array:
    """(3,) units a second by which the ground moves under a figure that walks on the spot; zero if it stands."""
    stances = [stance for joint in contacts.joints for stance in stances_of(motion, contacts, joint)]
    return ground_velocity(motion.poses.positions, motion.times, stances, up=_up(body))


def on_ground_that_stands(motion: Motion, contacts: ContactSpans, body: Body | None = None) -> ContactSpans:
    """The contacts, for tools that let each stay at one place in the scene; none if the ground moves."""
    return ContactSpans() if ground_under(motion, contacts, body).any() else contacts


def _up(body: Body | None) -> Array | None:
    return None if body is None or body.up is None else body.up.vector


def _slides(places: Array, times: Array, stances: Sequence[Stance], up: Array | None) -> list[float]:
    seen = on_still_ground(places, times, ground_velocity(places, times, stances, up=up))
    return [_farthest(seen[run, joint]) for joint, run in stances]


def _farthest(places: Array) -> float:
    return float(np.linalg.norm(places - places[0], axis=1).max()) if len(places) else 0.0
