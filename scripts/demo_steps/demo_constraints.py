"""The demo's step about constraints: a hand is dragged at one frame of the walk, and the motion follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np
from demo_scene import RATE, Row, Shown, current_motion, run
from motion_editing.core.analysis.contacts import ContactSpans
from motion_editing.core.sample_motion import sample_events
from motion_editing.core.solve.contact_lock import foot_slide
from motion_editing.core.timeline.pose_picture import StripStyle, pose_strip

if TYPE_CHECKING:
    from motion_editing.core.motion import Motion

HAND = "hand.R"
MOMENT = 1.6  # seconds: in the walk, when the hand is in front
MOVE = np.array([0.0, -0.1, 0.75])  # metres: up and ahead, to grasp something on a shelf
SPACING = 12  # frames of the quickest half wave of the change
REACH, SEEN_EVERY = 0.9, 0.15  # seconds that are shown before and after, and between two poses
FIGURE_HEIGHT = 150.0  # pixels


def reach_while_walking() -> Shown:
    """Drag a hand at one frame of the walk: the whole motion follows, the feet stay where they stand."""
    before, frame = current_motion(), round(RATE * (current_motion().times[0] + MOMENT))
    run(bpy.ops.motion_editing.find_contacts)
    run(bpy.ops.motion_editing.add_footplants, kind="KEEP")
    held = len(bpy.context.object.animation_data.action.motion_editing_constraints.listed)
    run(bpy.ops.motion_editing.drag_joint, bone=HAND, frame=frame, move=MOVE, spacing=SPACING, keep_contacts=True)
    after = current_motion()
    run(bpy.ops.motion_editing.remove_constraint, everything=True)
    run(bpy.ops.motion_editing.restore_original)
    rows = [
        reach_row("The walk", before),
        reach_row(f"The right hand is dragged up at frame {frame}, {held} footplants hold", after),
    ]
    return Shown(in_numbers(before, after), [], {"constraints.png": picture_of(rows)})


def reach_row(label: str, motion: Motion) -> Row:
    """The steps around the reach."""
    return Row(label, motion, motion.times[0] + MOMENT + np.arange(-REACH, REACH + 1e-6, SEEN_EVERY))


def picture_of(rows: list[Row]) -> np.ndarray:
    """The rows below each other."""
    motions, frames, labels = ([getattr(row, name) for row in rows] for name in ("motion", "frames", "label"))
    return pose_strip(motions, frames, labels=labels, style=StripStyle(figure_height=FIGURE_HEIGHT))


def in_numbers(before: Motion, after: Motion) -> list[str]:
    """How near the hand comes, how far feet move, and how long the change lasts."""
    joints, row = before.skeleton.index, reach_row("", before).frames[round(REACH / SEEN_EVERY)]
    places = [motion.poses.positions for motion in (before, after)]
    missed = 1000.0 * np.linalg.norm(places[1][row, joints[HAND]] - places[0][row, joints[HAND]] - MOVE)
    moved = np.flatnonzero(np.linalg.norm(places[1] - places[0], axis=-1).max(axis=1) > 1e-2)
    slides = [1000.0 * largest_slide(motion) for motion in (before, after)]
    return [
        f"the hand is where it was dragged within {missed:.2f} mm",
        f"frames {moved[0]} to {moved[-1]} follow by more than a centimetre",
        "feet in contact slide by {:.2f} mm before and {:.2f} mm after".format(*slides),
    ]


def largest_slide(motion: Motion) -> float:
    """Largest slide of a foot over the contacts that the sample is known to have, in metres."""
    return max(slide for each in foot_slide(motion, known_contacts(motion)).values() for slide in each)


def known_contacts(motion: Motion) -> ContactSpans:
    """When feet and toes of the sample stand still, in seconds of the motion."""
    first, contacts = motion.times[0], sample_events().contacts
    return ContactSpans(
        {joint: [(first + start, first + end) for start, end in each] for joint, each in contacts.items()}
    )
