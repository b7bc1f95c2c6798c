"""A part of a motion alone: keys at its ends, none beyond them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..curves.channels import channels_of, curves_of, further_owners
from ..curves.key_splits import split_at
from ..curves.keys import SAME_FRAME, generated_keys, key_count, read_keys, write_keys
from ..write_report import WriteReport
from ..written_motion import refuse_protected

if TYPE_CHECKING:
    from bpy.types import FCurve

    from ..clip import Clip


def trim(clip: Clip, first: float, last: float, *, offset: float = 0.0) -> WriteReport:
    """Keep what all curves of an object show between two action frames.

    Args:
        clip: What was read.
        first: First frame that is kept; it gets a key.
        last: Last frame that is kept.
        offset: Frames by which what is kept is moved.
    """
    thing, channels = clip.armature, channels_of(clip.armature)
    refuse_protected(clip, [prop for joint in channels.joints for prop in joint] + list(channels.scalars))
    curves = [curve for owner in (thing, *further_owners(thing)) for curve in curves_of(owner) if key_count(curve)]
    report = WriteReport(
        bones=len(clip.motion.skeleton),
        frames=round(last - first) + 1,
        frames_before=round(float(np.ptp(clip.frames))) + 1,
        muted_follow=True,
    )
    for curve in curves:
        report.keys_before += key_count(curve)
        _trim(curve, first, last, offset)
        report.keys_after += key_count(curve)
    thing.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return report


def _trim(curve: FCurve, first: float, last: float, offset: float) -> None:
    shown = curve.evaluate(first)
    split_at(curve, first)
    split_at(curve, last)
    keys = read_keys(curve)
    frames = keys["co"][:, 0]
    inside = (frames >= first - SAME_FRAME) & (frames <= last + SAME_FRAME)
    kept = {name: values[inside] for name, values in keys.items()}
    if not inside.any():
        kept = generated_keys([first], [shown], interpolation=int(keys["interpolation"][0]))
    for name in ("co", "handle_left", "handle_right"):
        kept[name][:, 0] += offset
    write_keys(curve, kept)
    curve.update()
