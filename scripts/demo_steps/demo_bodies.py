"""The demo's step about other bodies: the sample's walk on a figure of 60 % size and on one with very short legs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import bpy
import numpy as np
from demo_constraints import largest_slide
from demo_scene import Row, Shown, current_motion, run
from motion_editing.core.timeline.pose_picture import StripStyle, pose_strip

if TYPE_CHECKING:
    from bpy.types import Object
    from motion_editing.core.motion import Motion, Skeleton

Place = np.ndarray
SMALL, SHORT = 0.6, 0.45  # size of the small figure; length of the short legs, both as shares
BESIDE = -2.5  # metres from one figure to the next
HIP_JOINT, ANKLE = 0.915, 0.085  # metres above the floor, of the sample's figure
FIRST_SEEN, LAST_SEEN, SEEN_EVERY = 0.8, 3.4, 0.26  # seconds: the walk, and from one drawn pose to the next
FIGURE_HEIGHT = 150.0  # pixels


def walk_on_other_bodies() -> Shown:
    """Put the walk on a figure of 60 % size and on one with very short legs."""
    sample, before = bpy.context.object, current_motion()
    rows = [walk_row("The sample's walk", before)]
    lines = [
        f"the sample's feet slide by {slide_in_percent(before):.2f} % of the leg, over the contacts that are known"
    ]
    for number, (name, label, changed) in enumerate(BODIES, start=1):
        body_beside(sample, name, number, changed)
        run(bpy.ops.motion_editing.retarget_motion, source=sample.name)
        after = current_motion()
        rows.append(walk_row(label, after))
        report = bpy.context.object.motion_editing_retarget.report
        before_held = 100.0 * report.slide_before / report.leg_length
        lines.append(
            f"{label}: feet slide by {slide_in_percent(after):.2f} % of the leg, {before_held:.1f} % without contacts,"
            f" {way_of(after):.2f} m walked"
        )
    bpy.context.view_layer.objects.active = sample
    return Shown(lines, [], {"bodies.png": picture_of(rows)})


# The figures


def small(place: Place) -> Place:
    """A point of the sample's figure, in a figure that is smaller as a whole."""
    return SMALL * place


def short_legged(place: Place) -> Place:
    """A point of the sample's figure, in a figure with the same body and feet on short legs."""
    x, y, z = place
    if z <= ANKLE:
        return place
    shortened = (1.0 - SHORT) * (min(z, HIP_JOINT) - ANKLE)
    return np.array([x, y, z - shortened])


BODIES: tuple[tuple[str, str, Callable[[Place], Place]], ...] = (
    ("Small", f"A figure of {100 * SMALL:.0f} % size", small),
    ("Short Legs", f"The same body on legs of {100 * SHORT:.0f} %", short_legged),
)


def body_beside(sample: Object, name: str, number: int, changed: Callable[[Place], Place]) -> Object:
    """A figure with other proportions beside the sample's, active, without motion."""
    armature = sample.copy()
    armature.name, armature.data = name, sample.data.copy()
    armature.animation_data_clear()
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    armature.location.x += number * BESIDE
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in armature.data.edit_bones:
        bone.head, bone.tail = changed(np.array(bone.head)), changed(np.array(bone.tail))
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


# What is shown


def walk_row(label: str, motion: Motion) -> Row:
    """The walk."""
    return Row(label, motion, motion.times[0] + np.arange(FIRST_SEEN, LAST_SEEN, SEEN_EVERY))


def picture_of(rows: list[Row]) -> np.ndarray:
    """The rows below each other, all in one scale."""
    motions, frames, labels = ([getattr(row, name) for row in rows] for name in ("motion", "frames", "label"))
    return pose_strip(motions, frames, labels=labels, style=StripStyle(figure_height=FIGURE_HEIGHT))


def slide_in_percent(motion: Motion) -> float:
    """Largest slide of a foot over the contacts that the sample is known to have, in percent of the leg."""
    return 100.0 * largest_slide(motion) / leg_length(motion.skeleton)


def leg_length(skeleton: Skeleton) -> float:
    """From the hip to the ankle, in metres."""
    places = skeleton.rest_positions[[skeleton.index[f"{bone}.L"] for bone in ("thigh", "shin", "foot")]]
    return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())


def way_of(motion: Motion) -> float:
    """Metres that the hips go over the ground in the walk."""
    frames = walk_row("", motion).frames
    start, end = motion.poses.positions[[frames[0], frames[-1]], motion.skeleton.index["hips"], :2]
    return float(np.linalg.norm(end - start))
