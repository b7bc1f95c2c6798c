"""Painted bones: what edits are limited to, and what features can be transferred."""

from dataclasses import dataclass

import numpy as np

from ..body import Body
from ..numerics import Array
from ..solve import Limb
from ..solve.whole_body import solvable


@dataclass(frozen=True)
class Painting:
    """What the painted bones mean.

    Attributes:
        joints: Painted joints that count by their rotation.
        effectors: Limbs of which the hand or foot alone is painted: they count by its path. An IK
            control is a joint like any other: its location is its path.
    """

    joints: tuple[int, ...] = ()
    effectors: tuple[Limb, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is painted: then edits are about the whole body."""
        return not self.joints and not self.effectors


def painting_of(body: Body, painted: Array) -> Painting:
    """What painted joints (J,) of a body mean."""
    chosen = np.flatnonzero(painted).tolist()
    limbs = filter(None, (solvable(body.skeleton, limb) for limb in body.limbs))
    effectors = tuple(
        limb for limb in limbs if limb.end in chosen and not {limb.upper, limb.lower}.intersection(chosen)
    )
    ends = {limb.end for limb in effectors}
    return Painting(tuple(joint for joint in chosen if joint not in ends), effectors)
