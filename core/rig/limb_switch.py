"""Numbers of a rig that decide whether a limb is placed by its end (IK) or turned joint by joint (FK)."""

import re
from dataclasses import dataclass, replace

import numpy as np

from ..motion import Motion

# Riggers name these switches after both ways, or after IK and the limb's side.
_NAME = re.compile(r"ik.*fk|fk.*ik|^\W*ik_(left|right)_", re.IGNORECASE)


@dataclass(frozen=True)
class LimbSwitch:
    """A switch between two ways to move limbs.

    Attributes:
        name: Of the number.
        limbs: Roles of the limbs that it switches.
        placed: Its value for limbs that are placed by their ends.
        turned: Its value for limbs that are turned joint by joint.
    """

    name: str
    limbs: tuple[str, ...]
    placed: float
    turned: float

    def value(self, way: str) -> float:
        """For 'IK' or 'FK'."""
        return self.placed if way == "IK" else self.turned


def is_switch_name(name: str) -> bool:
    """Whether a number is named like such a switch."""
    return _NAME.search(name.rpartition("[")[2]) is not None


def with_number(motion: Motion, name: str, values: float | np.ndarray) -> Motion:
    """A motion in which a number has other values (F,), or one throughout."""
    column = np.broadcast_to(np.asarray(values, dtype=np.float64), (len(motion),))
    if name in motion.scalar_names:
        scalars = np.array(motion.scalars)
        scalars[:, motion.scalar_names.index(name)] = column
        return replace(motion, scalars=scalars)
    kept = motion.scalars if motion.scalars.size else np.empty((len(motion), 0))
    scalars = np.concatenate([kept, column[:, None]], axis=1)
    return replace(motion, scalars=scalars, scalar_names=(*motion.scalar_names, name), stepped=motion.stepped | {name})
