"""What can be chosen when a motion is retargeted: the same in the panel, saved with the target, and in the operator."""

from __future__ import annotations

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

# What is chosen is saved with library overrides too.
KEPT = {"LIBRARY_OVERRIDABLE"}
SPACES = (
    ("OBJECT", "From Its Object", "As the source moves beside its own object, wherever the target's stands"),
    ("SCENE", "In the Scene", "Where the source moves in the scene, scaled from the scene's origin"),
)
WAYS = (
    ("LEGS", "Scaled with Legs", "Steps are as long for its legs as the source's are"),
    ("KEPT", "As the Source", "As far as the source; steps become longer or shorter"),
    ("CHOSEN", "Chosen", "Times a factor of your own"),
)
STANDS = (
    ("AUTO", "Automatic", "The rest pose, or the current pose where the rest pose does not stand"),
    ("REST", "Rest Pose", "As its bones lie in edit mode"),
    (
        "CURRENT",
        "Current Pose",
        "As it is posed now: pose it as the source stands at rest. Bones without a partner stay so",
    ),
)
STRUCTURES = (
    ("SAME", "Same Kind", "Both have legs, arms, a trunk: turns are carried over"),
    (
        "OTHER",
        "Other Kind",
        "A can that skips like a person: parts with partners follow the same ways through space, three or four suffice",
    ),
)
CARRIES = (
    ("NONE", "Nothing", "Hands go where the turns bring them"),
    ("HANDS", "Between Hands", "The distance between both hands is kept"),
    ("CHOSEN", "Between Bones", "The distance between two bones of the source, ends of limbs, is kept"),
)


class RetargetChoices:
    """Mixin of properties, for the operator and for what is saved."""

    space: EnumProperty(
        name="Place", description="Where the target moves", items=SPACES, default="OBJECT", override=KEPT
    )
    keep_contacts: BoolProperty(
        name="Keep Contacts",
        description="Let feet and hands that stand still in the source stand still again:"
        " contacts marked in its action, or found in its motion",
        default=True,
        override=KEPT,
    )
    way: EnumProperty(name="Way", description="How far the target travels", items=WAYS, default="LEGS", override=KEPT)
    way_scale: FloatProperty(
        name="Factor", description="On the way along the ground", default=1.0, min=0.0, soft_max=3.0, override=KEPT
    )
    lowering: FloatProperty(
        name="Lowering",
        description="How far the root may go down so that legs reach their contacts, in body heights",
        default=0.2,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        override=KEPT,
    )
    fade: FloatProperty(
        name="Fade",
        description="Seconds beside a contact over which its correction dies away",
        default=0.1,
        min=0.0,
        soft_max=1.0,
        unit="TIME_ABSOLUTE",
        override=KEPT,
    )
    size: FloatProperty(
        name="Size",
        description="Of the target, over its own, at the start",
        default=1.0,
        min=0.01,
        soft_max=3.0,
        override=KEPT,
    )
    changes_size: BoolProperty(name="Changes Size", description="The target grows or shrinks on its way", override=KEPT)
    size_end: FloatProperty(
        name="Size at End",
        description="Of the target, over its own, at the end",
        default=1.0,
        min=0.01,
        soft_max=3.0,
        override=KEPT,
    )
    stands: EnumProperty(
        name="Standing Pose",
        description="Pose of the target that is compared with the source's rest pose",
        items=STANDS,
        default="AUTO",
        override=KEPT,
    )
    structure: EnumProperty(
        name="Structure", description="How much the two are alike", items=STRUCTURES, default="SAME", override=KEPT
    )
    carry: EnumProperty(
        name="Carry", description="What is held while moving", items=CARRIES, default="NONE", override=KEPT
    )
    carry_first: StringProperty(name="First Bone", description="Bone of the source, end of a limb", override=KEPT)
    carry_second: StringProperty(
        name="Second Bone", description="Bone of the source, end of another limb", override=KEPT
    )
    carry_throughout: BoolProperty(
        name="Throughout", description="It is held from the first frame to the last", default=True, override=KEPT
    )
    carry_start: IntProperty(name="From", description="First scene frame at which it is held", default=1, override=KEPT)
    carry_end: IntProperty(name="Until", description="Last scene frame at which it is held", default=100, override=KEPT)
    carry_scale: FloatProperty(
        name="Scale of Load",
        description="1 keeps what is carried as it is; less lets it shrink with a small character",
        default=1.0,
        min=0.0,
        soft_max=2.0,
        override=KEPT,
    )
    touch: FloatProperty(
        name="Touch",
        description="Hands of the two sources nearer than this, in body heights, touch; they meet again",
        default=0.1,
        min=0.0,
        soft_max=0.5,
        subtype="FACTOR",
        override=KEPT,
    )


NAMES = tuple(RetargetChoices.__annotations__)
