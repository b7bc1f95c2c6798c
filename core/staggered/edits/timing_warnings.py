"""What a timing edit made tight (5.2)."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from ..model import StaggeredMotion
from ..timing import TINY_TIME


class Tightness(Enum):
    """What is wrong; the text goes on with the names of the joints."""

    NEARER_TO_ANOTHER = "nearer to a neighbouring pose"
    HELD_APART = "held back, so that it does not jump to the same bone's next extreme"
    LIMITED = "of its overlap is changed: more would make bones jump"


@dataclass(frozen=True)
class TimingWarning:
    """Knots of one pose that may cause sudden acceleration.

    Attributes:
        kind: What is wrong.
        pose: Number of the pose.
        time: Of the pose, in seconds.
        names: Joints and scalar channels.
        share: Part of what was asked for that was done.
    """

    kind: Tightness
    pose: int
    time: float
    names: tuple[str, ...]
    share: float = 1.0

    def text(self, frame: float) -> str:
        """One line for the user, who knows the pose by its frame."""
        if self.kind is Tightness.LIMITED:
            return f"Pose {self.pose + 1} at frame {frame:.0f}: only {self.share:.0%} {self.kind.value}"
        named = ", ".join(self.names[:4]) + (f" and {len(self.names) - 4} more" if len(self.names) > 4 else "")
        return f"Pose {self.pose + 1} at frame {frame:.0f}: {named} {self.kind.value}"


def timing_warnings(model: StaggeredMotion) -> tuple[TimingWarning, ...]:
    """Everything that is tight in a model, pose after pose."""
    timing = model.timing
    held = timing.present & (np.abs(timing.extreme_times - timing.wanted_times) > TINY_TIME)
    held &= (timing.amounts == 1.0)[:, None]
    found = {Tightness.NEARER_TO_ANOTHER: _nearer_to_another(model), Tightness.HELD_APART: held}
    limited = [
        TimingWarning(Tightness.LIMITED, int(pose), float(timing.pose_times[pose]), (), float(timing.amounts[pose]))
        for pose in np.flatnonzero(timing.amounts < 1.0)
    ]
    tight = [
        TimingWarning(kind, pose, float(timing.pose_times[pose]), _names(model, flags[pose]))
        for pose in range(len(model))
        for kind, flags in found.items()
        if flags[pose].any()
    ]
    return (*limited, *tight)


def _nearer_to_another(model: StaggeredMotion) -> NDArray[np.bool_]:
    """(K, V) the extreme lies nearer to the pose before or after than to its own."""
    times, knots = model.pose_times, model.timing.extreme_times
    far = np.abs(knots - times[:, None])
    before = np.abs(knots - np.append(-np.inf, times[:-1])[:, None])
    after = np.abs(knots - np.append(times[1:], np.inf)[:, None])
    flags: NDArray[np.bool_] = model.timing.present & (np.minimum(before, after) < far - TINY_TIME)
    return flags


def _names(model: StaggeredMotion, flags: NDArray[np.bool_]) -> tuple[str, ...]:
    motion, names = model.source, []
    for number in np.flatnonzero(flags):
        kind, place = model.variables.keys[number]
        names.append(motion.scalar_names[place] if kind == "scalar" else motion.skeleton.names[place])
    return tuple(dict.fromkeys(names))
