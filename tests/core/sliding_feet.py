"""Motions of the sample whose feet slide, and how far and how calmly they do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from contact_edits import BODY, CONTACTS, FRONT, HEIGHT, SIDE, UP, WALK, with_root_moved, with_root_turned

from core.analysis.contacts import ContactSpans
from core.body import Body
from core.motion.motion import Motion
from core.numerics import quaternion
from core.solve.contact_lock import foot_slide
from core.solve.whole_body.root import moved

# Degrees a second by which locking may make a joint turn faster.
CALM = 400.0


def drifting(motion: Motion, body: Body, way: np.ndarray) -> Motion:
    """The whole character carried along in waves, as by a tracker that drifts."""
    return moved(motion, body.root, np.sin(2.0 * motion.times)[:, None] * way)


SLIDING = {
    "aside": drifting(WALK, BODY, 0.03 * HEIGHT * SIDE),
    "ahead": drifting(WALK, BODY, 0.03 * HEIGHT * FRONT),
    "up": drifting(WALK, BODY, 0.02 * HEIGHT * UP),
    "turned": with_root_turned(WALK, BODY, [0.0, 0.3, 0.0], middle=1.3),
    "lunging": with_root_moved(WALK, BODY, 0.05 * HEIGHT * (FRONT + UP), middle=5.3),
}


def slides(motion: Motion, contacts: ContactSpans = CONTACTS) -> list[float]:
    return [slide for own in foot_slide(motion, contacts).values() for slide in own]


def added_turning(before: Motion, after: Motion) -> float:
    """Degrees a second that some joint turns faster than before."""
    steps = [quaternion.angle_between(motion.rotations[1:], motion.rotations[:-1]) for motion in (before, after)]
    return float(np.degrees((steps[1] - steps[0]).max() * before.rate))


def in_single_precision(motion: Motion) -> Motion:
    """As it comes back from keys."""
    rotations = quaternion.normalize(motion.rotations.astype(np.float32).astype(float))
    return replace(motion, rotations=rotations, locations=motion.locations.astype(np.float32).astype(float))
