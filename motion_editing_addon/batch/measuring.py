"""What an edit did to a clip, in numbers and pictures."""

from __future__ import annotations

import base64
import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ...core import quaternion
from ...core.alignment import align
from ...core.body import Body
from ...core.contact_lock import foot_slide
from ...core.contacts import detect_contacts
from ...core.errors import MotionEditError
from ...core.motion import Motion
from ...core.pose_features import torso_positions
from ...core.pose_picture import StripStyle, pose_strip, write_png
from ..armature import why_sampled
from ..character.saved import body_of
from ..joint_positions import positions_of

if TYPE_CHECKING:
    from ..action_io import Clip

# Edits after which a moment of the clip is at another time, although the clip may be as long as before.
RETIMING = {
    "align_windows",
    "apply_time_map",
    "move_pose",
    "retime_pose",
    "shift_time",
    "snap_to_beats",
    "stretch_windows",
    "warp_time",
}
# Samples of each motion that are compared to find when a moment is now; more cost more than they show.
_COMPARED = 240
_FIGURES = 10
_FIGURE_HEIGHT = 90.0  # pixels


@dataclass(frozen=True)
class Measured:
    """Numbers of one clip by name, and PNG pictures in base64 by name."""

    numbers: dict[str, Any]
    pictures: dict[str, Any]


def measure(before: Clip, after: Clip, *, edits: Sequence[str], pictures: bool) -> Measured:
    """Compare a clip with how it was.

    Args:
        before: Read before the edits.
        after: Read after them.
        edits: Names of the edits.
        pictures: Whether to draw poses.
    """
    body = body_of(before.armature, before)
    timing = None
    if len(before.motion) != len(after.motion) or RETIMING.intersection(edits):
        timing = _timing(before.motion, after.motion, body)
    numbers = {
        **{f"{name}_before": value for name, value in _of_one(before, body).items()},
        **{f"{name}_after": value for name, value in _of_one(after, body).items()},
        **_changes(before.motion, after.motion, timing),
        "height": _rounded(body.height or 0.0),
    }
    drawn = {"poses": _poses(before.motion, after.motion, body)} if pictures else {}
    if timing is not None:
        drawn["timing"] = [[_rounded(each) for each in row] for row in timing.T.tolist()]
    return Measured(numbers, drawn)


def _of_one(clip: Clip, body: Body) -> dict[str, Any]:
    motion = clip.motion
    return {
        "frames": len(motion),
        "length": _rounded(float(motion.times[-1] - motion.times[0])),
        "keys": sum(len(keys) for keys in clip.keys.values()),
        "slide": _largest_slide(clip, body),
    }


def _largest_slide(clip: Clip, body: Body) -> float | None:
    """How far a planted foot slides at most, in units; None where feet or the pose are not known."""
    if why_sampled(clip.armature) or not body.feet:
        return None
    try:
        contacts = detect_contacts(clip.motion, body, positions=positions_of(bpy.context, clip))
    except MotionEditError:
        return None
    slides = [slide for each in foot_slide(clip.motion, contacts).values() for slide in each]
    return _rounded(max(slides, default=0.0))


def _timing(before: Motion, after: Motion, body: Body) -> np.ndarray | None:
    """(N, 2) seconds now and before of the same moments, found by comparing poses; None if they are too unlike."""
    steps = [max(1, math.ceil(len(motion) / _COMPARED)) for motion in (after, before)]
    try:
        new, old = (
            torso_positions(motion.poses.positions[::step], body).reshape(len(motion.times[::step]), -1)
            for motion, step in zip((after, before), steps, strict=True)
        )
        ratio = max(len(new), len(old)) / max(1, min(len(new), len(old)))
        path = align(new, old, slope_limit=max(4, math.ceil(2.0 * ratio))).path
    except (MotionEditError, ValueError):
        return None
    times = [motion.times[::step] - motion.times[0] for motion, step in zip((after, before), steps, strict=True)]
    return np.column_stack([times[0][path[:, 0]], times[1][path[:, 1]]])


def _changes(before: Motion, after: Motion, timing: np.ndarray | None) -> dict[str, Any]:
    """The largest change of a joint's rotation, in degrees, and place, in units, at the same moments."""
    if before.skeleton.names != after.skeleton.names or (timing is None and len(before) != len(after)):
        return {"turned": None, "moved": None, "moved_joint": ""}
    now, then = after, before
    if timing is not None:
        now = after.at(after.times[0] + timing[:, 0])
        then = before.at(before.times[0] + timing[:, 1])
    turns = np.degrees(quaternion.angle_between(then.rotations, now.rotations))
    moves = np.linalg.norm(now.poses.positions - then.poses.positions, axis=-1).max(axis=0)
    joint = int(moves.argmax())
    name = after.skeleton.names[joint] or "the object"
    return {"turned": _rounded(turns.max()), "moved": _rounded(moves[joint]), "moved_joint": name}


def _rounded(value: float) -> float:
    """Enough digits for people and the same text on every machine."""
    return float(f"{float(value):.5g}")


def _poses(before: Motion, after: Motion, body: Body) -> str:
    """A row of poses before and one after, as PNG in base64."""
    up = tuple(float(number) for number in body.up.vector) if body.up else (0.0, 0.0, 1.0)
    style = StripStyle(figure_height=_FIGURE_HEIGHT, up=up)
    picture = pose_strip([before, after], _FIGURES, labels=["before", "after"], style=style)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "poses.png"
        write_png(path, picture)
        return base64.b64encode(path.read_bytes()).decode()
