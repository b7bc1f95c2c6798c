"""Constraints as the panel lists them; the list is what is saved with the action."""

from __future__ import annotations

from math import pi, radians
from typing import TYPE_CHECKING

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import PropertyGroup

from ..registering import attaching

if TYPE_CHECKING:
    from bpy.types import Context, Object

_KINDS = (
    (
        "POSITION",
        "Position",
        "The bone is at a place, at an object, at a bone of another armature or on a curve",
        "CON_LOCLIKE",
    ),
    ("KEEP", "Keep", "The bone goes on to move where it moves now", "PINNED"),
    ("NO_SKID", "No Skid", "The bone stands still, wherever that is", "CON_LOCLIMIT"),
    ("ORIENTATION", "Orientation", "The bone points as it does now, or as an object does", "CON_ROTLIKE"),
    ("ABOVE_PLANE", "Above Plane", "The bone stays above the floor, or above the plane of an object", "CON_FLOOR"),
    ("DISTANCE", "Distance", "The bone is a distance away from another bone or object", "CON_DISTLIMIT"),
    ("JOINT_LIMIT", "Joint Limit", "The bone turns at most so far from its rest pose", "CON_ROTLIMIT"),
    (
        "JOINT_RANGE",
        "Joint Range",
        "The bone bends about one axis within a range, as elbows and knees do",
        "DRIVER_ROTATIONAL_DIFFERENCE",
    ),
)
KINDS = tuple((*each, number) for number, each in enumerate(_KINDS))
LABELS = {each[0]: each[1] for each in _KINDS}
ICONS = {each[0]: each[3] for each in _KINDS}

TARGETS = (
    ("PLACE", "Place", "As it is given below: a place, an orientation, the height of the floor"),
    ("OBJECT", "Object", "An object that may move; of an object as a plane, local Z points to the free side"),
    ("CURVE", "Curve", "Evenly along the first spline of a curve, from Start to End"),
    ("BONE", "Bone", "A bone of another armature; for a distance also of this one"),
)

LOOSEST, STIFFEST = 0.01, 100.0
STIFFNESS_TEXT = "How much the bone resists: 1 is usual, with less it changes before others, 100 holds it as it is"


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
    follows = thing.type == "CURVE" and item.kind == "POSITION"
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
    armature, target = context.object, item.target_object or context.object
    bones = target.pose.bones if target is not None and target.pose else ()
    known = item.target_bone in bones if item.target_bone else target != armature
    if item.kind == "DISTANCE" and not item.distance and known and armature.pose and item.bone in armature.pose.bones:
        from .from_pose import measure_distance

        measure_distance(armature, item)


def _fits(item: PropertyGroup, thing: Object) -> bool:
    """Whether the object can be the target."""
    if item.target == "CURVE":
        return thing.type == "CURVE"
    return item.target != "BONE" or thing.pose is not None


class MOTIONEDIT_PG_constraint(PropertyGroup):
    """Something that has to hold for a bone over a span of frames."""

    enabled: BoolProperty(name="Enabled", description="Hold this constraint", default=True)
    kind: EnumProperty(name="Type", description="What has to hold", items=KINDS)
    bone: StringProperty(name="Bone", description="The bone that is held")
    tail: BoolProperty(name="Tail", description="Hold the bone's tail instead of its head", default=False)
    start: FloatProperty(name="Start", description="First action frame at which it holds", precision=1, step=100)
    end: FloatProperty(name="End", description="Last action frame at which it holds", precision=1, step=100)
    target: EnumProperty(name="Target", description="What it is held to", items=TARGETS, update=_target_changed)
    target_object: PointerProperty(
        name="Target Object",
        description="Object, curve or armature that the bone is held to; it is followed where it moves",
        type=bpy.types.Object,
        poll=_fits,
        update=_object_changed,
    )
    target_bone: StringProperty(
        name="Target Bone",
        description="Bone of the target, or of this armature if none is set",
        update=_bone_changed,
    )
    point: FloatVectorProperty(
        name="Place", description="Where the bone is held, in the scene", subtype="XYZ", unit="LENGTH"
    )
    turn: FloatVectorProperty(
        name="Orientation",
        description="How the bone points in the scene",
        size=4,
        default=(1.0, 0.0, 0.0, 0.0),
        subtype="QUATERNION",
    )
    height: FloatProperty(name="Height", description="Of the floor, in the scene", unit="LENGTH")
    distance: FloatProperty(name="Distance", description="How far apart", min=0.0, unit="LENGTH")
    angle: FloatProperty(
        name="Angle", description="Largest turn from the rest pose", default=radians(90.0), min=0.0, subtype="ANGLE"
    )
    axis: EnumProperty(
        name="Axis",
        description="Of the bone, about which it bends",
        items=(("X", "X", ""), ("Y", "Y", "Along the bone"), ("Z", "Z", "")),
    )
    smallest: FloatProperty(
        name="Smallest", description="Least angle from the rest pose", min=-pi, max=pi, subtype="ANGLE"
    )
    largest: FloatProperty(
        name="Largest",
        description="Greatest angle from the rest pose",
        default=radians(150.0),
        min=-pi,
        max=pi,
        subtype="ANGLE",
    )
    softness: FloatProperty(
        name="Softness",
        description="0 is held exactly; with more the constraint gives way where that saves much change",
        default=0.0,
        min=0.0,
        soft_max=1.0,
        precision=3,
    )
    missed: FloatProperty(name="Missed", description="By how much it is missed since the last solve")
    missed_frame: FloatProperty(name="Missed At", description="The frame at which it is missed most")
    # Zero of lists that were saved before slots counted: those are about every slot.
    slot: IntProperty(description="Handle of the action's slot whose motion it is about")

    @property
    def target_text(self) -> str:
        """The target in a word or two; empty where there is none."""
        thing = self.target_object.name if self.target_object is not None else ""
        if self.target == "BONE":
            return self.target_bone or thing
        return thing

    def belongs_to(self, armature: Object) -> bool:
        """Whether it is about the armature's slot of the action."""
        return self.slot in (0, armature.animation_data.action_slot.handle)


class MOTIONEDIT_PG_constraints(PropertyGroup):
    """Constraints of an action."""

    listed: CollectionProperty(type=MOTIONEDIT_PG_constraint)
    active: IntProperty(name="Constraint", description="The constraint that is shown below the list")

    def new(self, armature: Object, name: str) -> PropertyGroup:
        """Add an item about the armature's slot."""
        item = self.listed.add()
        item.name, item.slot = name, armature.animation_data.action_slot.handle
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
