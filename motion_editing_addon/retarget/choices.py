"""What can be chosen when a motion is retargeted: the same in the panel, saved with the target, and in the operator."""

from __future__ import annotations

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ..interface.shared_options import CONTACT_FADE, KEEP_CONTACTS, LOWERING

# What is chosen is saved with library overrides too.
KEPT = {"LIBRARY_OVERRIDABLE"}
SPACES = (
    ("OBJECT", "From Its Object", "Move relative to the target's own object"),
    ("SCENE", "In the Scene", "Move where the source moves, scaled from the scene's origin"),
)
WAYS = (
    ("LEGS", "Scaled with Legs", "Scale the steps with the length of the legs"),
    ("KEPT", "As the Source", "Travel as far as the source"),
    ("CHOSEN", "Chosen", "Scale the travel by a factor"),
)
STANDS = (
    ("AUTO", "Automatic", "Use the rest pose, or the current pose if the rest pose is not upright"),
    ("REST", "Rest Pose", "Use the bones as in edit mode"),
    (
        "CURRENT",
        "Current Pose",
        "Use the present pose: pose it as the source is at rest",
    ),
)
STRUCTURES = (
    ("SAME", "Same Kind", "Copy rotations, for characters with legs, arms and a trunk"),
    (
        "OTHER",
        "Other Kind",
        "Match paths through space, for characters of different structure",
    ),
)
CARRIES = (
    ("NONE", "Nothing", "Do not keep the distance between hands"),
    ("HANDS", "Between Hands", "Keep the distance between both hands"),
    ("CHOSEN", "Between Bones", "Keep the distance between two limb ends of the source"),
)


class RetargetChoices:
    """Mixin of properties, for the operator and for what is saved."""

    space: EnumProperty(
        name="Place", description="Where the target moves", items=SPACES, default="OBJECT", override=KEPT
    )
    keep_contacts: BoolProperty(**KEEP_CONTACTS, default=True, override=KEPT)
    way: EnumProperty(
        name="Travel", description="How far the target travels", items=WAYS, default="LEGS", override=KEPT
    )
    way_scale: FloatProperty(
        name="Factor",
        description="Factor of the travel along the ground",
        default=1.0,
        min=0.0,
        soft_max=3.0,
        override=KEPT,
    )
    lowering: FloatProperty(**LOWERING, default=0.2, min=0.0, max=1.0, subtype="FACTOR", override=KEPT)
    fade: FloatProperty(**CONTACT_FADE, default=0.1, min=0.0, soft_max=1.0, unit="TIME_ABSOLUTE", override=KEPT)
    size: FloatProperty(
        name="Size",
        description="Factor of the target's size at the start",
        default=1.0,
        min=0.01,
        soft_max=3.0,
        override=KEPT,
    )
    changes_size: BoolProperty(name="Changes Size", description="Grow or shrink the target over time", override=KEPT)
    size_end: FloatProperty(
        name="Size at End",
        description="Factor of the target's size at the end",
        default=1.0,
        min=0.01,
        soft_max=3.0,
        override=KEPT,
    )
    stands: EnumProperty(
        name="Standing Pose",
        description="Pose of the target that matches the source's rest pose",
        items=STANDS,
        default="AUTO",
        override=KEPT,
    )
    structure: EnumProperty(
        name="Structure",
        description="How similar the two skeletons are",
        items=STRUCTURES,
        default="SAME",
        override=KEPT,
    )
    carry: EnumProperty(
        name="Carry",
        description="Distance to keep while something is carried",
        items=CARRIES,
        default="NONE",
        override=KEPT,
    )
    carry_first: StringProperty(name="First Bone", description="Bone of the source at the end of a limb", override=KEPT)
    carry_second: StringProperty(
        name="Second Bone", description="Bone of the source at the end of another limb", override=KEPT
    )
    carry_throughout: BoolProperty(
        name="Throughout", description="Carry from the first frame to the last", default=True, override=KEPT
    )
    carry_start: IntProperty(name="From", description="First scene frame of carrying", default=1, override=KEPT)
    carry_end: IntProperty(name="Until", description="Last scene frame of carrying", default=100, override=KEPT)
    carry_scale: FloatProperty(
        name="Scale of Load",
        description="Size of the load; 1 keeps it, less shrinks it with the character",
        default=1.0,
        min=0.0,
        soft_max=2.0,
        override=KEPT,
    )
    touch: FloatProperty(
        name="Touch",
        description="Hand distance that counts as touching, in body heights",
        default=0.1,
        min=0.0,
        soft_max=0.5,
        subtype="FACTOR",
        override=KEPT,
    )


NAMES = tuple(RetargetChoices.__annotations__)
