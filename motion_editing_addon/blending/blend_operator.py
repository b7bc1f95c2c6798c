"""Blend With Action: this motion mixed with another one, by a weight that the mouse sets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty, FloatProperty, IntProperty
from bpy.types import Operator

from ..document import scope
from ..interface.operators.slider_drag import Slider
from .character_edit import CharacterSlider
from .partner.other_choice import NeedsOtherMotion

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Event, UILayout

    from ...core.blending import Partner
    from ...core.motion import Motion
    from ..border.action_io import Clip, WriteReport
    from ..border.steps import Steps
    from ..document.take.clip_facts import ClipFacts

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


class MOTIONEDIT_OT_blend_action(NeedsOtherMotion, CharacterSlider, Operator):
    """Blend the chosen bones with another action or character's motion"""

    bl_idname = "motion_editing.blend_action"
    bl_label = "Blend With Action"
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
    _partners = ()
    _missing = ()

    def facts_of(self, clip: Clip) -> ClipFacts:
        """What is asked about the clip, which knows the other motion's numbers too."""
        return super().facts_of(self.knowing_other(bpy.context, clip))

    def examine(self, facts: ClipFacts) -> None:
        """The other motion is carried to this one as a whole."""
        from ..document.character.carried_figure import refuse_left_behind

        if self.ground != "PLACES":
            refuse_left_behind(facts.clip, facts.carried, facts.body)

    def change(self, facts: ClipFacts, _joints: np.ndarray) -> Motion:
        """The blend; bones that the other motion lacks keep their own."""
        from ...core.blending import weights_over
        from ...core.motion import within_scope

        partner, present = self._partner(facts)
        times = facts.clip.motion.times
        blended = partner.blended(weights_over(times, self.weight, profile=self.profile, fade=self.fade))
        own = facts.clip.motion
        return own if blended is partner.own else within_scope(own, blended, present)

    def _partner(self, facts: ClipFacts) -> tuple[Partner, np.ndarray]:
        """Both motions side by side, and (J,) the joints that the other has."""
        known = next((entry for entry in self._partners if entry[0] is facts), None)
        if known is None:
            known = facts, *self._find_partner(facts)
            self._partners = (*self._partners, known)
        return known[1:]

    def _find_partner(self, facts: ClipFacts) -> tuple[Partner, np.ndarray]:
        from ...core.blending import Partner, beside
        from ..document.character.carriers import carried_motion

        clip = facts.clip
        # Whole actions run beside each other; the range only says what of it is blended.
        whole = clip if self.range == "ACTION" else self._whole(clip)
        other = self.other(bpy.context, whole)
        self._missing = (*self._missing, other.missing_text())
        own = carried_motion(clip, facts.body, other.motion)
        shown = beside(whole.motion, other.motion, facts.body, name=other.name, timing=self.timing, offset=self.offset)
        shown = replace(shown, skeleton=own.skeleton, carriers=own.carriers)
        first, last = whole.frames.searchsorted(clip.frames[[0, -1]] - 1e-3)
        return Partner.of(own, shown.part(first, last + 1), facts.body, ground=self.ground), other.present

    def _whole(self, clip: Clip) -> Clip:
        """The whole action, with the numbers that the clip knows."""
        from ..border.action_io.any_frames import read_frames

        whole = scope.read_clip(bpy.context, clip.armature)
        return read_frames(clip.armature, whole.frames, rate=whole.motion.rate, scalars=clip.channels.scalars)

    def work(self, context: Context) -> Steps[None]:
        """Blend all armatures; nothing is known yet."""
        self._partners = self._missing = ()
        yield from super().work(context)

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start the slider; without another motion ask for it first."""
        self._partners = self._missing = ()
        self.take_from_panel(context)
        if not (self.action or self.armature) and not bpy.app.background:
            return context.window_manager.invoke_props_dialog(self, title=self.bl_label)
        return super().invoke(context, event)

    def begin(self, context: Context) -> None:
        """Read both motions before anything is shown: an action that is played to be read resets the pose."""
        super().begin(context)
        self._find_facts()
        for facts, _joints in self._facts:
            self._partner(facts)
        context.view_layer.update()

    def leave(self, context: Context) -> None:
        """Forget the other motions, too."""
        super().leave(context)
        self._partners = ()

    def remarks(self, reports: list[WriteReport]) -> str:
        """Numbers, and bones that the other motion lacks."""
        return super().remarks(reports) + next(filter(None, self._missing), "")

    def draw_own(self, layout: UILayout) -> None:
        """The other motion, the weight and how both are brought together."""
        self.draw_choice(layout)
        for name in (*self.own, "keep_contacts"):
            if name != "fade" or self.profile == "IN_OUT":
                layout.prop(self, name)


classes = (MOTIONEDIT_OT_blend_action,)
