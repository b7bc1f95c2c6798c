"""Blend With Action: this motion mixed with another one, by a weight that the mouse sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty
from bpy.types import Operator

from ..interface.operators.operator import SLIDING, MotionEditOperator
from ..interface.operators.slider_drag import Slider
from ..interface.shared_options import KEEP_CONTACTS
from .partner.other_choice import NeedsOtherMotion

if TYPE_CHECKING:
    from bpy.types import Context, Event, UILayout

    from .runs.blend_run import BlendRun

_PROFILES = (
    ("CONSTANT", "Constant", "Use the same weight in every frame"),
    ("IN", "Fade In", "Increase the weight from the start of the range to its end"),
    ("OUT", "Fade Out", "Decrease the weight from the start of the range to its end"),
    ("IN_OUT", "In and Out", "Ease the weight in and out; the ends of the range stay"),
)
_TIMINGS = (
    ("RECORDED", "As Recorded", "Play both at their own speed; the shorter one holds its last pose"),
    ("STRETCHED", "Stretched", "Scale the other motion so that both end together"),
    ("IN_STEP", "In Step", "Retime the other motion so that similar poses coincide"),
)
_GROUNDS = (
    ("PLACES", "As It Is", "Blend the locations as they are"),
    ("START", "At Start", "Move and rotate the other motion to start where this one does"),
    ("PATH", "Along One Path", "Blend speed and turning, for different root motion"),
)


class MOTIONEDIT_OT_blend_action(NeedsOtherMotion, MotionEditOperator, Operator):
    """Blend the chosen bones with another action or character's motion"""

    bl_idname = "motion_editing.blend_action"
    bl_label = "Blend With Action"
    bl_options = SLIDING
    verb = "Blended"
    own = ("weight", "profile", "fade", "timing", "offset", "ground")
    sliders = (Slider("weight", unit="%", step=1, snap=10),)

    weight: FloatProperty(
        name="Weight",
        description="Share of the other motion; 0 changes nothing, 1 replaces the motion",
        default=0.5,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
    )
    profile: EnumProperty(
        name="Over Time", description="How the weight changes over the range", items=_PROFILES, default="CONSTANT"
    )
    fade: FloatProperty(
        name="Fade",
        description="Seconds over which In and Out eases in and out",
        default=0.5,
        min=0.0,
        soft_max=5.0,
        unit="TIME_ABSOLUTE",
    )
    timing: EnumProperty(
        name="Timing", description="How the two motions are aligned in time", items=_TIMINGS, default="RECORDED"
    )
    offset: IntProperty(name="Offset", description="Frames to skip at the start of the other motion", default=0, min=0)
    ground: EnumProperty(
        name="On the Ground",
        description="How root motion is blended",
        items=_GROUNDS,
        default="START",
    )

    # By clip, what does not depend on the weight.
    keep_contacts: BoolProperty(**KEEP_CONTACTS, default=False)

    def run(self) -> BlendRun:
        """On both motions side by side."""
        from .runs.blend_run import BlendRun

        return BlendRun(self)

    def switches(self) -> dict[str, str]:
        """Contacts."""
        return {"C": "keep_contacts"}

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start the slider; without another motion ask for it first."""
        self.take_from_panel(context)
        if not (self.action or self.armature) and not bpy.app.background:
            return context.window_manager.invoke_props_dialog(self, title=self.bl_label)
        return super().invoke(context, event)

    def draw_own(self, layout: UILayout) -> None:
        """The other motion, the weight and how both are brought together."""
        self.draw_choice(layout)
        for name in (*self.own, "keep_contacts"):
            if name != "fade" or self.profile == "IN_OUT":
                layout.prop(self, name)


classes = (MOTIONEDIT_OT_blend_action,)
