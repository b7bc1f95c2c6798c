"""Retargeting as a tool: everything that can be chosen besides who plays what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ... import retarget
from ...editing import KEEP_CONTACTS_TEXT, Tool, Unit, choice, number, switch, text, whole_number

if TYPE_CHECKING:
    from ..report import Retargeted
    from .cast import Casting

_SIZE: dict[str, Any] = {"limits": (0.01, None), "soft_limits": (None, 3.0)}


class RetargetMotion(Tool):
    """Copy the motion of another armature to this one as a new action"""

    verb: ClassVar[str] = "Retargeted"

    space: str = choice(
        "OBJECT",
        "Where the target moves",
        ("OBJECT", "From Its Object", "Move relative to the target's own object"),
        ("SCENE", "In the Scene", "Move where the source moves, scaled from the scene's origin"),
        label="Place",
    )
    keep_contacts: bool = switch(True, KEEP_CONTACTS_TEXT)
    way: str = choice(
        "LEGS",
        "How far the target travels",
        ("LEGS", "Scaled with Legs", "Scale the steps with the length of the legs"),
        ("KEPT", "As the Source", "Travel as far as the source"),
        ("CHOSEN", "Chosen", "Scale the travel by a factor"),
        label="Travel",
    )
    way_scale: float = number(
        1.0, "Factor of the travel along the ground", label="Factor", limits=(0.0, None), soft_limits=(None, 3.0)
    )
    lowering: float = number(
        0.2, "How far the root may go down to reach contacts, in body heights", limits=(0.0, 1.0), unit=Unit.FACTOR
    )
    fade: float = number(
        0.1,
        "Seconds beside a contact over which its correction fades out",
        limits=(0.0, None),
        soft_limits=(None, 1.0),
        unit=Unit.SECONDS,
    )
    size: float = number(1.0, "Factor of the target's size at the start", **_SIZE)
    changes_size: bool = switch(False, "Grow or shrink the target over time")
    size_end: float = number(1.0, "Factor of the target's size at the end", label="Size at End", **_SIZE)
    stands: str = choice(
        "AUTO",
        "Pose of the target that matches the source's rest pose",
        ("AUTO", "Automatic", "Use the rest pose, or the current pose if the rest pose is not upright"),
        ("REST", "Rest Pose", "Use the bones as in edit mode"),
        ("CURRENT", "Current Pose", "Use the present pose: pose it as the source is at rest"),
        label="Standing Pose",
    )
    limbs: str = choice(
        "FK",
        "Controls of the target's arms and legs that get keys, on a control rig",
        ("FK", "FK", "Turn arms and legs bone by bone"),
        ("IK", "IK", "Place hands and feet with their IK controls"),
        ("AS_IS", "As It Is", "Use the controls that act now"),
    )
    structure: str = choice(
        "SAME",
        "How similar the two skeletons are",
        ("SAME", "Same Kind", "Copy rotations, for characters with legs, arms and a trunk"),
        ("OTHER", "Other Kind", "Match paths through space, for characters of different structure"),
    )
    carry: str = choice(
        "NONE",
        "Distance to keep while something is carried",
        ("NONE", "Nothing", "Do not keep the distance between hands"),
        ("HANDS", "Between Hands", "Keep the distance between both hands"),
        ("CHOSEN", "Between Bones", "Keep the distance between two limb ends of the source"),
    )
    carry_first: str = text("", "Bone of the source at the end of a limb", label="First Bone")
    carry_second: str = text("", "Bone of the source at the end of another limb", label="Second Bone")
    carry_throughout: bool = switch(True, "Carry from the first frame to the last", label="Throughout")
    carry_start: int = whole_number(1, "First scene frame of carrying", label="From")
    carry_end: int = whole_number(100, "Last scene frame of carrying", label="Until")
    carry_scale: float = number(
        1.0,
        "Size of the load; 1 keeps it, less shrinks it with the character",
        label="Scale of Load",
        limits=(0.0, None),
        soft_limits=(None, 2.0),
    )
    touch: float = number(
        0.1,
        "Hand distance that counts as touching, in body heights",
        limits=(0.0, None),
        soft_limits=(None, 0.5),
        unit=Unit.FACTOR,
    )

    def apply(self, casting: Casting) -> Retargeted:
        """One character's motion on another one."""
        return retarget.played(casting, self)

    def apply_together(self, one: Casting, other: Casting) -> tuple[Retargeted, Retargeted]:
        """Two characters at once, so that their hands meet where those of the sources do."""
        return retarget.played_together(one, other, self)
