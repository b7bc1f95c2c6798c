"""The demo's step about the signal toolbox: a shaking version of the sample motion is cleaned."""

from __future__ import annotations

from math import radians
from typing import TYPE_CHECKING

import bpy
import numpy as np
from demo_scene import RATE, Shown, current_motion, run
from motion_editing.core.numerics import quaternion
from motion_editing.core.solve.contact_lock import foot_slide
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document.action_users import keep_original
from motion_editing.motion_editing_addon.document.contacts.saved_contacts import contacts_of

if TYPE_CHECKING:
    from motion_editing.core.analysis.contacts import ContactSpans
    from motion_editing.core.motion import Motion

SHAKE = radians(0.6)  # standard deviation of random turns about each axis of every joint
SPIKE, SPIKES = radians(70.0), (("forearm.L", 60), ("head", 150), ("upper_arm.R", 30))  # lost markers: bone, frame
CUTOFF, STEEPNESS = 7.0, 3  # hertz; punches are quick


def clean_the_capture() -> Shown:
    """Clean a shaking version of the motion: find and repair its spikes, then take the noise out."""
    original = current_motion()
    clip = action_io.read(bpy.context.object, rate=RATE)
    contacts = contacts_of(clip)
    keep_original(bpy.context, bpy.context.object)
    action_io.write(clip, shaken(original))
    lines = [in_numbers("shaking", original, contacts)]
    run(bpy.ops.motion_editing.find_flaws, below_floor=False)
    run(bpy.ops.motion_editing.repair_flaws, which="ALL")
    lines.append(in_numbers("spikes repaired", original, contacts))
    run(bpy.ops.motion_editing.low_pass, cutoff=CUTOFF, steepness=STEEPNESS)
    lines.append(in_numbers(f"{CUTOFF:g} Hz low pass", original, contacts))
    run(bpy.ops.motion_editing.restore_original)
    difference = np.degrees(quaternion.angle_between(original.rotations, current_motion().rotations).max())
    return Shown([*lines, f"the original is back within {difference:.4f} degrees"])


def shaken(motion: Motion) -> Motion:
    """Every joint turned a little at random, and single frames far off; the object itself stands still."""
    turns = SHAKE * np.random.default_rng(3).normal(size=(*motion.rotations.shape[:2], 3))
    turns[:, 0] = 0.0
    for bone, frame in SPIKES:
        turns[frame, motion.skeleton.index[bone], 0] += SPIKE
    return motion.with_rotations(quaternion.multiply(motion.rotations, quaternion.exp(turns)))


def in_numbers(label: str, original: Motion, contacts: ContactSpans) -> str:
    """How far joints are from where they should be, and how far feet in contact slide."""
    now = current_motion()
    errors = 1000.0 * np.linalg.norm(now.poses.positions - original.poses.positions, axis=-1)
    slides = [slide for own in foot_slide(now, contacts).values() for slide in own]
    return (
        f"{label}: joints are off by {np.sqrt((errors**2).mean()):.1f} mm, at most {errors.max():.0f} mm;"
        f" feet in contact slide {1000.0 * np.mean(slides):.0f} mm"
    )
