"""All that happens in a motion."""

from typing import Any

import numpy as np

from ...body import Body
from ...errors import MissingRoleError
from ...motion import Motion
from ...numerics import Array
from ..contacts import ContactSpans, detect_contacts
from ..pose_features import torso_positions
from .course import Course
from .event import Event
from .flights import find_flights
from .repetitions import FEWEST_TURNS, find_repetitions
from .stillness import find_stillness
from .strikes import find_strikes

# Frames that are needed to tell an acceleration.
_FEWEST = 5


def find_events(
    motion: Motion,
    body: Body | None,
    *,
    contacts: ContactSpans | None = None,
    positions: Any = None,
    fewest_turns: int = FEWEST_TURNS,
) -> tuple[Event, ...]:
    """Flights, strikes, repetitions and stillness, by kind and in order of time.

    Args:
        motion: Without a leading reference pose.
        body: The parts; nothing is found without them.
        contacts: Of feet; looked for if not given.
        positions: (F, J, 3) places of joints where they do not follow from the motion alone.
        fewest_turns: Turns in a row that make a repetition; 2 where only their tempo is asked for.
    """
    if body is None or body.up is None or len(motion) < _FEWEST:
        return ()
    name = ("events", body, contacts, fewest_turns)
    return motion.fact(name, lambda: _find(motion, body, contacts, positions, fewest_turns), positions=positions)


def _find(motion: Motion, body: Body, contacts: ContactSpans | None, positions: Any, fewest: int) -> tuple[Event, ...]:
    places: Array = motion.poses.positions if positions is None else np.asarray(positions, dtype=np.float64)
    course = Course.of(motion.times, places, body)
    flights = find_flights(course) if body.legs else []
    if contacts is None:
        contacts = _contacts(motion, body, positions)
    poses = torso_positions(places, body).reshape(len(places), -1)
    landings = [flight.end for flight in flights]
    repetitions = find_repetitions(motion.times, poses, contacts, landings, fewest=fewest)
    return (*flights, *find_strikes(course), *repetitions, *find_stillness(course))


def _contacts(motion: Motion, body: Body, positions: Any) -> ContactSpans:
    try:
        return detect_contacts(motion, body, positions=positions)
    except MissingRoleError:
        return ContactSpans()
