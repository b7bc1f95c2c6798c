"""What baking works on: channels as they are, and what a pose tree gives for them."""

from dataclasses import replace

import numpy as np

from ..editing import Take
from ..motion import Motion
from ..numerics import Array


class TreeTake(Take):
    """A motion and what a tree gives at its frames.

    Attributes:
        given: Poses of the tree, frame by frame; its scalar channels may be others.
        driven: (N,) true for the scalar channels of what is given that the tree drives.
    """

    def __init__(self, motion: Motion, given: Motion, *, joints: Array, driven: Array) -> None:
        """Nothing is looked for yet; the tree drives some joints (J,)."""
        super().__init__(motion, joints=joints)
        self.given, self.driven = given, driven

    def driven_motion(self) -> Motion:
        """The motion with all that the tree drives as the tree gives it."""
        motion, given, joints = self.motion, self.given, self.joints[None, :, None]
        scalars = np.array(motion.scalars)
        for column, name in enumerate(motion.scalar_names):
            number = given.scalar_names.index(name) if name in given.scalar_names else -1
            if number >= 0 and self.driven[number]:
                scalars[:, column] = given.scalars[:, number]
        changed = motion.with_rotations(np.where(joints, given.rotations, motion.rotations))
        changed = changed.with_locations(np.where(joints, given.locations, motion.locations))
        changed = changed.with_scales(np.where(joints, given.scales, motion.scales)).with_scalars(scalars)
        return replace(changed, stepped=motion.stepped | given.stepped)
