"""The demo's step about repetitions: one punch raised, then all punches of that hand."""

from __future__ import annotations

from math import radians
from typing import TYPE_CHECKING

import bpy
import numpy as np
from demo_scene import RATE, Row, Shown, current_motion, run
from motion_editing.core.motion import displaced, smooth_offsets
from motion_editing.core.numerics import quaternion
from motion_editing.core.sample_motion import sample_events
from motion_editing.core.timeline.pose_picture import StripStyle, pose_strip
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.action_users import keep_original

if TYPE_CHECKING:
    from motion_editing.core.motion import Motion

SIDE = "R"
ARM, HAND = f"upper_arm.{SIDE}", f"hand.{SIDE}"
RAISED = radians(-40.0)  # by which the edit turns the upper arm
BEFORE, AFTER = 8 / RATE, 8 / RATE  # seconds of the window before and after a punch is fully stretched
FIGURE_HEIGHT = 150.0  # pixels


def edit_one_change_all() -> Shown:
    """Edit one punch, change all punches of that hand."""
    original, moment = current_motion(), punches()[0]
    run(bpy.ops.motion_editing.find_similar, start=frame_at(moment - BEFORE), end=frame_at(moment + AFTER))
    found = [(item.start, item.end, item.similarity) for item in timeline().windows if item.ticked]
    raise_arm(moment)
    one = current_motion()
    run(bpy.ops.motion_editing.propagate_edit)
    every = current_motion()
    run(bpy.ops.motion_editing.restore_original)
    run(bpy.ops.motion_editing.clear_windows)
    difference = largest_turns(original, current_motion()).max()
    rows = [
        punch_row(f"Five punches, {len(punches())} of them with the right hand", original),
        punch_row("The first one is raised", one),
        punch_row("Propagate Edit: all of this hand are raised, those of the left are as before", every),
    ]
    lines = [*in_numbers(found, original, one, every), f"the original is back within {difference:.4f} degrees"]
    return Shown(lines, rows, {"punches.png": picture_of(rows)})


def timeline() -> bpy.types.PropertyGroup:
    """The active action's pose timeline."""
    return bpy.context.object.animation_data.action.motion_editing_timeline


def punches() -> list[float]:
    """Seconds at which the hand is fully stretched, from the start of the sample."""
    return [moment for side, moment in sample_events().punches if side == SIDE]


def frame_at(moment: float) -> int:
    """Frame of a moment of the sample, in seconds."""
    return round(current_motion().times[0] * RATE + moment * RATE)


def raise_arm(moment: float) -> None:
    """Turn the upper arm, most at a moment and smoothly less before and after it, and key every frame."""
    armature = bpy.context.object
    clip = action_io.read(armature, rate=scope.source_rate(bpy.context, armature))
    motion = clip.motion
    turns = np.zeros((len(motion), len(motion.skeleton), 3))
    knots = motion.times[0] + moment + np.array([-BEFORE, 0.0, AFTER])
    turns[:, motion.skeleton.index[ARM], 0] = smooth_offsets(motion.times, knots, [0.0, RAISED, 0.0])
    keep_original(bpy.context, armature)
    action_io.write(clip, displaced(motion, turns, 0.0, 0.0, 0.0))


def punch_row(label: str, motion: Motion) -> Row:
    """Every punch on its way and fully stretched."""
    moments = [
        motion.times[0] + moment + frame / RATE for _side, moment in sample_events().punches for frame in (-4, 0)
    ]
    return Row(label, motion, moments)


def picture_of(rows: list[Row]) -> np.ndarray:
    """The rows below each other."""
    motions, frames, labels = ([getattr(row, name) for row in rows] for name in ("motion", "frames", "label"))
    return pose_strip(motions, frames, labels=labels, style=StripStyle(figure_height=FIGURE_HEIGHT))


def in_numbers(found: list[tuple[float, float, float]], original: Motion, one: Motion, every: Motion) -> list[str]:
    """What was found, how high the hand comes, and what was left alone."""
    windows = [f"frames {start:.0f} to {end:.0f} ({similarity:.0%})" for start, end, similarity in found]
    heights = [hand_heights(motion) for motion in (original, one, every)]
    others = np.delete(largest_turns(original, every), original.skeleton.index[ARM]).max()
    return [
        f"similar to the first punch: {' and '.join(windows)}",
        "height of the right hand at its punches: {} m before, {} m edited, {} m propagated".format(*heights),
        f"largest change of unedited joints {others:.4f} degrees",
    ]


def largest_turns(before: Motion, after: Motion) -> np.ndarray:
    """(J,) by how much every joint is turned at most, in degrees."""
    return np.degrees(quaternion.angle_between(before.rotations, after.rotations)).max(axis=0)


def hand_heights(motion: Motion) -> str:
    """How high the hand is at each of its punches, in metres."""
    frames = Row("", motion, [motion.times[0] + moment for moment in punches()]).frames
    return ", ".join(f"{height:.2f}" for height in motion.poses.positions[frames, motion.skeleton.index[HAND], 2])
