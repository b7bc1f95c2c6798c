"""Frames in contact, and the windows beside them in which a correction fades in and out."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...analysis.contacts import ContactSpans, Span
from ...body import Limb
from ...motion import Indices, Skeleton
from ...numerics import Array

Mask = NDArray[np.bool_]

# Seconds by which a frame may miss the end of a contact because of rounding.
_ROUNDING = 1e-9
# Times its size that a correction may change within its fade at the pace it has at a contact's end; more would
# carry the shaking of a single frame far along.
_LIVELIEST = 2.0


@dataclass(frozen=True)
class Fade:
    """How long corrections take to come and go.

    Attributes:
        shortest: Seconds for small corrections.
        longest: Seconds to which it grows for large ones, so that limbs do not dash.
    """

    shortest: float
    longest: float

    def of(self, corrections: Array, swiftest: float | Array) -> Array:
        """(F,) seconds in which (F, 3) corrections fade no faster than `swiftest` a second, within the limits."""
        # A fade is steepest in its middle, by 3 / 2 of its mean.
        seconds = 1.5 * np.linalg.norm(corrections, axis=1) / swiftest
        fades: Array = np.clip(seconds, self.shortest, max(self.shortest, self.longest))
        return fades


def contact_frames(contacts: ContactSpans, joint: str, old_times: Array) -> Mask:
    """(F,) whether a joint is in contact at the old time that each frame shows."""
    return contacts.active(joint, old_times - _ROUNDING) | contacts.active(joint, old_times + _ROUNDING)


def contacts_of_limb(limb: Limb, skeleton: Skeleton, contacts: ContactSpans) -> ContactSpans:
    """The contacts of one limb's joints."""
    names = {skeleton.names[joint] for joint in limb.joints}
    return ContactSpans({name: contacts.of(name) for name in contacts.joints if name in names and contacts.of(name)})


def frames_of(span: Span, times: Array) -> slice:
    """Frames, at rising times (F,), of one contact."""
    first, stop = np.searchsorted(times, span[0] - _ROUNDING), np.searchsorted(times, span[1] + _ROUNDING, "right")
    return slice(int(first), int(stop))


def widened(active: Mask) -> Mask:
    """The frames and their neighbours on both sides."""
    wide = active.copy()
    wide[1:] |= active[:-1]
    wide[:-1] |= active[1:]
    return wide


def faded(corrections: Array, active: Mask, times: Array, fade: float | Array, *, level: bool = False) -> Array:
    """Corrections (F, N) kept where active, and carried on beside it until they have died away.

    Beside a run of active frames its first or last correction goes on with a weight that falls
    smoothly from 1 to 0, and at the pace at which it changed: a foot that still moves where its contact
    begins comes to rest before it, and does not stop dead. What is carried is the correction and not a
    mixture of two motions: once a motion has been corrected nothing is left to carry, so correcting it
    again changes nothing. A gap shorter than the window is crossed smoothly from one run's correction
    to the other's.

    Args:
        corrections: Translations or rotation vectors; those of inactive frames are not used.
        active: (F,) frames whose corrections are kept.
        times: (F,) seconds.
        fade: Seconds until a carried correction has died away; or (F,) seconds, of which those
            of the first and last frame of every active run count.
        level: Leave the pace out, so that what is carried never exceeds the first or last correction.
    """
    carried = np.zeros_like(corrections)
    if not active.any():
        return carried
    before, after = _neighbours(active)
    since = np.where(before >= 0, times - times[before], np.inf)
    until = np.where(after < len(times), times[np.minimum(after, len(times) - 1)] - times, np.inf)
    fades = np.broadcast_to(fade, times.shape)
    for way, edge, inwards in ((since, before, -1), (until, np.minimum(after, len(times) - 1), 1)):
        window = np.minimum(fades[edge], since + until)
        near = ~active & (way < window)
        share = (way[near] / window[near])[:, None]
        carried[near] += smooth_fall(share) * corrections[edge[near]]
        if not level:
            pace = _pace(corrections, active, times, edge[near], inwards, window[near])
            carried[near] += share * (1.0 - share) ** 2 * pace
    carried[active] = corrections[active]
    return carried


def _pace(corrections: Array, active: Mask, times: Array, edges: Indices, inwards: int, windows: Array) -> Array:
    """(N, 3) how much corrections change, outwards at the ends of active runs, within windows in seconds."""
    inner = np.clip(edges + inwards, 0, len(times) - 1)
    inner = np.where(active[inner], inner, edges)
    steps = np.abs(times[edges] - times[inner])
    pace = (corrections[edges] - corrections[inner]) * (windows / np.where(steps > 0.0, steps, 1.0))[:, None]
    size, most = np.linalg.norm(pace, axis=1), _LIVELIEST * np.linalg.norm(corrections[edges], axis=1)
    limited: Array = pace * np.where(size > most, most / np.where(size > 0.0, size, 1.0), 1.0)[:, None]
    return limited


def within(active: Mask, times: Array, seconds: float) -> Mask:
    """(F,) frames no further than some seconds from an active one."""
    if not active.any():
        return active
    held = times[active]
    place = np.searchsorted(held, times)
    until = held[np.minimum(place, len(held) - 1)] - times
    since = times - held[np.maximum(place - 1, 0)]
    near: Mask = active | (np.minimum(np.abs(until), np.abs(since)) <= seconds + _ROUNDING)
    return near


def _neighbours(active: Mask) -> tuple[Indices, Indices]:
    """Nearest active frame up to and from each frame on; -1 and F where there is none."""
    frames = np.arange(len(active))
    before = np.maximum.accumulate(np.where(active, frames, -1))
    after = np.minimum.accumulate(np.where(active, frames, len(active))[::-1])[::-1]
    return before, after


def smooth_fall(share: Any) -> Array:
    """From 1 at 0 to 0 at 1, level at both ends; a window and its mirror image add up to 1."""
    weight: Array = 1.0 - share * share * (3.0 - 2.0 * share)
    return weight
