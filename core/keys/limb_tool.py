"""Limbs of a control rig between IK and FK, as a tool: other controls move the same figure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from .. import rig
from ..editing import Change, Tool, choice, switch
from ..errors import MotionEditError

if TYPE_CHECKING:
    from ..editing import Take
    from ..rig import LimbSwitch


class SwitchLimbs(Tool):
    """Change limbs between IK and FK; the motion stays as it is seen"""

    verb: ClassVar[str] = "Switched"
    is_whole: ClassVar[bool] = True

    way: str = choice(
        "OTHER",
        "Controls that move the limbs from now on",
        ("OTHER", "The Other", "Switch each limb to the way that does not move it now"),
        ("IK", "IK", "Place hands and feet with their IK controls"),
        ("FK", "FK", "Turn arms and legs bone by bone"),
        label="Switch To",
    )
    keep_stretch: bool = switch(True, "Scale FK bones where IK has stretched them; else they only turn")

    def apply(self, take: Take) -> Change:
        """Channels with which the figure moves as before; what it found are the values of switches by name."""
        values = {each.name: each.value(self._way_of(each, take)) for each in _chosen(take)}
        switched = take.motion
        for name, value in values.items():
            switched = rig.with_number(switched, name, value)
        laid = take.laid(switched, take.shown.motion, lengths=self.keep_stretch)
        before = take.motion
        # The switches get keys of their own.
        laid = replace(laid, scalars=before.scalars, scalar_names=before.scalar_names, stepped=before.stepped)
        return Change(laid, found=values)

    def _way_of(self, switch: LimbSwitch, take: Take) -> str:
        if self.way != "OTHER":
            return self.way
        return "FK" if take.placed_limbs.issuperset(switch.limbs) else "IK"


def _chosen(take: Take) -> list[LimbSwitch]:
    """Switches of the limbs that somebody picked; all if nothing is picked."""
    if not take.limb_switches:
        raise MotionEditError("There is no switch between IK and FK: this is for limbs of control rigs that have both")
    picked = take.picked_limbs
    found = [each for each in take.limb_switches if picked is None or not picked.isdisjoint(each.limbs)]
    if not found:
        raise MotionEditError("The selected bones have no switch between IK and FK: select bones of arms or legs")
    return found
