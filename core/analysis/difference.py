"""What an edit changed, in numbers."""

from dataclasses import dataclass

import numpy as np

from ..motion import Motion
from ..numerics import Array, quaternion


@dataclass(frozen=True)
class Difference:
    """What an edit changed.

    Attributes:
        turn: Largest change of a bone's own rotation, in radians.
        turned: The bone.
        move: Largest distance by which a joint was moved in the scene, in units.
        moved: The bone.
        slide_before: Largest slide of a foot in contact before, in units; None if not known.
        slide_after: The same after.
        is_slow: Where the joints are was not looked at, because playing the control rig takes long.
    """

    turn: float
    turned: str
    move: float
    moved: str
    slide_before: float | None = None
    slide_after: float | None = None
    is_slow: bool = False


def difference_between(
    before: Motion,
    after: Motion,
    *,
    placed: bool = True,
    places: tuple[Array, Array] | None = None,
    slides: tuple[float | None, float | None] = (None, None),
) -> Difference:
    """The largest changes from one motion to another with the same frames.

    Args:
        before: The motion as it was.
        after: The motion as it is.
        placed: Joints are where the motion alone puts them; otherwise only their own locations are compared.
        places: (F, J, 3) sampled places of the joints before and after, where the motion alone does not tell.
        slides: Foot slide before and after.
    """
    names = before.skeleton.names
    was, now = places or tuple(motion.poses.tips if placed else motion.locations for motion in (before, after))
    turns = quaternion.angle_between(before.rotations, after.rotations).max(axis=0)
    moves = np.linalg.norm(now - was, axis=-1).max(axis=0)
    turned, moved = int(np.argmax(turns)), int(np.argmax(moves))
    return Difference(float(turns[turned]), names[turned], float(moves[moved]), names[moved], *slides)
