"""Constraints as the panel lists them; the list is what is saved with the action."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import PropertyGroup

from ..border.registration import attaching
from ..document import scope
from ..interface.shared_options import BONE, CONSTRAINT_KIND, END, SOFTNESS, START, TAIL, TARGET_BONE
from . import from_pose
from .kinds import ITEMS, KINDS, TABLE

if TYPE_CHECKING:
    from bpy.types import Context, Object

TARGETS = (
    ("PLACE", "Place", "Use the location, orientation or floor height below"),
    ("OBJECT", "Object", "Follow an object; the local Z axis points to a plane's free side"),
    ("CURVE", "Curve", "Follow the first spline of a curve evenly from Start to End"),
    ("BONE", "Bone", "Follow a bone of another armature, or of this one for a distance"),
)

LOOSEST, STIFFEST = 0.01, 100.0
STIFFNESS_TEXT = "Resistance of the bone to change; 1 is usual, 100 holds it"


def _target_changed(item: PropertyGroup, _context: Context) -> None:
    """What the chosen kind of target has no use for goes."""
    thing = item.target_object
    if thing is not None and (
        item.target == "PLACE"
        or (item.target == "CURVE" and thing.type != "CURVE")
        or (item.target == "BONE" and thing.pose is None)
    ):
        item.target_object = None
    if item.target != "BONE" and item.target_bone:
        item.target_bone = ""


def _object_changed(item: PropertyGroup, context: Context) -> None:
    """A new object says what kind of target it is, unless that was chosen before."""
    thing = item.target_object
    _measure(item, context)
    if thing is None or (item.target == "BONE" and thing.pose is not None):
        return
    follows = thing.type == "CURVE" and "CURVE" in KINDS[item.kind].targets
    if item.target in ("PLACE", "BONE"):
        item.target = "CURVE" if follows else "BONE" if item.target_bone and thing.pose is not None else "OBJECT"
    elif item.target == "CURVE" and not follows:
        item.target = "OBJECT"


def _bone_changed(item: PropertyGroup, context: Context) -> None:
    if item.target_bone and item.target != "BONE":
        item.target = "BONE"
    _measure(item, context)


def _measure(item: PropertyGroup, context: Context) -> None:
    """A distance that was added without a target is the one to its first target, as posed."""
    armature = scope.edited_object(context)
    target = item.target_object or armature
    bones = target.pose.bones if target is not None and target.pose else ()
    known = item.target_bone in bones if item.target_bone else target != armature
    if armature is None or armature.pose is None or item.bone not in armature.pose.bones:
        return
    if item.kind == "DISTANCE" and not item.distance and known:
        from_pose.measure_distance(armature, item)


def _fits(item: PropertyGroup, thing: Object) -> bool:
    """Whether the object can be the target."""
    if item.target == "CURVE":
        return thing.type == "CURVE"
    return item.target != "BONE" or thing.pose is not None


class MOTIONEDIT_PG_constraint(PropertyGroup):
    """Something that has to hold for a bone over a span of frames."""

    enabled: BoolProperty(name="Enabled", description="Enable the constraint", default=True)
    kind: EnumProperty(**CONSTRAINT_KIND, items=ITEMS)
    bone: StringProperty(**BONE)
    tail: BoolProperty(**TAIL, default=False)
    start: FloatProperty(**START, precision=1, step=100)
    end: FloatProperty(**END, precision=1, step=100)
    target: EnumProperty(name="Target", description="What the bone is held to", items=TARGETS, update=_target_changed)
    target_object: PointerProperty(
        name="Target Object",
        description="Object, curve or armature to hold the bone to",
        type=bpy.types.Object,
        poll=_fits,
        update=_object_changed,
    )
    target_bone: StringProperty(**TARGET_BONE, update=_bone_changed)
    softness: FloatProperty(**SOFTNESS, default=0.0, min=0.0, soft_max=1.0, precision=3)
    missed: FloatProperty(name="Missed", description="Remaining error after the last solve")
    missed_frame: FloatProperty(name="Missed At", description="Frame with the largest remaining error")
    # Zero of lists that were saved before slots counted: those are about every slot.
    slot: IntProperty(description="Handle of the action's slot")

    @property
    def target_text(self) -> str:
        """The target in a word or two; empty where there is none."""
        thing = self.target_object.name if self.target_object is not None else ""
        if self.target == "BONE":
            return self.target_bone or thing
        return thing

    def belongs_to(self, armature: Object) -> bool:
        """Whether it is about the armature's slot of the action."""
        return self.slot in (0, scope.slot_handle(armature))


# Settings that kinds have of their own.
MOTIONEDIT_PG_constraint.__annotations__ |= {name: each for kind in TABLE for name, each in kind.properties.items()}


class MOTIONEDIT_PG_constraints(PropertyGroup):
    """Constraints of an action."""

    listed: CollectionProperty(type=MOTIONEDIT_PG_constraint)
    active: IntProperty(name="Constraint", description="Active constraint of the list")

    def new(self, armature: Object, name: str) -> PropertyGroup:
        """Add an item about the armature's slot."""
        item = self.listed.add()
        item.name, item.slot = name, scope.slot_handle(armature)
        return item

    def of(self, armature: Object) -> list[tuple[int, PropertyGroup]]:
        """The items about the armature's slot, with their numbers in the list."""
        return [(number, item) for number, item in enumerate(self.listed) if item.belongs_to(armature)]


def free_name(settings: PropertyGroup, wanted: str) -> str:
    """A name that no constraint of the list has."""
    taken, name, number = {item.name for item in settings.listed}, wanted, 1
    while name in taken:
        name, number = f"{wanted}.{number:03d}", number + 1
    return name


classes = (MOTIONEDIT_PG_constraint, MOTIONEDIT_PG_constraints)

register, unregister = attaching(
    classes,
    {
        (bpy.types.Action, "motion_editing_constraints"): PointerProperty(type=MOTIONEDIT_PG_constraints),
        (bpy.types.PoseBone, "motion_editing_stiffness"): FloatProperty(
            name="Stiffness",
            description=STIFFNESS_TEXT,
            default=1.0,
            min=LOOSEST,
            max=STIFFEST,
            precision=2,
            override={"LIBRARY_OVERRIDABLE"},
        ),
    },
)
