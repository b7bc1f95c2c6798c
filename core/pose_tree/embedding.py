"""A motion as a path through a control space (pose trees, 4.1)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..analysis import rank_key_poses
from ..errors import MotionEditError
from ..motion import Motion, chosen
from ..numerics import Array
from .control_space import ControlSpace
from .pose_distance import pose_points


@dataclass(frozen=True, eq=False)
class ControlPath:
    """A place for every frame of a motion.

    Attributes:
        motion: What the path plays.
        places: (F, 3).
    """

    motion: Motion
    places: Array

    def at(self, times: Any) -> Motion:
        """The motion's own poses at times in seconds: playing the path gives the motion back."""
        return self.motion.at(times)

    def places_at(self, times: Any) -> Array:
        """(M, 3) where the path is at times in seconds."""
        times = np.atleast_1d(np.asarray(times, dtype=np.float64))
        return np.stack([np.interp(times, self.motion.times, axis) for axis in self.places.T], axis=1)

    def thinned(self, count: int) -> NDArray[np.intp]:
        """Frames, at most `count`, between which path and poses are straightest; they serve as targets."""
        points = pose_points(self.motion)
        extent = float(np.ptp(self.places, axis=0).max()) or 1.0
        both = np.concatenate([points, self.places * (float(np.ptp(points, axis=0).max()) / extent)], axis=1)
        return np.sort(rank_key_poses(both, kept_variance=1.0, count=max(1, count)).order)

    def space(self, frames: Any = None) -> ControlSpace:
        """A control space with the path's frames, or some of them, as targets for a free cursor."""
        rows = np.arange(len(self.motion)) if frames is None else np.asarray(frames)
        return ControlSpace.build(self.places[rows], chosen(self.motion, rows))


def embed_by_variance(motion: Motion, *, dimensions: int = 3, size: float = 1.0) -> ControlPath:
    """Lay the frames out so that poses that differ most are farthest apart.

    Args:
        dimensions: 2 lays the path into the plane of the first two axes, 3 into space.
        size: Extent of the path along its widest axis.
    """
    if dimensions not in (2, 3):
        raise ValueError(f"dimensions must be 2 or 3, not {dimensions}")
    points = pose_points(motion)
    centred = points - points.mean(axis=0)
    # The triangular factor has the same axes and extents, and is small however long the motion is.
    _, extents, axes = np.linalg.svd(np.linalg.qr(centred, mode="r"), full_matrices=False)
    kept = axes[: min(dimensions, len(axes))] * (extents[:dimensions] > 1e-9 * max(extents[0], 1e-300))[:, None]
    # An axis has no sign of its own: its largest number is made positive, so that a motion has one path.
    signs = np.sign(np.take_along_axis(kept, np.abs(kept).argmax(axis=1)[:, None], axis=1))
    places = np.zeros((len(motion), 3))
    places[:, : len(kept)] = centred @ (kept * np.where(signs == 0.0, 1.0, signs)).T
    widest = float(np.ptp(places, axis=0).max())
    return ControlPath(motion, places * (size / widest) if widest > 0.0 else places)


def embed_along_joint(motion: Motion, joint: str | int, *, positions: Any = None) -> ControlPath:
    """Let the path be that of a joint through the scene.

    Args:
        joint: Name or number.
        positions: (F, J, 3) if they do not follow from the motion alone.

    Raises:
        MotionEditError: There is no joint of that name.
    """
    names = motion.skeleton.names
    if isinstance(joint, str) and joint not in names:
        raise MotionEditError(f"There is no bone '{joint}'; choose one of the armature's bones")
    number = names.index(joint) if isinstance(joint, str) else joint
    places = motion.poses.positions if positions is None else np.asarray(positions, dtype=np.float64)
    return ControlPath(motion, np.array(places[:, number]))
