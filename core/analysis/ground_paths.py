"""The way of a character over the ground: where it is and which way it faces."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..body import Body
from ..motion import Motion
from ..numerics import Array
from .pose_features import horizontal_frame, low_passed


@dataclass(frozen=True, eq=False)
class GroundPath:
    """Place and heading in every frame.

    Attributes:
        places: (F, 3) of the torso with the height taken out, in units of the scene.
        headings: (F,) angle about the up axis, in radians, without jumps of whole turns.
        up: (3,) unit vector away from the ground.
    """

    places: Array
    headings: Array
    up: Array

    @property
    def heading_steps(self) -> Array:
        """(F - 1,) turn from frame to frame."""
        return np.diff(self.headings)


def ground_path(motion: Motion, body: Body, *, positions: Any = None) -> GroundPath:
    """Follow the torso over the ground.

    Args:
        motion: Of the body's skeleton.
        body: Its up axis is needed.
        positions: (F, J, 3) if they do not follow from the motion alone.

    Raises:
        MissingRoleError: The up axis is not known.
    """
    places = motion.poses.positions if positions is None else np.asarray(positions, dtype=np.float64)
    frame = horizontal_frame(places, body)
    up = np.asarray(body.require("up axis").vector, dtype=np.float64)
    right = frame.axes[:, 0]
    fixed = np.eye(3)[int(np.argmin(np.abs(up)))]
    along, across = right @ fixed, right @ np.cross(up, fixed)
    return GroundPath(frame.origin, np.unwrap(np.arctan2(across, along)), up)


def smoothed_places(path: GroundPath, times: Array, *, radius: float) -> Array:
    """(F, 3) the path without sway quicker than the radius, in seconds; its ends stay."""
    return path.places if radius == 0.0 else low_passed(times, path.places, times, radius=radius)
