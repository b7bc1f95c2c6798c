"""What an edit did to a clip, in numbers and pictures."""

from __future__ import annotations

import base64
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.analysis import UNKNOWN_MOMENTS, SameMoments, best_view, find_same_moments
from ....core.body import Body
from ....core.numerics import quaternion
from ....core.timeline.pose_picture import StripStyle, pose_strip, write_png
from ...document.character.saved_body import body_of
from .foot_slides import largest_slides

if TYPE_CHECKING:
    from ....core.motion import Motion
    from ...border.action_io import Clip
    from .time_notes import TimeNote

_FIGURES = 10
_FIGURE_HEIGHT = 90.0  # pixels


@dataclass(frozen=True)
class Measured:
    """Numbers of one clip by name, and PNG pictures in base64 by name."""

    numbers: dict[str, Any]
    pictures: dict[str, Any]


def measure(before: Clip, after: Clip, *, notes: list[TimeNote], pictures: bool) -> Measured:
    """Compare a clip with how it was.

    Args:
        before: Read before the edits.
        after: Read after them; of another armature where the motion was put on that one.
        notes: With what time maps the edits have retimed it, in their order.
        pictures: Whether to draw poses.
    """
    body = body_of(before.armature, before)
    bodies = body, body if after.armature == before.armature else body_of(after.armature, after)
    maps = [(note.time_map, note.covered) for note in notes]
    timing = find_same_moments(before.motion, after.motion, maps, bodies)
    same_figure = after.armature == before.armature
    slides = largest_slides(before, after, bodies, timing)
    numbers = {
        f"{name}_{when}": value
        for when, clip, figure, slide in zip(("before", "after"), (before, after), bodies, slides, strict=True)
        for name, value in _of_one(clip, figure, slide).items()
    }
    numbers |= _changes(before.motion, after.motion, timing if same_figure else UNKNOWN_MOMENTS)
    drawn: dict[str, Any] = {}
    if pictures:
        drawn["poses"] = _poses(before.motion, after.motion, body, timing, together=same_figure)
    if timing.known and timing.changed:
        drawn["timing"] = timing.drawn()
    return Measured(numbers, drawn)


def _of_one(clip: Clip, body: Body, slide: float | None) -> dict[str, Any]:
    motion = clip.motion
    return {
        "frames": len(motion),
        "length": _rounded(float(motion.times[-1] - motion.times[0])),
        "keys": sum(len(keys) for keys in clip.keys.values()),
        "slide": None if slide is None else _rounded(slide),
        "height": _rounded(body.height or 0.0),
    }


def _changes(before: Motion, after: Motion, timing: SameMoments) -> dict[str, Any]:
    """The largest change of a joint's rotation, in degrees, and place, in units, at the same moments."""
    if before.skeleton.names != after.skeleton.names or not timing.known:
        return {"turned": None, "turned_joint": "", "moved": None, "moved_joint": "", "estimated": False}
    now, then = (after, before) if not timing.changed else (after.at(timing.now), before.at(timing.before))
    turns = np.degrees(quaternion.angle_between(then.rotations, now.rotations)).max(axis=0)
    moves = np.linalg.norm(now.poses.positions - then.poses.positions, axis=-1).max(axis=0)
    names = [name or "the object" for name in after.skeleton.names]
    return {
        "turned": _rounded(turns.max()),
        "turned_joint": names[int(turns.argmax())],
        "moved": _rounded(moves.max()),
        "moved_joint": names[int(moves.argmax())],
        "estimated": timing.estimated,
    }


def _rounded(value: float) -> float:
    """Enough digits for people and the same text on every machine."""
    return float(f"{float(value):.5g}")


def _poses(before: Motion, after: Motion, body: Body, timing: SameMoments, *, together: bool) -> list[str]:
    """The same moments before and after, as PNG in base64: together in one picture, or one picture each."""
    x, y, z = body.up.vector.tolist() if body.up else (0.0, 0.0, 1.0)
    up = (x, y, z)
    style = StripStyle(figure_height=_FIGURE_HEIGHT, up=up)
    motions, labels, frames = [before, after], ["before", "after"], _same_moments(before, after, timing)
    view = best_view(before, up=up)
    if together:
        return [_png(pose_strip(motions, frames, labels=labels, view=view, style=style))]
    # Figures of different origin have different units, so that one scale would make one of them tiny.
    return [
        _png(pose_strip([motion], [chosen], labels=[label], view=view, style=style))
        for motion, chosen, label in zip(motions, frames, labels, strict=True)
    ]


def _same_moments(before: Motion, after: Motion, timing: SameMoments) -> list[list[int]]:
    """Evenly spaced frames of the motion as it was, and the frames that show the same now."""
    chosen = np.unique(np.linspace(0, len(before) - 1, _FIGURES).round().astype(int))
    if not timing.known:
        shares = np.linspace(0.0, 1.0, len(chosen))
        return [chosen.tolist(), (shares * (len(after) - 1)).round().astype(int).tolist()]
    nearest = np.abs(before.times[chosen, None] - timing.before).argmin(axis=1)
    now = np.abs(timing.now[nearest, None] - after.times).argmin(axis=1)
    return [chosen.tolist(), now.tolist()]


def _png(picture: np.ndarray) -> str:
    few_shades = picture // 16 * 17  # sixteen of each colour: enough for lines, and half the size of the page
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "poses.png"
        write_png(path, few_shades)
        return base64.b64encode(path.read_bytes()).decode()
