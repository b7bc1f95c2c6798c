"""Changing what poses look like by numbers: pushing them apart, and the detail between them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, FloatProperty
from bpy.types import Operator

from ... import core
from ..border.key_options import AUTOMATIC
from ..document import scope
from ..interface.operators.operator import SLIDING, MotionEditOperator
from ..interface.operators.slider_drag import Slider
from .edits.pose_options import PoseEdit

if TYPE_CHECKING:
    from bpy.types import Context

    from ...core.staggered import StaggeredMotion
    from .edits.poses_run import Target
    from .keyed.keyed_handles import Shaping

_REFERENCES = (
    ("PREVIOUS", "Previous Pose", "Push the pose away from the one before it"),
    ("NEXT", "Next Pose", "Push the pose away from the one after it"),
    ("AVERAGE", "Average Pose", "Push the pose away from the average of all poses"),
)

_SHAPES = (
    ("AUTO", "Auto", "Pass through the pose smoothly"),
    ("STRAIGHT", "Straight", "Point at the poses before and after"),
    ("FLAT", "Flat", "Ease to a stop in the pose"),
)
_SIDES = (
    ("BOTH", "Both", "Set both tangents"),
    ("ARRIVING", "Ease In", "Set only the tangent into the pose"),
    ("LEAVING", "Ease Out", "Set only the tangent out of the pose"),
)


class MOTIONEDIT_OT_exaggerate_pose(PoseEdit, MotionEditOperator, Operator):
    """Push the pose away from another one, or closer to it"""

    bl_idname = "motion_editing.exaggerate_pose"
    bl_label = "Exaggerate Pose"
    bl_options = SLIDING
    own = ("weight", "against", "true_pose")
    verb = "Exaggerated"
    sliders = (Slider("weight", unit="%", step=0.01, snap=0.1),)

    weight: FloatProperty(
        name="Weight",
        description="0 changes nothing, 1 doubles the difference, -1 is the other pose",
        default=0.25,
        soft_min=-1.0,
        soft_max=2.0,
    )
    against: EnumProperty(name="Against", description="Pose to push away from", items=_REFERENCES, default="AVERAGE")
    true_pose: BoolProperty(
        name="True Pose",
        description="Compare the poses as shown, not the extremes of each bone",
        default=False,
    )

    def change(self, target: Target) -> StaggeredMotion:
        """Along the difference from the reference."""
        return core.staggered.exaggerate(
            target.model,
            self.weight,
            against=self.against,
            poses=target.poses,
            joints=target.joints_in_place(),
            true_poses=self.true_pose,
        )


class MOTIONEDIT_OT_detail_strength(PoseEdit, MotionEditOperator, Operator):
    """Scale the detail between this pose and the next"""

    bl_idname = "motion_editing.detail_strength"
    bl_label = "Detail Strength"
    bl_options = SLIDING
    own = ("strength",)
    verb = "Changed the detail of"
    sliders = (Slider("strength", unit="%", step=0.01, snap=0.1),)

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs something between the poses."""
        reason = PoseEdit.why_not(context)
        if reason is None and scope.action_of(context.object).motion_editing_staggered.holds_all_keys:
            return "Every key belongs to a pose, so there is no detail between them: lower Poses Shown first"
        return reason

    strength: FloatProperty(
        name="Strength",
        description="Factor of the detail; 0 is bare splines, 1 changes nothing",
        default=0.5,
        min=0.0,
        soft_max=2.0,
    )

    def change(self, target: Target) -> StaggeredMotion:
        """Scale the displacement maps."""
        return core.staggered.with_detail_strength(
            target.model, self.strength, poses=target.poses, joints=target.joints
        )


def _shapes_handles(target: Target, keying: str) -> bool:
    """Whether the keys stay and only their handles change."""
    return target.session.from_keys and keying == AUTOMATIC


class MOTIONEDIT_OT_ease_pose(PoseEdit, MotionEditOperator, Operator):
    """Change how the motion eases in and out of the pose"""

    bl_idname = "motion_editing.ease_pose"
    bl_label = "Ease Pose"
    bl_options = SLIDING
    verb = "Eased"
    own = ("arriving", "leaving")
    sliders = (Slider("arriving", unit="%", step=0.01, snap=0.1), Slider("leaving", unit="%", step=0.01, snap=0.1))

    arriving: FloatProperty(
        name="Ease In",
        description="Factor on the tangents into the pose; 0 comes to rest",
        default=0.5,
        min=0.0,
        soft_max=3.0,
    )
    leaving: FloatProperty(
        name="Ease Out",
        description="Factor on the tangents out of the pose; 0 starts from rest",
        default=0.5,
        min=0.0,
        soft_max=3.0,
    )

    def change(self, target: Target) -> StaggeredMotion:
        """Scale the tangents."""
        return core.staggered.with_scaled_tangents(
            target.model, arriving=self.arriving, leaving=self.leaving, poses=target.poses, joints=target.joints
        )

    def shaping(self, target: Target) -> Shaping | None:
        """Scale the slopes of hand-keyed motion."""
        from ..border.action_io.curves.handles import with_scaled_slopes

        if not _shapes_handles(target, self.keying):
            return None
        return partial(with_scaled_slopes, arriving=self.arriving, leaving=self.leaving)


class MOTIONEDIT_OT_set_tangents(PoseEdit, MotionEditOperator, Operator):
    """Set the tangents into and out of the pose"""

    bl_idname = "motion_editing.set_tangents"
    bl_label = "Set Tangents"
    bl_options = SLIDING
    verb = "Set the tangents of"
    own = ("shape", "side", "arriving", "leaving")
    sliders = (Slider("arriving", unit="%", step=0.01, snap=0.1), Slider("leaving", unit="%", step=0.01, snap=0.1))

    shape: EnumProperty(name="Shape", description="Shape of the tangents", items=_SHAPES, default="AUTO")
    side: EnumProperty(name="Side", description="Tangents to set", items=_SIDES, default="BOTH")
    arriving: FloatProperty(
        name="Ease In Length",
        description="Length of the tangent into the pose; 1 is even, 0 comes to rest",
        default=1.0,
        min=0.0,
        soft_max=3.0,
    )
    leaving: FloatProperty(
        name="Ease Out Length",
        description="Length of the tangent out of the pose; 1 is even, 0 is from rest",
        default=1.0,
        min=0.0,
        soft_max=3.0,
    )

    def change(self, target: Target) -> StaggeredMotion:
        """Replace the tangents."""
        shape, lengths = self.shape.lower(), self._lengths()
        return core.staggered.with_shaped_tangents(
            target.model, shape, **lengths, poses=target.poses, joints=target.joints
        )

    def shaping(self, target: Target) -> Shaping | None:
        """Replace the handles of hand-keyed motion."""
        from ..border.action_io.curves.handles import with_shape

        if not _shapes_handles(target, self.keying):
            return None
        return partial(with_shape, shape=self.shape.lower(), **self._lengths())

    def _lengths(self) -> dict[str, float | None]:
        """Of both tangents; none of a side that is left."""
        return {
            "arriving": None if self.side == "LEAVING" else self.arriving,
            "leaving": None if self.side == "ARRIVING" else self.leaving,
        }


classes = (
    MOTIONEDIT_OT_exaggerate_pose,
    MOTIONEDIT_OT_detail_strength,
    MOTIONEDIT_OT_ease_pose,
    MOTIONEDIT_OT_set_tangents,
)
