"""This motion with another one, as tools."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from .. import blending, motion
from ..editing import KEEP_CONTACTS, KEEP_FLOOR, Change, Named, Tool, Unit, choice, number, switch, text, whole_number

if TYPE_CHECKING:
    from ..editing import Take
    from ..motion import Motion
    from .motion_transition import Transition
    from .partner import Partner

_ACTION = text("", "Action that the motion or pose is taken from", names=Named.ACTION)
_ARMATURE = text("", "Armature whose motion is used instead of an action", names=Named.ARMATURE)


class BlendAction(Tool):
    """Blend the chosen bones with another action or character's motion"""

    verb: ClassVar[str] = "Blended"
    sliders: ClassVar[tuple[str, ...]] = ("weight",)
    needs_positions: ClassVar[bool] = True

    action: str = _ACTION
    armature: str = _ARMATURE
    weight: float = number(
        0.5,
        "Share of the other motion; 0 changes nothing, 1 replaces the motion",
        limits=(0.0, 1.0),
        unit=Unit.FACTOR,
        drag=(1, 10),
    )
    profile: str = choice(
        "CONSTANT",
        "How the weight changes over the range",
        ("CONSTANT", "Constant", "Use the same weight in every frame"),
        ("IN", "Fade In", "Increase the weight from the start of the range to its end"),
        ("OUT", "Fade Out", "Decrease the weight from the start of the range to its end"),
        ("IN_OUT", "In and Out", "Ease the weight in and out; the ends of the range stay"),
        label="Over Time",
    )
    fade: float = number(
        0.5,
        "Seconds over which In and Out eases in and out",
        limits=(0.0, None),
        soft_limits=(None, 5.0),
        unit=Unit.SECONDS,
    )
    timing: str = choice(
        "RECORDED",
        "How the two motions are aligned in time",
        ("RECORDED", "As Recorded", "Play both at their own speed; the shorter one holds its last pose"),
        ("STRETCHED", "Stretched", "Scale the other motion so that both end together"),
        ("IN_STEP", "In Step", "Retime the other motion so that similar poses coincide"),
    )
    offset: int = whole_number(0, "Frames to skip at the start of the other motion", limits=(0, None))
    ground: str = choice(
        "START",
        "How root motion is blended",
        ("PLACES", "As It Is", "Blend the locations as they are"),
        ("START", "At Start", "Move and rotate the other motion to start where this one does"),
        ("PATH", "Along One Path", "Blend speed and turning, for different root motion"),
        label="On the Ground",
    )
    keep_contacts: bool = KEEP_CONTACTS
    keep_floor: bool = KEEP_FLOOR
    # Both motions side by side, and (J,) the joints that the other has.
    partner: Partner | None = None
    present: Any = True

    @property
    def unused(self) -> frozenset[str]:
        """An action where an armature is chosen, and the fade of other profiles."""
        return _unused_name(self) | (frozenset() if self.profile == "IN_OUT" else frozenset({"fade"}))

    @property
    def carries(self) -> bool:
        """The other motion is carried to this one as a whole."""
        return self.ground != "PLACES"

    def apply(self, take: Take) -> Change:
        """The blend; joints that the other motion lacks keep their own."""
        if self.partner is None:
            raise ValueError("Give the other motion as partner")
        weights = blending.weights_over(take.motion.times, self.weight, profile=self.profile, fade=self.fade)
        blended = self.partner.blended(weights)
        changed = blended is not self.partner.own
        after = motion.within_scope(take.motion, blended, self.present) if changed else take.motion
        return take.restaged(after, keep_contacts=self.keep_contacts, keep_floor=self.keep_floor)


class AppendTransition(Tool):
    """Append another action with a transition where they are most similar"""

    verb: ClassVar[str] = "Continued"
    is_whole: ClassVar[bool] = True
    needs_positions: ClassVar[bool] = True
    carries: ClassVar[bool] = True

    action: str = _ACTION
    armature: str = _ARMATURE
    method: str = choice(
        "FADE",
        "How the two motions are joined",
        ("FADE", "Cross-Fade", "Cross-fade both motions, for similar poses"),
        ("GAP", "Bridge", "Add new frames between the two motions, for different poses"),
    )
    length: float = number(
        0.3,
        "Length of the cross-fade or bridge in seconds",
        limits=(0.01, None),
        soft_limits=(None, 2.0),
        unit=Unit.SECONDS,
    )
    automatic: bool = switch(True, "Find the best frames for the transition", label="Find Place")
    leave_frame: int = whole_number(1, "Scene frame of this action at which the transition starts", label="Leave at")
    enter_frame: int = whole_number(1, "Frame of the other action that follows", label="Enter at")
    keep_contacts: bool = KEEP_CONTACTS
    keep_floor: bool = KEEP_FLOOR
    # The other motion, with the joints of this one, and the number of its first frame.
    other: Motion | None = None
    other_start: float = 1.0

    @property
    def unused(self) -> frozenset[str]:
        """An action where an armature is chosen, and frames that are looked for."""
        return _unused_name(self) | (frozenset({"leave_frame", "enter_frame"}) if self.automatic else frozenset())

    def apply(self, take: Take) -> Change:
        """Find the place and put both together; what it found is a `Transition`."""
        if self.other is None:
            raise ValueError("Give the other motion")
        # The other motion is carried by the joints that carry this one.
        own = take.carried
        found = self._found(take, replace(self.other, skeleton=own.skeleton, carriers=own.carriers))
        kept = {"keep_contacts": self.keep_contacts, "keep_floor": self.keep_floor}
        change = take.restaged(found.motion, first=found.start, last=found.end, **kept)
        return replace(change, found=found)

    def _found(self, take: Take, other: Motion) -> Transition:
        leave = round(take.own_frame(self.leave_frame) - take.frames[0])
        enter = round((self.enter_frame - self.other_start) / other.rate * take.motion.rate)
        if self.method == "GAP":
            ends: dict[str, int] = {} if self.automatic else {"leave": leave, "enter": enter}
            return blending.bridge(take.carried, other, take.body, gap=self.length, **ends)
        place = None if self.automatic else blending.Moments(leave, enter, 0.0)
        return blending.transition(take.carried, other, take.body, length=self.length, moments=place)


def _unused_name(tool: BlendAction | AppendTransition) -> frozenset[str]:
    return frozenset({"action"}) if tool.armature else frozenset()
