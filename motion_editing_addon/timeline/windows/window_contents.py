"""Whether the motion in the windows is still what it was when they were set.

The operation window may be edited: that is what it is for. If other windows hold another motion than
they did, keys may have been moved by a tool that does not know of windows, and they lie at wrong places.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from math import ceil, floor
from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ...border.translation import report_text
from ...document import scope, watched_keys
from ..frames import samples_of
from .windows import settings_of

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup

    from ....core.timeline import Windows
    from ...border.action_io import Clip

# Share of a window at each end that may change: an edit next to it reaches in between sparse keys.
_EDGE = 0.25
# The last answer for a panel, by the action and its keys.
_seen: dict[str, tuple[object, str]] = {}


def note_contents(clip: Clip) -> None:
    """Take the motion in all windows as what belongs there."""
    for item in settings_of(clip.armature).windows:
        item.content = _content(clip, item)


def changed_text(clip: Clip) -> str:
    """Which ticked windows hold another motion than they did, and what can be done; nothing if none does."""
    text = _changed_windows(clip)
    return text and text + report_text(": use Find Similar if they do not fit any more")


def changed_numbers(clip: Clip) -> list[int]:
    """Numbers of the ticked windows that hold another motion than they did."""
    listed = enumerate(settings_of(clip.armature).windows)
    return [n for n, item in listed if item.ticked and item.content and item.content != _content(clip, item)]


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
    action = scope.action_of(armature)
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


def _content(clip: Clip, item: PropertyGroup) -> str:
    """A digest of the poses in the middle of a window."""
    start, end = samples_of(clip, [item.start, item.end]).tolist()
    edge = _EDGE * (end - start)
    rows = slice(max(0, ceil(start + edge)), max(0, floor(end - edge) + 1))
    digest = blake2b(digest_size=8)
    # The sign of a quaternion says nothing, and may come from frames before the window.
    for values in (np.abs(clip.motion.rotations[rows]), clip.motion.locations[rows]):
        digest.update(np.ascontiguousarray(values, dtype=np.float32))
    return digest.hexdigest()
