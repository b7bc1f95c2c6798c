"""Wave shaping: how far joints turn away from a pose, made more, less or limited."""

from __future__ import annotations

from math import radians
from typing import TYPE_CHECKING

from bpy.props import EnumProperty, FloatProperty
from bpy.types import Operator

from ..interface.operators.slider_drag import Slider
from .signal_operator import SignalOperator

if TYPE_CHECKING:
    import numpy as np

    from ...core.motion import Motion
    from ..document.take.clip_facts import ClipFacts

_POSES = (
    ("MEAN", "Mean Pose", "Average pose of the range"),
    ("FRAME", "Current Frame", "Pose at the current frame"),
    ("REST", "Rest Pose", "Rest pose of the armature"),
)


class ShapingOperator(SignalOperator):
    """Mixin of tools that change how far joints turn from a pose. A tool implements `shaped`."""

    about: EnumProperty(
        name="About", description="Pose from which rotations are measured", items=_POSES, default="MEAN"
    )

    def shaped(self, motion: Motion, about: Motion | None, joints: np.ndarray) -> Motion:
        """The shaped motion; `about` is the pose as a motion of one frame, None for the mean."""
        raise NotImplementedError

    def change(self, facts: ClipFacts, joints: np.ndarray) -> Motion:
        """Shape all but the root's travel, unless bones are picked."""
        return self.shaped(facts.clip.motion, facts.reference_pose(self.about), facts.without_root(joints))


class MOTIONEDIT_OT_exaggerate_motion(ShapingOperator, Operator):
    """Rotate every bone further away from a pose, or closer to it"""

    bl_idname = "motion_editing.exaggerate_motion"
    bl_label = "Exaggerate Motion"
    verb = "Exaggerated"
    own = ("amount", "about")
    sliders = (Slider("amount", unit="%", step=1, snap=10),)

    amount: FloatProperty(
        name="Amount",
        description="Factor of all angles; 1 changes nothing, 0 holds the pose",
        default=1.2,
        min=-2.0,
        max=5.0,
        soft_min=0.0,
        soft_max=3.0,
        subtype="FACTOR",
    )

    def shaped(self, motion: Motion, about: Motion | None, joints: np.ndarray) -> Motion:
        """All angles times a factor."""
        from ...core.filters import exaggerated

        return exaggerated(motion, self.amount, about=about, joints=joints)


class MOTIONEDIT_OT_soft_limit(ShapingOperator, Operator):
    """Limit the rotation of bones from a pose, without abrupt stops"""

    bl_idname = "motion_editing.soft_limit"
    bl_label = "Soft Limit"
    verb = "Limited"
    own = ("limit", "softness", "about")
    sliders = (Slider("limit", unit="°", step=1, snap=5), Slider("softness", unit="%", step=1, snap=10))

    limit: FloatProperty(
        name="Limit",
        description="Largest angle from the pose",
        default=radians(45.0),
        min=0.0,
        max=radians(360.0),
        soft_max=radians(180.0),
        subtype="ANGLE",
    )
    softness: FloatProperty(
        name="Softness",
        description="Part of the limit over which bones slow down; 0 stops abruptly",
        default=0.3,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
    )

    def shaped(self, motion: Motion, about: Motion | None, joints: np.ndarray) -> Motion:
        """Angles that come to rest below the limit."""
        from ...core.filters import soft_limited

        return soft_limited(motion, self.limit, softness=self.softness, about=about, joints=joints)


class MOTIONEDIT_OT_compress_range(ShapingOperator, Operator):
    """Reduce large rotations away from a pose and keep small ones"""

    bl_idname = "motion_editing.compress_range"
    bl_label = "Compress Range"
    verb = "Compressed"
    own = ("threshold", "ratio", "knee", "about")
    sliders = (Slider("ratio", unit="", step=0.05, snap=0.5), Slider("threshold", unit="°", step=1, snap=5))

    threshold: FloatProperty(
        name="Threshold",
        description="Angle from the pose below which nothing changes",
        default=radians(20.0),
        min=0.0,
        max=radians(360.0),
        soft_max=radians(180.0),
        subtype="ANGLE",
    )
    ratio: FloatProperty(
        name="Ratio",
        description="Divisor of what exceeds the threshold; below 1 it grows",
        default=2.0,
        min=0.1,
        max=100.0,
        soft_min=0.5,
        soft_max=10.0,
    )
    knee: FloatProperty(
        name="Knee",
        description="Angle over which the compression eases in; 0 is a corner",
        default=0.2,
        min=0.0,
        max=radians(180.0),
        subtype="ANGLE",
    )

    def shaped(self, motion: Motion, about: Motion | None, joints: np.ndarray) -> Motion:
        """Large angles made smaller."""
        from ...core.filters import compressed

        return compressed(
            motion, threshold=self.threshold, ratio=self.ratio, knee=self.knee, about=about, joints=joints
        )


classes = (MOTIONEDIT_OT_exaggerate_motion, MOTIONEDIT_OT_soft_limit, MOTIONEDIT_OT_compress_range)
