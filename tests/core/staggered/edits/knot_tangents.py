"""The tangents of a staggered model at the extremes of its joints."""

from __future__ import annotations

import numpy as np

from core.staggered import StaggeredMotion
from core.staggered.edits.pose_edits import extreme_knots


def tangents(model: StaggeredMotion, pose: int, joint: int) -> tuple[np.ndarray, np.ndarray]:
    """Rotation vectors that arrive at and leave a joint's extreme; zero where the motion begins or ends."""
    track = model.rotations
    own = track.variable == model.variables.keys.index(("rotation", joint))
    knot = int(extreme_knots(model, track, pose)[own][0])
    assert knot >= 0
    found = [track.arriving[track.layout.left == knot - 1], track.leaving[track.layout.left == knot]]
    return tuple(each[0] if len(each) else np.zeros(3) for each in found)
