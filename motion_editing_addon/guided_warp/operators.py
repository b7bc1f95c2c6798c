"""Warping time, and the keytimes that say how."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Operator

from ... import core
from ..document import scope
from ..document.motion_changes import retime
from ..interface.operators.operator import SLIDING, MotionEditOperator
from ..interface.operators.slider_drag import Slider
from ..interface.shared_options import BREAKDOWNS, FREE_LENGTH, RANGE, REFERENCE, REFERENCE_ACTION, SOFTEN
from .settings import INFLUENCE, KEEP_UNLIKE, REFERENCE_END, REFERENCE_START, REFERENCES, SMOOTHNESS, SPEED_LIMIT

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Event, UILayout

    from ...core.guided_warp import Keytimes, WarpResult
    from ...core.motion import Motion
    from ..border.action_io import Clip, WriteReport
    from ..border.steps import Steps
    from ..interface.operators.operator import Carry
    from .warp import Guide

_FROM_PANEL = (
    "influence",
    "smoothness",
    "speed_limit",
    "reference",
    "reference_start",
    "reference_end",
    "keep_unlike",
)


class MOTIONEDIT_OT_warp_time(MotionEditOperator, Operator):
    """Retime the motion to a new length, preserving its dynamics"""

    bl_idname = "motion_editing.warp_time"
    bl_label = "Warp Time"
    bl_options = SLIDING
    verb = "Retimed"
    offers_keys = False
    offers_range = False
    any_object = True
    sliders = (Slider("length", unit="%", step=0.5, snap=5.0), Slider("influence", unit="%", step=1.0, snap=10.0))

    length: FloatProperty(
        name="Length",
        description="New length as a factor of the present one, unless keytimes are set",
        default=0.8,
        min=0.05,
        soft_max=3.0,
        subtype="FACTOR",
    )
    influence: FloatProperty(**INFLUENCE)
    smoothness: FloatProperty(**SMOOTHNESS)
    speed_limit: IntProperty(**SPEED_LIMIT)
    free_length: BoolProperty(**FREE_LENGTH, default=False)
    soften: BoolProperty(**SOFTEN, default=True)
    snap: BoolProperty(name="Snap Keys", description="Put sparse keys on whole frames", default=False)
    breakdowns: BoolProperty(**BREAKDOWNS, default=True)
    reference: EnumProperty(**REFERENCE, items=REFERENCES, default="SELF")
    reference_action: StringProperty(**REFERENCE_ACTION)
    reference_start: IntProperty(**REFERENCE_START)
    reference_end: IntProperty(**REFERENCE_END)
    keep_unlike: BoolProperty(**KEEP_UNLIKE)
    use_keytimes: BoolProperty(
        name="Use Keytimes", description="Hit the keytimes of the strip instead of using Length", default=True
    )
    range: EnumProperty(**RANGE, items=scope.RANGES, default="ACTION", options={"HIDDEN"})
    keep_as: StringProperty(name="Keep As", description="Save the time map under this name, to use it on others")

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start from the panel's choices; with keytimes there is nothing left to slide but the influence."""
        settings = scope.action_of(scope.armatures(context, any_object=True)[0]).motion_editing_time
        for name in _FROM_PANEL:
            setattr(self, name, getattr(settings, name))
        self.reference_action = settings.reference_action.name if settings.reference_action else ""
        self.free_length = settings.free_length and self.reference != "SELF"
        self.use_keytimes = len(settings.keytimes) > 1
        if self.use_keytimes or self.free_length:
            return self.execute(context)
        return super().invoke(context, event)

    def guide(self, speeds: tuple[float | None, ...] = ()) -> Guide:
        """The properties as core takes them."""
        from .warp import Guide

        options = core.guided_warp.GuidedWarpOptions(
            influence=self.influence,
            smoothness=self.smoothness,
            speed_limit=self.speed_limit,
            free_length=self.free_length,
            keep_unlike=self.keep_unlike and self.reference == "RANGE",
            speeds=speeds,
        )
        return Guide(options, self.reference, self.reference_action, self.reference_start, self.reference_end)

    def speeds(self, clip: Clip) -> tuple[float | None, ...]:
        """Speeds set at the keytimes, if those are used."""
        from .keytimes import speeds_of

        return speeds_of(clip.armature) if self.use_keytimes and self._has_keytimes(clip) else ()

    @staticmethod
    def _has_keytimes(clip: Clip) -> bool:
        return len(scope.action_of(clip.armature).motion_editing_time.keytimes) > 1

    def wanted(self, context: Context, clip: Clip) -> Keytimes:
        """The keytimes to hit."""
        from .keytimes import keytimes_of

        keytimes = keytimes_of(context, clip.armature)
        if self.use_keytimes and self._has_keytimes(clip):
            return keytimes
        # A whole number of frames, so that the last key lies on one.
        present, rate = float(keytimes.old[-1] - keytimes.old[0]), clip.motion.rate
        return keytimes.with_length(max(1, round(self.length * present * rate)) / rate)

    def preview_motion(self, context: Context, clip: Clip) -> Motion:
        """The warped motion for the present values."""
        return self._warped(context, clip).time_map.apply(clip.motion)

    def _warped(self, context: Context, clip: Clip) -> WarpResult:
        from .warp import warp

        return warp(context, clip, self.wanted(context, clip), self.guide(self.speeds(clip)))

    def plan(self, clip: Clip, joints: np.ndarray) -> Steps[Carry]:
        """Work out the map; keys and baked curves move through it."""
        from . import kept_maps
        from .keytimes import clear_keytimes

        yield 0.0
        result = self._warped(bpy.context, clip)

        def carry_out() -> WriteReport:
            report = retime(
                clip,
                result.time_map,
                joints,
                prefilter=self.soften,
                snap=self.snap,
                options=self.key_options() if self.breakdowns else None,
            )
            if self.keep_as:
                kept_maps.keep(clip.armature, self.keep_as, result.time_map)
            clear_keytimes(clip.armature)
            return report

        return carry_out

    def draw_own(self, layout: UILayout) -> None:
        """Length, guide and reference."""
        layout.prop(self, "use_keytimes")
        if not self.use_keytimes:
            layout.prop(self, "length")
        for name in ("influence", "smoothness", "speed_limit", "free_length", "soften", "snap", "breakdowns"):
            layout.prop(self, name)
        if self.breakdowns:
            layout.prop(self, "rotation_error")
            layout.prop(self, "location_error")
        layout.prop(self, "reference")
        if self.reference == "ACTION":
            layout.prop(self, "reference_action")
        if self.reference == "RANGE":
            layout.prop(self, "reference_start")
            layout.prop(self, "reference_end")
            layout.prop(self, "keep_unlike")
        layout.prop(self, "keep_as")


classes = (MOTIONEDIT_OT_warp_time,)
