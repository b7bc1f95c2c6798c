"""A motion: what every joint and scalar channel does, frame by frame."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import NotFiniteError
from ..numerics import REACHED, Array, quaternion
from .kinematics.forward_kinematics import forward_kinematics
from .kinematics.global_poses import GlobalPoses
from .skeleton import Skeleton

Fact = TypeVar("Fact")


@dataclass(frozen=True, eq=False)
class Carriers:
    """The joints that carry a character over the ground; all others follow them.

    Attributes:
        moved: K joints that are moved and turned.
        turned: Those, and joints that are only turned, as they do not turn with their parents.
        follows: (F, K) frames in which one of the first follows another of them instead; never if not given.
    """

    moved: tuple[int, ...]
    turned: tuple[int, ...]
    follows: NDArray[np.bool_] | None = None

    def rows(self, chosen: Any) -> "Carriers":
        """Those of some frames."""
        return self if self.follows is None else replace(self, follows=self.follows[chosen])

    def acting(self, joint: int, frames: int) -> NDArray[np.bool_]:
        """(F,) in which frames a joint carries something."""
        if self.follows is None or joint not in self.moved:
            return np.ones(frames, dtype=np.bool_)
        return ~self.follows[:, self.moved.index(joint)]


@dataclass(frozen=True, eq=False)
class Motion:
    """Channels of a skeleton over time. Arrays are read-only; every edit makes a new motion.

    Attributes:
        skeleton: J joints.
        times: (F,) increasing, in seconds.
        rotations: (F, J, 4) unit quaternions w, x, y, z relative to the rest pose,
            without sign jumps along time.
        locations: (F, J, 3) offsets from the rest place.
        scales: (F, J, 3).
        rate: Samples per second at which the motion was recorded.
        scalars: (F, N) further channels: custom properties, shape keys.
        scalar_names: N names.
        stepped: Names of those that jump from value to value, such as switches: nothing lies between.
        carriers: Joints that carry the character, where it is not simply those without parent.
    """

    skeleton: Skeleton
    times: Array
    rotations: Array
    locations: Array
    scales: Array
    rate: float
    scalars: Array = field(default_factory=lambda: np.empty((0, 0)))
    scalar_names: tuple[str, ...] = ()
    stepped: frozenset[str] = frozenset()
    carriers: Carriers | None = None

    @classmethod
    def build(
        cls,
        skeleton: Skeleton,
        rotations: Any,
        *,
        rate: float,
        times: Any = None,
        locations: Any = None,
        scales: Any = None,
        scalars: Any = None,
        scalar_names: tuple[str, ...] = (),
        stepped: frozenset[str] = frozenset(),
    ) -> "Motion":
        """Make a motion, filling in rest locations and scales and evenly spaced times."""
        signed = quaternion.sign_continuous(rotations)
        frames, joints = signed.shape[:2]
        return cls(
            skeleton=skeleton,
            times=np.arange(frames) / rate if times is None else np.array(times, dtype=np.float64),
            rotations=signed,
            locations=np.zeros((3, joints, frames)).T if locations is None else locations,
            scales=np.ones((3, joints, frames)).T if scales is None else scales,
            rate=float(rate),
            scalars=np.empty((frames, 0)) if scalars is None else scalars,
            scalar_names=scalar_names,
            stepped=stepped,
        )

    def __post_init__(self) -> None:
        frames, joints = len(self.times), len(self.skeleton)
        expected = {
            "times": (frames,),
            "rotations": (frames, joints, 4),
            "locations": (frames, joints, 3),
            "scales": (frames, joints, 3),
            "scalars": (frames, len(self.scalar_names)),
        }
        if not self.scalar_names:
            object.__setattr__(self, "scalars", np.empty((frames, 0)))
        for name, shape in expected.items():
            array = np.asarray(getattr(self, name), dtype=np.float64)
            if array.shape != shape:
                raise ValueError(f"{name} must have shape {shape}, not {array.shape}")
            if array.flags.writeable:
                array = array.view()
                array.flags.writeable = False
            object.__setattr__(self, name, array)
        if not self.rate > 0.0:
            raise ValueError("rate must be above zero")
        self._refuse_not_finite()

    def _refuse_not_finite(self) -> None:
        for name in ("rotations", "locations", "scales"):
            finite = np.isfinite(getattr(self, name)).all(axis=-1)
            if not finite.all():
                sample, joint = np.argwhere(~finite)[0]
                raise NotFiniteError(
                    f"'{self.skeleton.names[joint]}' has a NaN or infinite {name[:-1]} at {self._frame_text(sample)}; "
                    "delete that key or repair the curve first"
                )
        if not np.isfinite(self.scalars).all():
            sample, channel = np.argwhere(~np.isfinite(self.scalars))[0]
            raise NotFiniteError(f"'{self.scalar_names[channel]}' is NaN or infinite at {self._frame_text(sample)}")

    def _frame_text(self, sample: int) -> str:
        """A sample as people count it: frames begin at time zero, and not every motion does."""
        return f"frame {self.times[sample] * self.rate:.6g}"

    def __len__(self) -> int:
        return len(self.times)

    @property
    def steps(self) -> NDArray[np.bool_]:
        """(N,) true for the scalar channels that jump."""
        return np.array([name in self.stepped for name in self.scalar_names], dtype=np.bool_)

    @cached_property
    def poses(self) -> GlobalPoses:
        """Global positions, rotations and bone tips of all frames."""
        return forward_kinematics(self.skeleton, self.rotations, self.locations, self.scales)

    def fact(self, name: Hashable, find: Callable[[], Fact], *, positions: Any = None) -> Fact:
        """What was found in it before, or else is found now: it never changes, so nobody has to look twice.

        Args:
            name: What is found, with all that it depends on besides the motion and positions.
            find: Looks for it.
            positions: (F, J, 3) places of joints that it depends on, where these do not follow from the motion; what
                is found in some that could be changed is not kept.
        """
        places = None if "poses" in vars(self) and positions is self.poses.positions else positions
        if not (places is None or (isinstance(places, np.ndarray) and not places.flags.writeable)):
            return find()
        # The positions are kept along: nothing else can get their identity meanwhile.
        key = name, id(places)
        if key not in self._facts:
            self._facts[key] = places, find()
        return cast(Fact, self._facts[key][1])

    @cached_property
    def _facts(self) -> dict[Hashable, tuple[Any, Any]]:
        return {}

    def with_rotations(self, rotations: Any) -> "Motion":
        """The same motion with other rotations, signs made continuous."""
        return replace(self, rotations=quaternion.sign_continuous(rotations))

    def with_locations(self, locations: Any) -> "Motion":
        """The same motion with other locations."""
        return replace(self, locations=locations)

    def with_scales(self, scales: Any) -> "Motion":
        """The same motion with other scales."""
        return replace(self, scales=scales)

    def with_scalars(self, scalars: Any) -> "Motion":
        """The same motion with other scalar channels."""
        return replace(self, scalars=scalars)

    def with_carriers(self, carriers: Carriers | None) -> "Motion":
        """The same motion, carried by other joints; where joints are is known, if it was."""
        carried = replace(self, carriers=carriers)
        if "poses" in vars(self):
            vars(carried)["poses"] = self.poses
        return carried

    def part(self, first: int, last: int) -> "Motion":
        """The frames first up to, not including, last."""
        if first == 0 and last == len(self):
            return self
        chosen = slice(first, last)
        return replace(
            self,
            times=self.times[chosen],
            rotations=self.rotations[chosen],
            locations=self.locations[chosen],
            scales=self.scales[chosen],
            scalars=self.scalars[chosen],
            carriers=self.carriers and self.carriers.rows(chosen),
        )

    def rows(self, chosen: Any) -> "Motion":
        """Frames in any order, once or several times, as if they followed each other from the start."""
        return replace(
            self,
            times=np.arange(len(chosen)) / self.rate,
            rotations=self.rotations[chosen],
            locations=self.locations[chosen],
            scales=self.scales[chosen],
            scalars=self.scalars[chosen],
            carriers=None,
        )

    def at(self, times: Any) -> "Motion":
        """Sample at any times: rotations by slerp, the rest linearly, stepped scalars as before; the ends are held.

        A time that is one of the motion's own gives that frame bit for bit.
        """
        times = np.atleast_1d(np.asarray(times, dtype=np.float64))
        if np.array_equal(times, self.times):
            return self
        before, after, weight = self._neighbours(times)
        exact = weight == 0.0
        weights = weight[:, None]
        rotations = quaternion.slerp(self.rotations[before], self.rotations[after], weights)
        rotations[exact] = self.rotations[before[exact]]
        return replace(
            self,
            times=times,
            rotations=quaternion.sign_continuous(rotations),
            locations=_mix(self.locations, before, after, weights[..., None]),
            scales=_mix(self.scales, before, after, weights[..., None]),
            scalars=_mix(self.scalars, before, after, np.where(self.steps, weights > REACHED, weights)),
            carriers=self.carriers and self.carriers.rows(before),
        )

    def mixed(self, other: "Motion", weight: float) -> "Motion":
        """This motion at weight 0, another one with the same times at 1: rotations turn on the shorter way between.

        Scalars that jump have the value of the nearer one.
        """
        if weight in (0.0, 1.0):
            return other if weight else self
        scalars = self.scalars + np.where(self.steps, weight >= 0.5, weight) * (other.scalars - self.scalars)
        return replace(
            self,
            rotations=quaternion.sign_continuous(quaternion.slerp(self.rotations, other.rotations, weight)),
            locations=self.locations + weight * (other.locations - self.locations),
            scales=self.scales + weight * (other.scales - self.scales),
            scalars=scalars,
        )

    def _neighbours(self, times: Array) -> tuple[Any, Any, Array]:
        """Index of the frames on both sides of every time and the weight of the later one."""
        if len(self.times) == 1:
            zeros = np.zeros(len(times), dtype=np.intp)
            return zeros, zeros, np.zeros(len(times))
        held = np.clip(times, self.times[0], self.times[-1])
        before = np.clip(np.searchsorted(self.times, held, side="right") - 1, 0, len(self.times) - 1)
        after = np.minimum(before + 1, len(self.times) - 1)
        span = np.where(after > before, self.times[after] - self.times[before], 1.0)
        return before, after, (held - self.times[before]) / span


def _mix(values: Array, before: Any, after: Any, weight: Array) -> Array:
    first, second = values[before], values[after]
    mixed: Array = np.where(weight == 0.0, first, first + weight * (second - first))
    return mixed
