"""Whether the keys in the windows are still what they were when they were set.

The operation window may be edited: that is what it is for, and an edit may reach from it into the windows beside it.
If others hold other keys than they did, these may have been moved by a tool that does not know of windows, or the
whole action was edited, and nothing is left to be carried.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from ....core.errors import MotionEditError
from ...border.translation import report_text
from ...document import scope, watched_keys
from .windows import settings_of

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup

    from ....core.timeline import Windows
    from ...border.action_io import Clip

# Parts of a window that are compared one by one: they tell whether an edit reaches into it, or through it.
_PARTS, _BETWEEN = 8, " "
# The last answer for a panel, by the action and its keys.
_seen: dict[str, tuple[object, str]] = {}


def note_contents(clip: Clip) -> None:
    """Take the keys in all windows as what belongs there."""
    held = _Held.of(clip)
    for item in settings_of(clip.armature).windows:
        item.content = _BETWEEN.join(held.digests(item))


def changed_text(clip: Clip) -> str:
    """Which ticked windows hold other keys than they did, and what can be done; nothing if none does."""
    text = _changed_windows(clip)
    return text and text + report_text(": use Find Similar if they do not fit any more")


def changed_numbers(clip: Clip) -> list[int]:
    """Numbers of the ticked windows that hold other keys than they did, beyond what an edit reaches into them with."""
    settings, held = settings_of(clip.armature), _Held.of(clip)
    return [n for n, item in enumerate(settings.windows) if item.ticked and _is_changed(held, item, settings.start)]


def _is_changed(held: _Held, item: PropertyGroup, operation: float) -> bool:
    """Whether a window has other keys, and another motion throughout or away from the operation window's side.

    Between keys that stayed an edit beside the window may be seen, and keys may be added where nothing is.
    """
    known = item.content.split(_BETWEEN)
    if len(known) != 2 * _PARTS:
        return False  # not known: saved by an earlier version
    other = np.array([was != now for was, now in zip(known, held.digests(item), strict=True)])
    moved, keyed = other[:_PARTS], other[_PARTS:]
    if item.start < operation:
        moved, keyed = moved[::-1], keyed[::-1]
    reaches_in = not moved.all() and not (moved[1:] & ~moved[:-1]).any()
    return bool((moved & keyed).any() and not reaches_in)


def _changed_windows(clip: Clip) -> str:
    windows = settings_of(clip.armature).windows
    changed = [windows[number] for number in changed_numbers(clip)]
    if not changed:
        return ""
    if len(changed) == sum(bool(item.ticked and item.content) for item in windows):
        return report_text("The motion in all enabled windows has changed since")
    frames = scope.to_scene(clip.armature, np.array([changed[0].start, changed[0].end]))
    start, end = (f"{frame:.0f}" for frame in frames)
    return report_text("The motion in the window at {start} to {end} has changed since", start=start, end=end)


def unchanged(clip: Clip, windows: Windows) -> Windows:
    """The windows without a tick where the edit has been already, or could land at wrong places."""
    changed = changed_numbers(clip)
    others = tuple(replace(each, ticked=each.ticked and n not in changed) for n, each in enumerate(windows.others))
    return replace(windows, others=others)


def seen_text(context: Context, armature: Object) -> str:
    """The same for a panel, worked out once for the same keys and ticks."""
    action = scope.own_action(armature)
    items = action.motion_editing_timeline.windows
    key = watched_keys.fingerprint(armature), tuple((item.content, item.ticked, item.start) for item in items)
    known = _seen.get(action.name_full)
    if known is None or known[0] != key:
        known = key, _text_now(context, armature)
        _seen[action.name_full] = known
    return known[1]


def _text_now(context: Context, armature: Object) -> str:
    try:
        return changed_text(scope.read_clip(context, armature))
    except MotionEditError:  # said by the tools; a panel cannot
        return ""


@dataclass(frozen=True, eq=False)
class _Held:
    """Motion and keys of an action in order of time.

    Attributes:
        frames: (F,) sampled frames.
        motion: (F, C) what is seen there.
        baked: (F, B) the same of curves with a key on every frame.
        key_frames: (K,) frames of all other keys.
        keys: (K, 3) number of the curve, frame and value of each.
    """

    frames: np.ndarray
    motion: np.ndarray
    baked: np.ndarray
    key_frames: np.ndarray
    keys: np.ndarray

    @classmethod
    def of(cls, clip: Clip) -> _Held:
        """All of a clip."""
        count = len(clip.frames)
        motion = [each.reshape(count, -1) for each in (clip.motion.rotations, clip.motion.locations)]
        few = {key: places for key, places in clip.keys.items() if len(places) < count}
        baked = [clip.raw[prop][:, index] for prop, index in clip.keys if (prop, index) not in few]
        rows = [np.column_stack([np.full(len(places), _number(key)), places]) for key, places in few.items()]
        keys = np.concatenate([np.empty((0, 3)), *rows])
        keys = keys[np.lexsort((keys[:, 0], keys[:, 1]))]
        return cls(clip.frames, np.hstack(motion), np.array(baked).reshape(-1, count).T, keys[:, 1], keys)

    def digests(self, item: PropertyGroup) -> list[str]:
        """What tells the motion in the parts of a window from others, and then what tells the keys."""
        borders = np.linspace(item.start, item.end, _PARTS + 1)
        samples, keys = (list(pairwise(np.searchsorted(each, borders))) for each in (self.frames, self.key_frames))
        seen = [_digest(self.motion[first:last]) for first, last in samples]
        parts = zip(samples, keys, strict=True)
        return [*seen, *(_digest(self.baked[slice(*rows)], self.keys[slice(*few)]) for rows, few in parts)]


def _number(key: tuple[Any, int]) -> int:
    """Of a curve, also where there are more of them now; single precision holds it."""
    return crc32(repr((key[0].name, key[1])).encode()) >> 8


def _digest(*parts: np.ndarray) -> str:
    digest = blake2b(digest_size=4)
    # The sign of a quaternion says nothing, and may come from frames before the window.
    for rows in parts:
        digest.update(np.ascontiguousarray(np.abs(rows), dtype=np.float32))
    return digest.hexdigest()
