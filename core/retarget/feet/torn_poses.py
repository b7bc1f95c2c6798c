"""Poses in which everything in contact is where it belongs: limbs there are torn off."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...motion import GlobalPoses, Motion
from ...numerics import Array


@dataclass(frozen=True, eq=False)
class TornMotion(Motion):
    """A motion some of whose joints have been put elsewhere: its poses are right, its channels are not.

    Attributes:
        torn: The poses.
    """

    torn: GlobalPoses | None = None

    @classmethod
    def of(cls, motion: Motion) -> "TornMotion":
        """A motion of which nothing is torn off yet."""
        channels = {each.name: getattr(motion, each.name) for each in fields(Motion)}
        return cls(**channels, torn=motion.poses)

    @cached_property
    def poses(self) -> GlobalPoses:
        """Global positions and rotations of all frames, as they were given; tips are not."""
        assert self.torn is not None
        return self.torn

    def with_joints(self, places: Mapping[int, Array], turns: Mapping[int, Array], frames: Any) -> "TornMotion":
        """The same with joints put elsewhere in some frames.

        Args:
            places: By joint, (F, 3) positions; those of the frames count.
            turns: By joint, (F, 4) orientations; likewise.
            frames: Which, by number or as a mask.
        """
        positions, rotations = (np.array(each.T).T for each in (self.poses.positions, self.poses.rotations))
        for joint, place in places.items():
            positions[frames, joint] = place[frames]
        for joint, turn in turns.items():
            rotations[frames, joint] = turn[frames]
        return replace(self, torn=replace(self.poses, positions=positions, rotations=rotations))
