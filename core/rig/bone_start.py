"""What the channels of a bone are relative to."""

import numpy as np

from ..motion import inherited
from ..numerics import Array
from . import matrices
from .rig import Rig


class BoneStart:
    """What the channels of a bone are relative to: its parent, as far as the bone follows it."""

    def __init__(self, turn: Array, axes: Array, origin: Array, after: Array | None) -> None:
        """Keep the parts.

        Args:
            turn: (F, 3, 3) orientation and scale that the bone starts from.
            axes: (F, 3, 3) along which its location counts.
            origin: (F, 3) where it begins.
            after: (F, 3) scale put on its axes at last; none if it is 1.
        """
        self._turn, self._axes, self._origin, self._after = turn, axes, origin, after

    @classmethod
    def of(cls, rig: Rig, joint: int, poses: dict[int, Array], frames: int) -> "BoneStart":
        """That of a bone whose parent has been worked out."""
        parent, offset = int(rig.parents[joint]), rig.rest_offsets[joint]
        if parent <= 0:
            basis = np.broadcast_to(offset[:3, :3], (frames, 3, 3))
            axes = basis if rig.local_location[joint] else np.broadcast_to(np.eye(3), (frames, 3, 3))
            return cls(basis, axes, np.broadcast_to(offset[:3, 3], (frames, 3)), None)
        above = poses[parent]
        basis = above[:, :3, :3]
        origin = above[:, :3, 3] + basis @ offset[:3, 3]
        if rig.is_plain_child(joint):
            turn = basis @ offset[:3, :3]
            return cls(turn, turn, origin, None)
        turn, after = inherited(
            int(rig.inherit_scale[joint]),
            bool(rig.inherits_rotation[joint]),
            basis,
            rig.rest[parent][:3, :3],
            offset[:3, :3],
        )
        axes = basis @ offset[:3, :3] if rig.local_location[joint] else basis
        return cls(turn, axes, origin, after)

    def carried(self, local: Array) -> Array:
        """Matrices of a bone whose channels give `local`."""
        basis = self._turn @ local[:, :3, :3]
        if self._after is not None:
            basis = basis * self._after[:, None, :]
        return matrices.affine(basis, self._origin + (self._axes @ local[:, :3, 3, None])[..., 0])

    def local(self, pose: Array) -> Array:
        """What channels would give such matrices."""
        basis = matrices.inverse(matrices.affine(self._turn, np.zeros(3)))[:, :3, :3] @ pose[:, :3, :3]
        if self._after is not None:
            basis = basis / np.where(self._after != 0.0, self._after, 1.0)[:, None, :]
        back = matrices.inverse(matrices.affine(self._axes, np.zeros(3)))[:, :3, :3]
        return matrices.affine(basis, (back @ (pose[:, :3, 3] - self._origin)[..., None])[..., 0])
