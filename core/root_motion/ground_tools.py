"""New ways over the ground as tools."""

from __future__ import annotations

from math import radians
from typing import TYPE_CHECKING, Any, ClassVar

from .. import editing, numerics, root_motion
from ..editing import KEEP_CONTACTS, KEEP_CONTACTS_TEXT, Change, Named, Tool, Unit, number, switch, text, whole_number
from ..errors import MotionEditError

if TYPE_CHECKING:
    from ..editing import Take
    from ..motion import GroundMove

_SWAY: dict[str, Any] = {
    "tooltip": "Seconds over which travel is averaged; shorter sway stays",
    "limits": (0.0, None),
    "soft_limits": (None, 2.0),
    "unit": Unit.SECONDS,
}


class GroundTool(Tool):
    """Carries the character as a whole; a tool tells `move`."""

    is_whole: ClassVar[bool] = True
    needs_positions: ClassVar[bool] = True
    carries: ClassVar[bool] = True

    keep_contacts: bool

    def move(self, take: Take) -> GroundMove:
        """Where the character is carried in every frame."""
        raise NotImplementedError

    def apply(self, take: Take) -> Change:
        """The character carried, with each contact carried as one if contacts are kept."""
        motion, move = take.carried, self.move(take)
        contacts = take.found_contacts if self.keep_contacts else None
        if contacts is None or not any(map(contacts.of, contacts.joints)):
            return Change(move.applied(motion))
        held, _report = root_motion.moved_with_contacts(motion, move, take.body, contacts=contacts)
        return Change(held, holds_contacts=True)


class InPlace(GroundTool):
    """Remove root motion so that the character stays where it starts"""

    verb: ClassVar[str] = "Put in place"

    keep_turn: bool = switch(True, "Keep the rotation of the character")
    keep_bob: bool = switch(True, "Keep the height of the root", label="Keep Height")
    sway: float = number(0.0, **_SWAY)
    # Feet of a figure that stays where it is go along with the ground.
    keep_contacts: bool = switch(False, KEEP_CONTACTS_TEXT, key="C")

    def move(self, take: Take) -> GroundMove:
        """Back to the start."""
        kept = {"keep_turn": self.keep_turn, "keep_bob": self.keep_bob}
        return editing.in_place(take.carried, take.body, **kept, sway=self.sway)


class FollowCurve(GroundTool):
    """Lead the character along a curve, keeping the length of its steps"""

    verb: ClassVar[str] = "Led along a curve"

    curve: str = text("", "Curve object to follow", names=Named.CURVE)
    fit_length: bool = switch(False, "Scale the steps so that the travel ends where the curve does")
    turn: bool = switch(True, "Turn the character with the curve")
    sway: float = number(0.3, **_SWAY)
    keep_contacts: bool = KEEP_CONTACTS
    # (N, 3) points of the curve in the scene, two or more.
    points: Any = ()

    def move(self, take: Take) -> GroundMove:
        """Along the curve."""
        options: dict[str, Any] = {"fit_length": self.fit_length, "turn": self.turn, "sway": self.sway}
        return root_motion.along_curve(take.carried, take.body, self.points, **options)


class ChangeHeading(GroundTool):
    """Turn the character and its root motion, at once or gradually"""

    verb: ClassVar[str] = "Turned"
    sliders: ClassVar[tuple[str, ...]] = ("angle",)

    angle: float = number(
        0.0,
        "Angle to turn, anticlockwise seen from above",
        soft_limits=(radians(-180.0), radians(180.0)),
        unit=Unit.ANGLE,
        drag=(1, 5),
    )
    bend_path: bool = switch(True, "Turn the root motion too, not only the figure", label="Turn Path")
    gradual: bool = switch(False, "Turn gradually between two frames")
    start_frame: int = whole_number(1, "Scene frame at which the turn starts", label="Start")
    end_frame: int = whole_number(25, "Scene frame at which the turn is complete", label="End")
    keep_contacts: bool = KEEP_CONTACTS

    @property
    def unused(self) -> frozenset[str]:
        """Frames, unless they count."""
        return frozenset() if self.gradual else frozenset({"start_frame", "end_frame"})

    def move(self, take: Take) -> GroundMove:
        """The turn of every frame."""
        angles = self.angle * self._shares(take)
        return root_motion.heading_change(take.carried, take.body, angles, bend_path=self.bend_path)

    def _shares(self, take: Take) -> Any:
        """Share of the turn, for all frames or (F,)."""
        if not self.gradual:
            return 1.0
        if self.end_frame <= self.start_frame:
            raise MotionEditError(f"End ({self.end_frame}) must be after Start ({self.start_frame})")
        start, end = (take.own_frame(each) for each in (self.start_frame, self.end_frame))
        return numerics.ease(((take.frames - start) / (end - start)).clip(0.0, 1.0))
