"""Keys that were set, moved or removed in the operation window, as the keys of other windows take them over.

A window that an animator keyed has poses of its own at frames of its own. So a key of the operation window
has a partner among the keys of another window, the one that is nearest where frames correspond, and what is
done to the one is done to the other. What has no partner gets a key on the whole frame that corresponds.
"""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..body import Body
from ..editing import PropagationWindow, offsets_in_heading
from ..motion import Motion, PoseOffsets
from ..numerics import Array

# Frames below which two keys are one.
_SAME = 1e-3
# A partner is not farther away than this share of a window or these frames, whichever is more, nor than this share of
# the way to the key beside; half a frame is no distance.
_FARTHEST, _BESIDE, _CROWDED, _NO_WAY = 0.08, 1.0, 0.3, 0.5


@dataclass(frozen=True, eq=False)
class KeyChanges:
    """What was done to the keys of a curve in the operation window.

    Attributes:
        known: (K,) frames of the keys that were there before.
        old: (N,) frame of every change before; NaN for a key that was added.
        new: (N,) frame after it; NaN for a key that was removed.
    """

    known: Array
    old: Array
    new: Array

    @property
    def from_frames(self) -> Array:
        """(N,) frames whose poses before say what was changed: of a new key, where it now is."""
        return np.where(np.isnan(self.old), self.new, self.old)


def key_changes(before: Any, after: Any, touched: Any) -> KeyChanges:
    """What leads from some keys to others. Between two keys that stayed, as many removed as added ones were moved.

    Args:
        before: (K,) rising frames of the keys before.
        after: (L,) those after.
        touched: (L,) whether a key is another one than that at the same frame before.
    """
    was, now = (np.asarray(each, dtype=np.float64) for each in (before, after))
    gone, added = ~_are_among(was, now), ~_are_among(now, was)
    changed = np.asarray(touched, dtype=np.bool_) & ~added
    old, new = [now[changed]], [now[changed]]
    places = [np.searchsorted(now[~added], each) for each in (was[gone], now[added])]
    for place in np.unique(np.concatenate(places)):
        left, came = was[gone][places[0] == place], now[added][places[1] == place]
        if len(left) != len(came):
            left, came = np.append(left, came * np.nan), np.append(left * np.nan, came)
        old.append(left)
        new.append(came)
    return KeyChanges(was, np.concatenate(old), np.concatenate(new))


def _are_among(frames: Array, others: Array) -> NDArray[np.bool_]:
    return np.isin(np.round(frames / _SAME), np.round(others / _SAME))


@dataclass(frozen=True, eq=False)
class Landing:
    """What becomes of the keys of another window; NaN stands for none.

    Attributes:
        change: (N,) number of the change that it comes from; -1 for a key that only goes with the others.
        before: (N,) frame of the operation window whose pose before says what was changed.
        after: (N,) frame of the one that says what it became.
        taken: (N,) frame of the window's own key that it is about.
        base: (N,) frame whose pose is changed.
        to: (N,) frame at which it then is a key.
    """

    change: NDArray[np.intp]
    before: Array
    after: Array
    taken: Array
    base: Array
    to: Array

    def part(self, chosen: Any) -> "Landing":
        """Some of them, by index or mask."""
        return Landing(*(getattr(self, each.name)[chosen] for each in fields(self)))


def landed(changes: KeyChanges, window: PropagationWindow, own: Any) -> Landing:
    """Find the keys of a window that belong to those of the operation window, and where they go.

    A key that is changed stays on its frame. One that is moved goes as far as its partner went, one that is
    added goes to what corresponds, both to whole frames in the window. All other keys of the window go with
    the motion around them.

    Args:
        window: With frames of the keys.
        own: (M,) rising frames of its keys.
    """
    keys = np.asarray(own, dtype=np.float64)
    partners = _partners(window.own_at(changes.known), keys, max(_BESIDE, _FARTHEST * window.length))
    known, removed = ~np.isnan(changes.old), np.isnan(changes.new)
    rows = np.where(known, np.searchsorted(changes.known, changes.from_frames - _SAME), -1)
    taken = np.append(partners, np.nan)[rows]
    start = window.own_at(changes.from_frames)
    way = np.where(removed, 0.0, window.own_at(np.where(removed, 0.0, changes.new)) - start)
    whole = np.round(np.where(np.isnan(taken), start, taken) + way)
    whole = np.clip(whole, np.ceil(window.start - _SAME), np.floor(window.end + _SAME))
    stays = ~np.isnan(taken) & (np.abs(changes.new - changes.old) < _SAME)
    to = np.where(removed, np.nan, np.where(stays, taken, whole))
    base = np.where(np.isnan(taken), to - way, taken)
    numbers = np.arange(len(to))
    done = Landing(numbers, changes.from_frames, changes.new, taken, base, to).part(~np.isnan(taken) | ~removed)
    others = keys[~_are_among(keys, np.append(done.taken, done.to))]
    return _joined(done, _going_along(others, changes.known, partners, window))


def _going_along(own: Array, known: Array, partners: Array, window: PropagationWindow) -> Landing:
    """Keys that nothing was done to: each takes what was done to the motion at its moment."""
    paired = ~np.isnan(partners)
    places = np.searchsorted(partners[paired], own - _SAME)
    has_partner = _are_among(own, partners[paired])
    moment = np.where(has_partner, np.append(known[paired], np.nan)[places], window.operation_at(own))
    return Landing(np.full(len(own), -1), moment, moment, own, own, own)


def _joined(one: Landing, other: Landing) -> Landing:
    return Landing(*(np.concatenate([getattr(each, name.name) for each in (one, other)]) for name in fields(one)))


def _partners(places: Array, own: Array, farthest: float) -> Array:
    """(K,) of own keys (M,) the one that belongs to each place: both are nearest to each other; NaN for none."""
    if not len(own) or not len(places):
        return np.full(len(places), np.nan)
    away = np.abs(places[:, None] - own)
    nearest = away.argmin(axis=1)
    mutual = away.argmin(axis=0)[nearest] == np.arange(len(places))
    gaps = np.diff(places, prepend=-np.inf, append=np.inf)
    limit = np.clip(_CROWDED * np.minimum(gaps[:-1], gaps[1:]), _NO_WAY, farthest)
    return np.where(mutual & (away.min(axis=1) <= limit), own[nearest], np.nan)


def carried_poses(
    before: Motion, after: Motion, base: Motion, moments: Any, *, amount: float = 1.0, body: Body | None = None
) -> Motion:
    """N poses that differ from poses of a base as poses of the operation window differ from those before.

    Args:
        before: The motion without the edit.
        after: The motion with it.
        base: The motion that takes it over, without the edit.
        moments: (3, N) seconds of the pose before, of the one after, and of the one of the base.
        amount: How much of the edit is carried.
        body: Tells which joint carries the character and where up is.
    """
    source, edited, target = (motion.at(times) for motion, times in zip((before, after, base), moments, strict=True))
    offsets = PoseOffsets.between(source, edited).scaled(amount)
    carried = offsets_in_heading(offsets, source, target, body).applied(target)
    # A switch that was set is set to the same value: a difference of choices means nothing elsewhere.
    was_set = before.steps & (offsets.scalars != 0.0)
    return carried.with_scalars(np.where(was_set, edited.scalars, carried.scalars))
