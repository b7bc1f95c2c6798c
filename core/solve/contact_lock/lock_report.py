"""How well contacts hold: slide, movement and what is missing, in units of the scene."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...body import Body
from ...motion import GlobalPoses, Motion
from ...numerics import runs
from .slide_measure import largest_slide_of
from .windows import Mask

# Part of the body's height by which a contact may be missed and still counts as held.
HELD = 1e-4


@dataclass(frozen=True)
class MissedContact:
    """A contact that could not be held.

    Attributes:
        joint: Name of the joint.
        start: First time, in seconds of the edited motion.
        end: Last time.
        distance: Largest distance from where the joint should be.
    """

    joint: str
    start: float
    end: float
    distance: float


@dataclass(frozen=True)
class HoldReport:
    """What holding contacts did, in units of the scene.

    Attributes:
        slide_original: Largest slide of a contact before the edit.
        slide_edited: The same in the edit.
        slide_held: The same after holding.
        largest_move: Distance by which the joint that moved most was moved from where the edit had it.
        moved_joint: Its name; empty if nothing moved.
        root_lowered: Most that the root was lowered by.
        missed: Contacts that could not be held, worst first.
    """

    slide_original: float = 0.0
    slide_edited: float = 0.0
    slide_held: float = 0.0
    largest_move: float = 0.0
    moved_joint: str = ""
    root_lowered: float = 0.0
    missed: tuple[MissedContact, ...] = ()


def height_of(body: Body) -> float:
    """The body's height in units; the skeleton's extent where it is not known."""
    return body.height or float(np.ptp(body.skeleton.rest_positions, axis=0).max())


def report(
    reference: Motion,
    edited: Motion,
    held: Motion,
    active: Mapping[int, Mask],
    *,
    lowered_by: float,
    body: Body,
    places: GlobalPoses | None = None,
) -> HoldReport:
    """Measure what was reached.

    Args:
        reference: Motion in which the contacts are right, frame by frame that of the edit.
        edited: Motion before holding.
        held: Motion after holding.
        active: By joint, (F,) frames in contact.
        lowered_by: Most that the root was lowered by.
        body: Its height decides which misses are worth a word; where it is not known, the
            skeleton's extent does.
        places: Where contacts belong, if not where they are in the reference.
    """
    original, given, result = (largest_slide_of(motion, active, body=body) for motion in (reference, edited, held))
    move, joint = largest_move(edited, held)
    found = _misses(reference.poses if places is None else places, held, active)
    missed = [miss for miss in found if miss.distance > HELD * height_of(body)]
    return HoldReport(
        original, given, result, move, joint, lowered_by, tuple(sorted(missed, key=lambda miss: -miss.distance))
    )


def largest_move(edited: Motion, held: Motion) -> tuple[float, str]:
    """Distance by which the joint that moved most was moved, and its name; empty if nothing moved."""
    if held is edited:
        return 0.0, ""
    moves = np.linalg.norm(held.poses.positions - edited.poses.positions, axis=-1).max(axis=0)
    joint = int(np.argmax(moves))
    return float(moves[joint]), held.skeleton.names[joint]


def _misses(places: GlobalPoses, held: Motion, active: Mapping[int, Mask]) -> list[MissedContact]:
    found = []
    for joint, frames in active.items():
        away = np.linalg.norm(held.poses.positions[:, joint] - places.positions[:, joint], axis=1)
        for run in runs(frames):
            start, end = held.times[run][[0, -1]]
            name = held.skeleton.names[joint]
            found.append(MissedContact(name, float(start), float(end), float(away[run].max())))
    return found
