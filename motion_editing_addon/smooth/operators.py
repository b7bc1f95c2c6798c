"""Operators that take noise out of a motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import FloatProperty
from bpy.types import Operator

from ..modal_slider import ModalSliderOperator
from ..slider_drag import Slider

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import UILayout

    from ...core.motion import Motion


class MOTIONEDIT_OT_smooth(ModalSliderOperator, Operator):
    """Average rotations, locations and scales of the chosen bones over time; the ends of the range stay."""

    bl_idname = "motion_editing.smooth"
    bl_label = "Smooth Motion"
    verb = "Smoothed"
    sliders = (Slider("radius", unit="s", step=0.01, snap=0.05), Slider("strength", unit="%", step=1, snap=10))

    radius: FloatProperty(
        name="Radius",
        description="Seconds on each side that are averaged; shorter waves than this are gone",
        default=0.1,
        min=0.0,
        max=60.0,
        soft_max=1.0,
        step=1,
        precision=3,
        unit="TIME_ABSOLUTE",
    )
    strength: FloatProperty(
        name="Strength",
        description="How much of the average is taken",
        default=1.0,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
    )

    def edit(self, motion: Motion, joints: np.ndarray) -> Motion:
        """The smoothed motion."""
        from ...core.smoothing import smooth

        return smooth(motion, radius=self.radius, strength=self.strength, joints=joints)

    def draw_own(self, layout: UILayout) -> None:
        """Radius and strength."""
        layout.prop(self, "radius")
        layout.prop(self, "strength")


classes = (MOTIONEDIT_OT_smooth,)
