"""Constraints as the panel lists them; the list is what is saved with the action."""

from __future__ import annotations

from math import radians

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

KINDS = (
    ("POSITION", "Position", "The bone is at a place, at an object, at a bone of another armature or on a curve"),
    ("KEEP", "Keep", "The bone goes on to move where it moves now"),
    ("NO_SKID", "No Skid", "The bone stands still, wherever that is"),
    ("ORIENTATION", "Orientation", "The bone points as it does now, or as an object does"),
    ("ABOVE_PLANE", "Above Plane", "The bone stays above the floor, or above the plane of an object"),
    ("DISTANCE", "Distance", "The bone is a distance away from another bone or object"),
    ("JOINT_LIMIT", "Joint Limit", "The bone turns at most so far from its rest pose"),
)
LABELS = {identifier: label for identifier, label, _ in KINDS}


class MOTIONEDIT_PG_constraint(PropertyGroup):
    """Something that has to hold for a bone over a span of frames."""

    enabled: BoolProperty(name="Enabled", description="Hold this constraint", default=True)
    kind: EnumProperty(name="Type", description="What has to hold", items=KINDS)
    bone: StringProperty(name="Bone", description="The bone that is held")
    tail: BoolProperty(name="Tail", description="Hold the bone's tail instead of its head", default=False)
    start: FloatProperty(name="Start", description="First action frame at which it holds", precision=1, step=100)
    end: FloatProperty(name="End", description="Last action frame at which it holds", precision=1, step=100)
    target_object: PointerProperty(
        name="Target", description="Object, curve or armature that the bone is held to", type=bpy.types.Object
    )
    target_bone: StringProperty(
        name="Target Bone", description="Bone of the target, or of this armature if none is set"
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


class MOTIONEDIT_PG_constraints(PropertyGroup):
    """Constraints of an action."""

    listed: CollectionProperty(type=MOTIONEDIT_PG_constraint)
    active: IntProperty(name="Constraint", description="The constraint that is shown below the list")


classes = (MOTIONEDIT_PG_constraint, MOTIONEDIT_PG_constraints)


def register() -> None:
    """Attach the constraints to actions."""
    for cls in classes:
        bpy.utils.register_class(cls)
    bpy.types.Action.motion_editing_constraints = PointerProperty(type=MOTIONEDIT_PG_constraints)


def unregister() -> None:
    """Detach them again."""
    del bpy.types.Action.motion_editing_constraints
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
