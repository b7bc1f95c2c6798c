"""How far reduced curves are from the samples: whole rotations, ends of bones, contacts."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..analysis.contacts import ContactSpans
from ..body import Body
from ..motion import Motion
from ..numerics import Array, quaternion
from ..solve.contact_lock import contact_frames, foot_slide
from .channels import ChannelSet
from .options import ReductionOptions
from .shown_ends import ShownEnds, ends_of

# Share of every bound that is kept back for curves stored in single precision.
_ROUNDING = 1e-3


@dataclass(frozen=True, eq=False)
class Errors:
    """Errors on the grid of samples and middles.

    Attributes:
        own: (G, P) of every channel: degrees of a whole rotation, length of a location's
            difference, the largest component's of everything else.
        ends: (G, 2J) distances of all joints, then of all tips, in units of the scene.
        motion: What the curves show.
    """

    own: Array
    ends: Array
    motion: Motion


@dataclass(frozen=True)
class Accuracy:
    """Largest errors at all samples and in the middles between them.

    Attributes:
        degrees: Of a joint's whole rotation.
        distance: Of an end of a bone from its place, in units of the scene.
        slide: Most that a contact slides more than before, in units of the scene.
        value: Of scales and other numbers.
    """

    degrees: float = 0.0
    distance: float = 0.0
    slide: float = 0.0
    value: float = 0.0


@dataclass(frozen=True, eq=False)
class Yardstick:
    """Compares curves with the samples that they stand for.

    Between two samples both the straight and the smooth way are right: the nearer one counts.

    Attributes:
        channels: What is reduced.
        options: Bounds.
        contacts: Of joints of the motion.
        shown: The figure that is seen, if the joints are its controls.
    """

    channels: ChannelSet
    options: ReductionOptions
    contacts: ContactSpans
    shown: ShownEnds | None = None

    @cached_property
    def _references(self) -> list[tuple[Array, Motion, Array]]:
        """Values, motion and ends of both ways."""
        straight, smooth = self.channels.references
        if np.array_equal(straight, smooth):
            return 2 * [self._reference(straight)]
        return [self._reference(straight), self._reference(smooth)]

    def _reference(self, values: Array) -> tuple[Array, Motion, Array]:
        motion = self.channels.posed(values)
        return values, motion, ends_of(motion)

    @property
    def reference_motion(self) -> Motion:
        """The motion on the grid before it is reduced."""
        return self._references[1][1]

    @property
    def reference_ends(self) -> Array:
        """(G, 2J, 3) its joints and tips."""
        return self._references[1][2]

    @cached_property
    def own_bounds(self) -> Array:
        """(P,) bounds of the channels' own errors."""
        bounds = {"rotation": self.options.degrees, "location": self.options.distance}
        parts = [bounds.get(channel.part, self.options.value) for channel in self.channels.channels]
        sizes = [self.size_of(c.joint) if c.part == "location" else 1.0 for c in self.channels.channels]
        bounded: Array = (1.0 - _ROUNDING) * np.array(parts) / np.array(sizes)
        return bounded

    @cached_property
    def end_bounds(self) -> Array:
        """(G, 2J) bounds of the ends; planted joints have smaller ones.

        Two places that are off by half of a slide can be apart by all of it.
        """
        joints = len(self.channels.motion.skeleton)
        bounds = np.full((len(self.channels.grid), 2 * joints), self.options.distance)
        for name in self.contacts.joints:
            planted = contact_frames(self.contacts, name, self.channels.grid_seconds)
            joint = self.channels.motion.skeleton.index[name]
            bounds[planted, joint] = min(0.5 * self.options.slide_bound, self.options.distance)
        return (1.0 - _ROUNDING) * bounds

    @cached_property
    def _size(self) -> float:
        placed = self.channels.motion.skeleton.has_placement
        return float(np.abs(self.channels.motion.scales[:, 0]).mean()) or 1.0 if placed else 1.0

    def size_of(self, joint: int) -> float:
        """Units of the scene that a unit of a joint's location is, on the whole; what places all is in the scene."""
        return 1.0 if joint == 0 else self._size

    def errors(self, values: Array) -> Errors:
        """Errors of curves with values (G, N) on the grid."""
        motion = self.channels.posed(values)
        ends = ends_of(motion)
        own, away = [], []
        for right_values, right_motion, right_ends in self._references:
            own.append(self._own(values, motion, right_values, right_motion))
            away.append(np.linalg.norm(ends - right_ends, axis=-1))
        return Errors(np.minimum(*own), np.minimum(*away), motion)

    def accuracy(self, values: Array, errors: Errors | None = None) -> Accuracy:
        """The largest errors of curves with values (G, N) on the grid."""
        errors = errors or self.errors(values)
        parts = np.array([channel.part for channel in self.channels.channels])
        largest = errors.own.max(axis=0, initial=0.0)
        shown, shown_slide = self.shown.measure(errors.motion) if self.shown else (0.0, 0.0)
        return Accuracy(
            degrees=float(largest[parts == "rotation"].max(initial=0.0)),
            distance=max(float(errors.ends.max(initial=0.0)), shown),
            slide=max(self._added_slide(errors.motion), shown_slide),
            value=float(largest[(parts == "scale") | (parts == "value")].max(initial=0.0)),
        )

    def _added_slide(self, motion: Motion) -> float:
        before = foot_slide(self.reference_motion, self.contacts)
        after = foot_slide(motion, self.contacts)
        joints = self.contacts.joints
        pairs = ((new, old) for name in joints for new, old in zip(after[name], before[name], strict=True))
        return max((new - old for new, old in pairs), default=0.0)

    def _own(self, values: Array, motion: Motion, right_values: Array, right_motion: Motion) -> Array:
        own = np.empty((len(values), len(self.channels.channels)))
        for number, channel in enumerate(self.channels.channels):
            if channel.part == "rotation":
                joint = channel.joint
                angle = quaternion.angle_between(motion.rotations[:, joint], right_motion.rotations[:, joint])
                own[:, number] = np.rad2deg(angle)
                continue
            curves = self.channels.curves_of(number)
            difference = np.abs(values[:, curves] - right_values[:, curves])
            whole = channel.part == "location"
            own[:, number] = np.linalg.norm(difference, axis=1) if whole else difference.max(axis=1)
        return own


def height_of(motion: Motion, body: Body) -> float:
    """Of the standing figure; the largest extent of its joints where that is not known."""
    extent = np.ptp(motion.poses.positions[0], axis=0).max(initial=0.0)
    return float(body.height or extent or 1.0)
