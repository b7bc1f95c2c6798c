"""What a face does, as one path through the space of its expressions."""

import numpy as np

from ..body import Body
from ..motion import Motion, shape_channels
from ..numerics import Array, quaternion

# A turn in radians, and a part of the body's height, that change a face as much as a whole shape does.
_FULL_TURN, _FULL_MOVE = 0.35, 0.02


def face_path(motion: Motion, body: Body) -> Array:
    """(F, M) shapes, turns and moves of the bones of a face; 1 is a whole shape, what does not move is left out."""
    frames, joints = len(motion), list(body.face)
    shapes = motion.scalars[:, shape_channels(motion)]
    turns = _turns(motion.rotations[:, joints]) / _FULL_TURN
    moves = motion.locations[:, joints] / (_FULL_MOVE * (body.height or 1.0))
    path = np.concatenate([shapes, turns.reshape(frames, -1), moves.reshape(frames, -1)], axis=1)
    moving: Array = path[:, (path != path[:1]).any(axis=0)]
    return moving


def _turns(rotations: Array) -> Array:
    """(F, N, 3) from the first frame's rotation to each."""
    return quaternion.log(quaternion.multiply(quaternion.conjugate(rotations[:1]), rotations))
