"""What poses show, worked out only where it is looked at: quick enough for every move of a mouse."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion import Motion
from ..numerics import Array
from .evaluation import evaluate, frame_times, known_motion
from .model import StaggeredMotion


@dataclass(frozen=True, eq=False)
class ShownPoses:
    """The motion of a model, as far as it is asked for.

    Attributes:
        model: The poses.
    """

    model: StaggeredMotion

    def __len__(self) -> int:
        return len(self.times)

    @cached_property
    def times(self) -> Array:
        """(F,) of all its frames."""
        return frame_times(self.model)

    def at(self, times: Any) -> Motion:
        """Samples at any times."""
        known = known_motion(self.model)
        return evaluate(self.model, times) if known is None else known.at(times)

    def part(self, first: int, last: int) -> Motion:
        """The frames first up to, not including, last."""
        known = known_motion(self.model)
        return evaluate(self.model, self.times[first:last]) if known is None else known.part(first, last)

    @cached_property
    def changed_joints(self) -> NDArray[np.bool_]:
        """(J,) joints that may show something else than the source does."""
        model = self.model
        changed = np.array(model.warps.moved)
        for track, edited in zip(model.tracks, model.edited_intervals(), strict=True):
            changed[track.variable[track.layout.interval_curve[edited]]] = True
        flags = np.zeros(model.variables.joints, dtype=np.bool_)
        owners = model.variables.joint_of[changed]
        flags[owners[owners >= 0]] = True
        return flags
