"""Poses as vectors: rotations by their logarithm about a mean pose, everything else as it is."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion import Motion
from ..numerics import Array, quaternion

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PoseChart:
    """A flat map of poses around their mean; a vector has 9 numbers per joint, then the scalars.

    Nothing turns by more than half a turn from the mean, so vectors of like poses are near each
    other whichever sign their quaternions have.

    Attributes:
        mean: A motion of one frame.
    """

    mean: Motion

    @classmethod
    def about(cls, poses: Motion, held: Flags, held_scalars: Flags) -> "PoseChart":
        """A map around the mean of poses; what they have in common it has exactly.

        Args:
            poses: One frame each.
            held: (N, J) joints that a pose counts for; joints that none holds count for all.
            held_scalars: (N, S) likewise scalars.
        """
        joints, scalars = held | ~held.any(axis=0), held_scalars | ~held_scalars.any(axis=0)
        rotations = _agreed(poses.rotations, joints[..., None], _mean_rotation(poses.rotations, joints))
        return cls(
            Motion.build(
                poses.skeleton,
                rotations[None],
                rate=poses.rate,
                locations=_mean(poses.locations, joints[..., None])[None],
                scales=_mean(poses.scales, joints[..., None])[None],
                scalars=_mean(poses.scalars, scalars)[None],
                scalar_names=poses.scalar_names,
                stepped=poses.stepped,
            )
        )

    @property
    def size(self) -> int:
        """Numbers in a vector."""
        return 9 * len(self.mean.skeleton) + len(self.mean.scalar_names)

    def vectors(self, poses: Motion) -> Array:
        """(N, D) how poses differ from the mean."""
        count = len(poses)
        turned = quaternion.log(quaternion.multiply(quaternion.conjugate(self.mean.rotations), poses.rotations))
        parts = (turned, poses.locations - self.mean.locations, poses.scales - self.mean.scales)
        return np.concatenate([*(part.reshape(count, -1) for part in parts), poses.scalars - self.mean.scalars], axis=1)

    def poses(self, vectors: Array) -> Motion:
        """The poses of vectors (N, D), one frame each; where a vector is zero they are the mean bit for bit."""
        joints = len(self.mean.skeleton)
        turned, moved, scaled = vectors[:, : 9 * joints].reshape(-1, 3, joints, 3).transpose(1, 0, 2, 3)
        rotations = quaternion.multiply(self.mean.rotations, quaternion.exp(turned))
        still = ~turned.any(axis=-1)
        rotations[still] = np.broadcast_to(self.mean.rotations, rotations.shape)[still]
        return replace(
            self.mean,
            times=np.arange(len(vectors)) / self.mean.rate,
            rotations=quaternion.sign_continuous(rotations) if len(vectors) > 1 else rotations,
            locations=self.mean.locations + moved,
            scales=self.mean.scales + scaled,
            scalars=self.mean.scalars + vectors[:, 9 * joints :],
        )


def columns_of(joints: Any, scalars: Any) -> NDArray[np.bool_]:
    """(N, D) which numbers of N vectors belong to chosen joints (N, J) and scalars (N, S)."""
    return np.concatenate([np.tile(np.repeat(joints, 3, axis=1), (1, 3)), scalars], axis=1)


def _mean_rotation(rotations: Array, counts: Flags) -> Array:
    """(J, 4) the rotation with the least squared chordal distance to those that count; signs do not matter."""
    counted = rotations * counts[..., None]
    mean: Array = np.linalg.eigh(np.einsum("nja,njb->jab", counted, rotations))[1][..., -1]
    return quaternion.aligned(mean, rotations[0])


def _mean(values: Array, counts: Flags) -> Array:
    """The mean over axis 0 of the values that count, or the value itself where they agree."""
    return _agreed(values, counts, (values * counts).sum(axis=0) / counts.sum(axis=0))


def _agreed(values: Array, counts: Flags, mean: Array) -> Array:
    """The mean, but the value itself, bit for bit, where all that count agree."""
    first = np.take_along_axis(values, np.argmax(counts, axis=0)[None], axis=0)[0]
    same = ((values == first) | ~counts).all(axis=0)
    if values.ndim == 3 and values.shape[-1] == 4:
        # A quaternion is one value: none of its numbers may come from elsewhere.
        same = same.all(axis=-1, keepdims=True)
    agreed: Array = np.where(same, first, mean)
    return agreed
