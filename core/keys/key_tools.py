"""How a motion is keyed, as tools: the motion stays, within an error."""

from __future__ import annotations

from math import degrees
from typing import TYPE_CHECKING, Any, ClassVar

from .. import keys
from ..editing import (
    EVERY_FRAME,
    KEEP_CONTACTS_TEXT,
    LOCATION_ERROR,
    REDUCED,
    ROTATION_ERROR,
    Tool,
    Unit,
    choice,
    number,
    switch,
)
from ..errors import MissingRoleError

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from ..analysis import PoseCandidates
    from ..analysis.contacts import ContactSpans
    from ..editing import Change, Take
    from .channels import Channel
    from .options import ReductionOptions
    from .whole_motion import ReducedMotion


class ReduceKeys(Tool):
    """Replace many keys with few, within an error"""

    verb: ClassVar[str] = "Reduced"

    kind: str = choice(
        "SMOOTH",
        "Handles of the keys",
        ("SMOOTH", "Smooth", "Use aligned handles, with corners only where the motion has them"),
        ("FEWEST", "Fewest", "Use free handles, about a third fewer keys with small corners"),
    )
    rotation_error: float = ROTATION_ERROR
    location_error: float = number(
        0.0,
        "Largest error of bone ends; 0 is a 300th of the figure's height",
        label="Distance Error",
        limits=(0.0, None),
        soft_limits=(None, 0.1),
        unit=Unit.DISTANCE,
        precision=4,
    )
    pose_columns: bool = switch(False, "Key all moving curves on the same frames where possible")
    keep_contacts: bool = switch(True, KEEP_CONTACTS_TEXT)
    keep_extremes: bool = switch(True, "Put keys on the extremes of each bone", label="Keys at Extremes")
    ignore_outliers: bool = switch(False, "Ignore single samples far away from their neighbours")

    def apply(self, take: Take) -> ReducedMotion:
        """Keys for the joints of a take, all at once."""
        return keys.all_rounds(self.rounds(take, keys.channels_of_motion(take.motion, joints=take.joints)))

    def rounds(
        self, take: Take, channels: Sequence[Channel], *, times: Any = None, unit: float = 1.0
    ) -> Generator[float, None, ReducedMotion]:
        """Fit keys to channels of a take in rounds: yields about which share is done, and returns the result.

        Args:
            take: The motion and what is known about the figure.
            channels: To be reduced.
            times: (F,) in which keys are wanted; seconds if not given.
            unit: Units of the scene that a unit of the motion is.
        """
        contacts = _contacts(take.shown) if self.keep_contacts else None
        controls = take.shown is not take
        extremes = _extremes(take) if self.keep_extremes else None
        marks: dict[str, Any] = {"extremes": extremes, "together": self.pose_columns}
        # Which control holds a foot differs from rig to rig: contacts of a figure are not landmarks of channels.
        marks["contacts"] = None if controls else contacts
        landmarks = keys.find_landmarks(take.motion, channels, **marks) if channels else None
        bounds = self._bounds(take, unit)
        return keys.reduction_rounds(
            take.motion,
            channels,
            options=bounds,
            contacts=contacts,
            landmarks=landmarks,
            times=times,
            seen=take.seen if controls else None,
        )

    def _bounds(self, take: Take, unit: float) -> ReductionOptions:
        """What is asked for, with distances in units of the motion."""
        distance = self.location_error or keys.height_of(take.motion, take.body) * unit / 300.0
        return keys.ReductionOptions(
            kind=self.kind,
            degrees=degrees(self.rotation_error),
            distance=distance / unit,
            pose_columns=self.pose_columns,
            ignore_outliers=self.ignore_outliers,
        )


class ConvertKeys(Tool):
    """Key the motion on every frame, or with few Bézier keys"""

    verb: ClassVar[str] = "Converted"

    keying: str = choice("REDUCED", "How the result becomes keys", EVERY_FRAME, REDUCED, label="Keys")
    rotation_error: float = ROTATION_ERROR
    location_error: float = LOCATION_ERROR

    @property
    def unused(self) -> frozenset[str]:
        """Errors, where every frame has a key."""
        return frozenset() if self.keying == "REDUCED" else frozenset({"rotation_error", "location_error"})

    def apply(self, take: Take) -> Change:
        """The motion as it is: only its keys are others."""
        return take.changed(take.motion)


class ContinuousRotations(Tool):
    """Remove quaternion flips and full turns; poses stay the same"""

    verb: ClassVar[str] = "Repaired"

    def apply(self, take: Take) -> Change:
        """The motion as it is: only the channels of its rotations are others."""
        return take.changed(take.motion)


def _contacts(take: Take) -> ContactSpans | None:
    """When feet are planted; none where feet are not known."""
    try:
        return take.contacts
    except MissingRoleError:
        return None


def _extremes(take: Take) -> PoseCandidates | None:
    """Where joints turn round; none of a figure without a root."""
    return take.extremes if len(take.motion) > 2 and take.body.root is not None else None
