"""Keys that come first: where contacts begin and end, and at the extremes of every joint."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..analysis import PoseCandidates
from ..analysis.contacts import ContactSpans
from ..motion import Indices, Motion
from ..numerics import Array
from .channels import Channel

Marks = NDArray[np.bool_]


def find_landmarks(
    motion: Motion,
    channels: Sequence[Channel],
    *,
    contacts: ContactSpans | None = None,
    extremes: PoseCandidates | None = None,
    together: bool = False,
) -> Marks:
    """(F, P) samples at which each channel should have keys.

    A contact's first and last sample are marked on its joint and on all above it. An extreme pose is
    marked on every joint at the joint's own extreme near to it.

    Args:
        motion: In which contacts and extremes were found.
        channels: To be reduced.
        contacts: When joints are in contact; none if not given.
        extremes: From `extract_poses`; none if not given.
        together: Mark an extreme pose on all joints at the pose's own time.
    """
    marks = np.zeros((len(motion), len(motion.skeleton)), dtype=np.bool_)
    travel = np.zeros(len(motion), dtype=np.bool_)
    if extremes is not None:
        late, root_late = (0.0, 0.0) if together else (extremes.refinements, extremes.root_refinements)
        own = np.broadcast_to(extremes.times[:, None] + late, (len(extremes), marks.shape[1]))
        marks[_nearest(motion.times, own), np.arange(marks.shape[1])] = True
        travel[_nearest(motion.times, extremes.times + root_late)] = True
    changes = _contact_changes(motion, contacts or ContactSpans())
    columns = [
        marks[:, channel.joint] | changes[:, channel.joint] | (travel if channel.part == "location" else False)
        for channel in channels
        if channel.part != "value"
    ]
    found = np.zeros((len(motion), len(channels)), dtype=np.bool_)
    if columns:
        found[:, [channel.part != "value" for channel in channels]] = np.stack(columns, axis=1)
    return found


def _contact_changes(motion: Motion, contacts: ContactSpans) -> Marks:
    """(F, J) first and last samples of contacts, for the joints that place what is in contact."""
    changes = np.zeros((len(motion), len(motion.skeleton)), dtype=np.bool_)
    for name in contacts.joints:
        joint = motion.skeleton.index[name]
        chain = np.array([joint, *motion.skeleton.ancestors(joint)])
        ends = np.array(contacts.of(name)).reshape(-1)
        inside = ends[(ends > motion.times[0]) & (ends < motion.times[-1])]
        changes[np.ix_(_nearest(motion.times, inside), chain)] = True
    return changes


def _nearest(times: Array, wanted: Array) -> Indices:
    """Numbers of the samples nearest to the wanted times."""
    middles = 0.5 * (times[1:] + times[:-1])
    return np.searchsorted(middles, wanted)
