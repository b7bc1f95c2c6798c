"""Filters: what is slow, what is quick, what lies between, and the mean around every moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import EnumProperty, FloatProperty, IntProperty
from bpy.types import Operator

from ..interface.operators.slider_drag import Slider
from ..interface.shared_options import CUTOFF
from .signal_operator import STRENGTH, FilterOperator, SignalOperator

if TYPE_CHECKING:
    import numpy as np

    from ...core.motion import Motion
    from ...core.numerics import LowPass
    from ..document.take.clip_facts import ClipFacts

_KINDS = (
    ("BUTTERWORTH", "Butterworth", "Flat below the cutoff and steep above, best for capture noise"),
    ("GAUSSIAN", "Gaussian", "Bell-shaped average, the softest, without overshoot"),
    ("BINOMIAL", "1-2-1", "Repeated average of each frame with its two neighbours"),
)
# Part of a filter's whole reach that most of its weight lies in.
_PEAK_REACH = 0.25
_STEEPNESS = "Steepness of the filter at the limit; higher cuts more sharply"


# What all frequencies have in common, in hertz.
_HERTZ = {"min": 0.01, "soft_min": 0.1, "max": 1000.0, "soft_max": 30.0, "step": 10, "precision": 2}


class MOTIONEDIT_OT_low_pass(FilterOperator, Operator):
    """Remove high-frequency noise and jitter"""

    bl_idname = "motion_editing.low_pass"
    bl_label = "Low Pass"
    verb = "Filtered"

    kind: EnumProperty(name="Filter", description="Type of the filter", items=_KINDS, default="BUTTERWORTH")
    cutoff: FloatProperty(**CUTOFF, default=6.0, **_HERTZ)
    steepness: IntProperty(name="Steepness", description=_STEEPNESS, default=2, min=1, max=8)
    width: FloatProperty(
        name="Width",
        description="Standard deviation of the bell, in seconds",
        default=0.08,
        min=0.001,
        max=60.0,
        soft_max=1.0,
        step=1,
        precision=3,
        unit="TIME_ABSOLUTE",
    )
    passes: IntProperty(name="Passes", description="Number of passes", default=4, min=1, max=10000, soft_max=100)

    _values = {"BUTTERWORTH": ("cutoff", "steepness"), "GAUSSIAN": ("width",), "BINOMIAL": ("passes",)}
    _sliders = {
        "BUTTERWORTH": Slider("cutoff", unit="Hz", step=0.1, snap=1),
        "GAUSSIAN": Slider("width", unit="s", step=0.01, snap=0.05),
        "BINOMIAL": Slider("passes", unit="", step=1, snap=5),
    }
    switches = {"F": "kind", **FilterOperator.switches}

    @property
    def sliders(self) -> tuple[Slider, ...]:
        """Value of the present kind of filter, and strength."""
        return self._sliders[self.kind], STRENGTH

    @property
    def own(self) -> tuple[str, ...]:
        """Values of the present kind of filter, and strength."""
        return (*self._values[self.kind], "strength")

    def switch(self, name: str) -> None:
        """Go on to the next kind of filter, with sliders of its own, or turn an option on or off."""
        if name != "kind":
            super().switch(name)
            return
        kinds = [kind for kind, _label, _text in _KINDS]
        self.kind = kinds[(kinds.index(self.kind) + 1) % len(kinds)]

    def filtered(self, motion: Motion, joints: np.ndarray) -> Motion:
        """What is slow."""
        from ...core.filters import filtered

        return filtered(motion, keep_below=self._response(motion), strength=self.strength, joints=joints)

    def reach(self, motion: Motion) -> float:
        """As far as most of the filter's weight reaches."""
        return _PEAK_REACH * self._response(motion).reach

    def _response(self, motion: Motion) -> LowPass:
        from ...core.numerics import binomial, butterworth, gaussian

        if self.kind == "GAUSSIAN":
            return gaussian(self.width)
        if self.kind == "BINOMIAL":
            return binomial(motion.rate, passes=self.passes)
        return butterworth(self.cutoff, order=self.steepness)


class MOTIONEDIT_OT_high_pass(FilterOperator, Operator):
    """Keep high-frequency movement around the mean pose"""

    bl_idname = "motion_editing.high_pass"
    bl_label = "High Pass"
    verb = "Filtered"
    own = ("cutoff", "steepness", "strength")
    sliders = (Slider("cutoff", unit="Hz", step=0.05, snap=0.5), STRENGTH)

    cutoff: FloatProperty(**CUTOFF, default=0.5, **_HERTZ)
    steepness: IntProperty(name="Steepness", description=_STEEPNESS, default=2, min=1, max=8)

    def filtered(self, motion: Motion, joints: np.ndarray) -> Motion:
        """What is quick."""
        from ...core.filters import filtered
        from ...core.numerics import butterworth

        slow = butterworth(self.cutoff, order=self.steepness)
        return filtered(motion, keep_above=slow, strength=self.strength, joints=joints)

    def reach(self, _motion: Motion) -> float:
        """A part of the slowest swing that stays."""
        return 0.5 / self.cutoff


class MOTIONEDIT_OT_band_pass(FilterOperator, Operator):
    """Keep movement between two frequencies around the mean pose"""

    bl_idname = "motion_editing.band_pass"
    bl_label = "Band Pass"
    verb = "Filtered"
    own = ("lowest", "highest", "steepness", "strength")
    sliders = (
        Slider("lowest", unit="Hz", step=0.05, snap=0.5),
        Slider("highest", unit="Hz", step=0.1, snap=1),
        STRENGTH,
    )

    lowest: FloatProperty(
        name="Lowest", description="Remove movement below this frequency in hertz", default=0.3, **_HERTZ
    )
    highest: FloatProperty(
        name="Highest", description="Remove movement above this frequency in hertz", default=6.0, **_HERTZ
    )
    steepness: IntProperty(name="Steepness", description=_STEEPNESS, default=2, min=1, max=8)

    def filtered(self, motion: Motion, joints: np.ndarray) -> Motion:
        """What lies between."""
        from ...core.errors import MotionEditError
        from ...core.filters import filtered
        from ...core.numerics import butterworth

        if self.lowest >= self.highest:
            raise MotionEditError(f"Lowest ({self.lowest:.2f} Hz) must be below Highest ({self.highest:.2f} Hz)")
        slow, fast = (butterworth(cutoff, order=self.steepness) for cutoff in (self.lowest, self.highest))
        return filtered(motion, keep_below=fast, keep_above=slow, strength=self.strength, joints=joints)

    def reach(self, _motion: Motion) -> float:
        """A part of the quickest swing that stays."""
        return 0.5 / self.highest


class MOTIONEDIT_OT_smooth(FilterOperator, Operator):
    """Average rotations, locations and scales over time"""

    bl_idname = "motion_editing.smooth"
    bl_label = "Smooth Motion"
    verb = "Smoothed"
    own = ("radius", "strength")
    sliders = (Slider("radius", unit="s", step=0.01, snap=0.05), STRENGTH)

    radius: FloatProperty(
        name="Radius",
        description="Seconds on each side to average",
        default=0.1,
        min=0.0,
        max=60.0,
        soft_max=1.0,
        step=1,
        precision=3,
        unit="TIME_ABSOLUTE",
    )

    def filtered(self, motion: Motion, joints: np.ndarray) -> Motion:
        """The mean around every moment."""
        from ...core.motion import smooth

        return smooth(motion, radius=self.radius, strength=self.strength, joints=joints)

    def reach(self, _motion: Motion) -> float:
        """The radius."""
        return self.radius


class MOTIONEDIT_OT_remove_outliers(SignalOperator, Operator):
    """Replace each pose with the median of its neighbours"""

    bl_idname = "motion_editing.remove_outliers"
    bl_label = "Remove Outliers"
    verb = "Cleaned"
    own = ("kind", "radius")
    sliders = (Slider("radius", unit="frames", step=1, snap=5),)

    kind: EnumProperty(
        name="Method",
        description="How the new pose is computed",
        items=(
            ("MEDIAN", "Median", "Pose in the middle of its neighbours, keeping sharp edges"),
            ("TRIMMED", "Trimmed Mean", "Average of the neighbours without the two farthest, smoother"),
        ),
        default="MEDIAN",
    )
    radius: IntProperty(name="Radius", description="Frames on each side", default=2, min=0, max=100, soft_max=20)

    def change(self, facts: ClipFacts, joints: np.ndarray) -> Motion:
        """Medians or trimmed means."""
        from ...core.cleaning import median_filtered, trimmed_mean

        if self.kind == "MEDIAN":
            return median_filtered(facts.clip.motion, radius=self.radius, joints=joints)
        return trimmed_mean(facts.clip.motion, radius=self.radius, dropped=min(2, self.radius), joints=joints)


classes = (
    MOTIONEDIT_OT_smooth,
    MOTIONEDIT_OT_low_pass,
    MOTIONEDIT_OT_high_pass,
    MOTIONEDIT_OT_band_pass,
    MOTIONEDIT_OT_remove_outliers,
)
