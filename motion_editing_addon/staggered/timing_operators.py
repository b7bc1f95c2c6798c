"""Changing when poses and their parts happen, with the mouse or by numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Operator

from ... import core
from ..interface.operators.operator import SLIDING, MotionEditOperator
from ..interface.operators.slider_drag import Slider
from ..interface.shared_options import ALL_POSES, NEW_FRAME
from .edits.pose_options import TimingEdit

if TYPE_CHECKING:
    from bpy.types import Context

    from ...core.staggered import StaggeredMotion
    from .edits.poses_run import Target


class MOTIONEDIT_OT_succession(TimingEdit, MotionEditOperator, Operator):
    """Delay each bone down the chain from the active bone"""

    bl_idname = "motion_editing.succession"
    bl_label = "Succession"
    bl_options = SLIDING
    own = ("offset", "power", "bone")
    verb = "Staggered"
    sliders = (Slider("offset", unit="s", step=0.002, snap=0.01), Slider("power", step=0.01, snap=0.1))

    offset: FloatProperty(
        name="Offset",
        description="Delay of the first bone in seconds; negative makes the ends lead",
        default=0.04,
        soft_min=-0.2,
        soft_max=0.2,
        precision=3,
    )
    power: FloatProperty(
        name="Power",
        description="1 is an even succession; more adds drag towards the ends",
        default=1.0,
        min=0.1,
        soft_max=3.0,
    )
    bone: StringProperty(name="From Bone", description="Bone at the start of the chain; the active bone if empty")

    def examine(self, target: Target) -> None:
        """Refuse at once where there is no bone to start from."""
        target.joint_named(self.bone)

    def change(self, target: Target) -> StaggeredMotion:
        """Late by offset x depth to the power."""
        start = target.joint_named(self.bone)
        return core.staggered.succession(
            target.model, start, self.offset, exponent=self.power, poses=target.poses, joints=target.joints
        )


class MOTIONEDIT_OT_random_stagger(TimingEdit, MotionEditOperator, Operator):
    """Offset each bone of the pose by a random time"""

    bl_idname = "motion_editing.random_stagger"
    bl_label = "Random Stagger"
    bl_options = SLIDING
    own = ("reach", "seed")
    verb = "Staggered"
    sliders = (Slider("reach", unit="s", step=0.002, snap=0.01),)

    reach: FloatProperty(
        name="Reach", description="Largest time offset in seconds", default=0.05, min=0.0, soft_max=0.25, precision=3
    )
    seed: IntProperty(name="Seed", description="Random seed", default=0, min=0)

    def change(self, target: Target) -> StaggeredMotion:
        """Evenly spread within the reach."""
        return core.staggered.random_stagger(
            target.model, self.reach, seed=self.seed, poses=target.poses, joints=target.joints
        )


class MOTIONEDIT_OT_scale_stagger(TimingEdit, MotionEditOperator, Operator):
    """Scale the overlap of the pose; Re-stagger restores it from 0"""

    bl_idname = "motion_editing.scale_stagger"
    bl_label = "Scale Stagger"
    bl_options = SLIDING
    own = ("factor",)
    verb = "Staggered"
    sliders = (Slider("factor", unit="%", step=0.01, snap=0.1),)

    factor: FloatProperty(
        name="Factor",
        description="1 changes nothing, 2 doubles the overlap, 0 removes it",
        default=1.5,
        min=0.0,
        soft_max=3.0,
    )

    def change(self, target: Target) -> StaggeredMotion:
        """Scale the refinements."""
        return core.staggered.scale_stagger(target.model, self.factor, poses=target.poses, joints=target.joints)


class MOTIONEDIT_OT_unstagger(TimingEdit, MotionEditOperator, Operator):
    """Align all bones of the pose in time; Re-stagger restores it"""

    bl_idname = "motion_editing.unstagger"
    bl_label = "Un-stagger"
    verb = "Un-staggered"

    def change(self, target: Target) -> StaggeredMotion:
        """Collapse the refinements."""
        return core.staggered.scale_stagger(target.model, 0.0, poses=target.poses, joints=target.joints)


class MOTIONEDIT_OT_restagger(TimingEdit, MotionEditOperator, Operator):
    """Restore the overlap that Un-stagger removed"""

    bl_idname = "motion_editing.restagger"
    bl_label = "Re-stagger"
    verb = "Re-staggered"

    def change(self, target: Target) -> StaggeredMotion:
        """Use the remembered refinements again."""
        return core.staggered.restagger(target.model, poses=target.poses, joints=target.joints)


class MOTIONEDIT_OT_copy_stagger(TimingEdit, MotionEditOperator, Operator):
    """Copy the overlap of the active pose to all other poses"""

    bl_idname = "motion_editing.copy_stagger"
    bl_label = "Copy Stagger"
    own = ("mirror",)
    verb = "Staggered"

    all_poses: BoolProperty(**ALL_POSES, default=True, options={"HIDDEN"})
    mirror: BoolProperty(name="Mirror", description="Swap left and right", default=False)

    def change(self, target: Target) -> StaggeredMotion:
        """Copy to all others."""
        mirror = target.body().mirror if self.mirror else None
        return core.staggered.copy_stagger(target.model, target.active, joints=target.joints, mirror=mirror)


class MOTIONEDIT_OT_retime_pose(TimingEdit, MotionEditOperator, Operator):
    """Move the pose or one of its bones to another frame"""

    bl_idname = "motion_editing.retime_pose"
    bl_label = "Retime Pose"
    own = ("frame", "bone")
    verb = "Retimed"

    frame: FloatProperty(**NEW_FRAME, default=1.0)
    bone: StringProperty(name="Bone", description="Only this bone; the whole pose if empty")

    def invoke(self, context: Context, event: object) -> set[str]:
        """Start from the current frame."""
        self.frame = context.scene.frame_current_final
        return super().invoke(context, event)

    def change(self, target: Target) -> StaggeredMotion:
        """Move the pose or the knot."""
        time = target.seconds(self.frame)
        if not self.bone:
            self._tell_limits(target, time)
            return core.staggered.retime(target.model, target.active, time)
        late = time - float(target.model.pose_times[target.active])
        joint = target.joint_named(self.bone)
        return core.staggered.with_refinements(target.model, late, poses=[target.active], joints=[joint])

    def _tell_limits(self, target: Target, time: float) -> None:
        """Say so where a neighbouring pose stops this one."""
        earliest, latest = core.staggered.time_limits(target.model, target.active)
        if earliest <= time <= latest:
            return
        word, limit, other = ("later", latest, 2) if time > latest else ("earlier", earliest, 0)
        text = f"Pose {target.active + 1} can go no {word} than frame {target.scene_frame(limit):.1f}"
        others = 0 < target.active + other <= len(target.model)
        self.report({"WARNING"}, f"{text}: pose {target.active + other} is there" if others else text)


classes = (
    MOTIONEDIT_OT_succession,
    MOTIONEDIT_OT_random_stagger,
    MOTIONEDIT_OT_scale_stagger,
    MOTIONEDIT_OT_unstagger,
    MOTIONEDIT_OT_restagger,
    MOTIONEDIT_OT_copy_stagger,
    MOTIONEDIT_OT_retime_pose,
)
