"""What reduced curves of controls show of the figure that they move."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..analysis.contacts import ContactSpans
from ..motion import Indices, Motion
from ..numerics import Array, quaternion, unit
from ..solve.contact_lock import contact_frames, foot_slide
from .channels import ChannelSet
from .options import ReductionOptions

# Frames at which controls are tried out, and how far they are turned, in degrees, and moved, in parts of the bound.
_TRIED, _TURN, _WAY = 4, 0.5, 1.0
# No axis of a rig lies along this, so that nothing stays still by chance.
_AXIS = unit(np.array([0.61, 0.47, -0.64]))


@dataclass(frozen=True, eq=False)
class ShownEnds:
    """Compares the figure that controls move with what it did before, frame by frame.

    Attributes:
        channels: Of the controls.
        options: Bounds.
        contacts: Of the figure.
        seen: What the figure does with a motion of the controls.
    """

    channels: ChannelSet
    options: ReductionOptions
    contacts: ContactSpans
    seen: Callable[[Motion], Motion]

    @cached_property
    def _before(self) -> Motion:
        return self.seen(self.channels.motion)

    @cached_property
    def _bounds(self) -> Array:
        """(F, 2K) how far joints and tips may be off; half of a slide where they stand."""
        joints = len(self._before.skeleton)
        bounds = np.full((len(self._before), 2 * joints), self.options.distance)
        for name in self.contacts.joints:
            planted = contact_frames(self.contacts, name, self._before.times)
            bounds[planted, self._before.skeleton.index[name]] = min(
                0.5 * self.options.slide_bound, self.options.distance
            )
        return bounds

    def measure(self, motion: Motion) -> tuple[float, float]:
        """Largest distance of an end, and the most that a contact slides more than before."""
        after = self._after(motion)
        slides = zip(_slides(after, self.contacts), _slides(self._before, self.contacts), strict=True)
        return float(self._away(after).max(initial=0.0)), max((new - old for new, old in slides), default=0.0)

    def blame(self, motion: Motion, own: Array, *, all_of_them: bool) -> Array:
        """(G, P) how many times too far off ends are for which each channel has to answer.

        Args:
            motion: Of the controls, on the grid.
            own: (G, P) errors of the channels.
            all_of_them: Let all channels answer that move an end.
        """
        blamed = np.zeros_like(own)
        ratios = self._away(self._after(motion)) / self._bounds
        for end in np.flatnonzero((ratios > 1.0).any(axis=0)):
            rows = np.flatnonzero(ratios[:, end] > 1.0)
            parts = own[2 * rows] * self._answers[:, end]
            guilty = (parts >= 0.8 * parts.max(axis=1, keepdims=True)) | all_of_them
            here = np.where(guilty & (self._answers[:, end] > 0.0), ratios[rows, end, None], 0.0)
            blamed[2 * rows] = np.maximum(blamed[2 * rows], here)
        return blamed

    def _after(self, motion: Motion) -> Motion:
        """What is seen of a motion on the grid at the frames alone."""
        frames = motion.rows(np.arange(0, len(motion), 2))
        return self.seen(replace(frames, times=self._before.times))

    def _away(self, after: Motion) -> Array:
        away: Array = np.linalg.norm(ends_of(after) - ends_of(self._before), axis=-1)
        return away

    @cached_property
    def _answers(self) -> Array:
        """(P, 2K) how far ends go for a unit of a channel's own error, tried out: at least as far as at some frames."""
        count, frames = len(self.channels.channels), len(self.channels.motion)
        found = np.zeros((count, 2 * len(self._before.skeleton)))
        for frame in np.unique(np.linspace(0, frames - 1, _TRIED).round().astype(np.intp)):
            ends = ends_of(self.seen(self._tried(np.full(count + 1, frame))))
            found = np.maximum(found, np.linalg.norm(ends[1:] - ends[0], axis=-1) / self._tries[:, None])
        return found

    @cached_property
    def _tries(self) -> Array:
        """(P,) how far each channel is changed to try it out."""
        parts = [channel.part for channel in self.channels.channels]
        return np.array([_TURN if part == "rotation" else _WAY * self.options.distance for part in parts])

    def _tried(self, rows: Indices) -> Motion:
        """A frame as it is, then with each channel changed."""
        motion = self.channels.motion.rows(rows)
        rotations, locations = np.array(motion.rotations), np.array(motion.locations)
        for number, channel in enumerate(self.channels.channels):
            if channel.part == "rotation":
                turn = quaternion.exp(np.deg2rad(_TURN) * _AXIS)
                place = (1 + number, channel.joint)
                rotations[place] = quaternion.multiply(rotations[place], turn)
            elif channel.part == "location":
                locations[1 + number, channel.joint] += self._tries[number] * _AXIS
        return replace(motion, rotations=rotations, locations=locations)


def ends_of(motion: Motion) -> Array:
    """(F, 2J, 3) all joints, then the tips of all bones."""
    return np.concatenate([motion.poses.positions, motion.poses.tips], axis=1)


def _slides(motion: Motion, contacts: ContactSpans) -> list[float]:
    found = foot_slide(motion, contacts)
    return [float(slide) for name in contacts.joints for slide in found[name]]
