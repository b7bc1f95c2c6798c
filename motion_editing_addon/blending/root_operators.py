"""The way over the ground: taken out, led along a curve, turned."""

from __future__ import annotations

from math import radians
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Operator

from ... import core
from ...core.errors import MotionEditError
from ..document import scope
from ..interface.operators.operator import SLIDING, MotionEditOperator
from ..interface.operators.slider_drag import Slider
from ..interface.operators.whole_character import WholeCharacter
from ..interface.shared_options import FOLLOWED_CURVE, KEEP_CONTACTS, SHORT_SWAY

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Event, UILayout

    from ...core.motion import GroundMove
    from ..document.take.clip_take import ClipTake
    from .runs.ground_run import GroundRun


class GroundEdit(WholeCharacter):
    """Mixin of tools that carry the character over the ground. A tool names its `own` properties and tells `move`."""

    own = ()  # type: tuple[str, ...]

    keep_contacts: BoolProperty(**KEEP_CONTACTS, default=False)

    def run(self) -> GroundRun:
        """On the whole character."""
        from .runs.ground_run import GroundRun

        return GroundRun(self)

    def move(self, take: ClipTake) -> GroundMove:
        """Where the character is carried in every frame."""
        raise NotImplementedError

    def draw_own(self, layout: UILayout) -> None:
        """The tool's own properties, and whether contacts stay."""
        for name in (*self.own, "keep_contacts"):
            layout.prop(self, name)


_SWAY = {"min": 0.0, "soft_max": 2.0, "unit": "TIME_ABSOLUTE"}


class MOTIONEDIT_OT_in_place(GroundEdit, MotionEditOperator, Operator):
    """Remove root motion so that the character stays where it starts"""

    bl_idname = "motion_editing.in_place"
    bl_label = "In Place"
    verb = "Put in place"
    own = ("keep_turn", "keep_bob", "sway")

    keep_turn: BoolProperty(name="Keep Turn", description="Keep the rotation of the character", default=True)
    keep_bob: BoolProperty(name="Keep Height", description="Keep the height of the root", default=True)
    sway: FloatProperty(**SHORT_SWAY, default=0.0, **_SWAY)

    def move(self, take: ClipTake) -> GroundMove:
        """Back to the start."""
        options = {"keep_turn": self.keep_turn, "keep_bob": self.keep_bob, "sway": self.sway}
        return core.root_motion.in_place(take.carried, take.body, **options)


class MOTIONEDIT_OT_follow_curve(GroundEdit, MotionEditOperator, Operator):
    """Lead the character along a curve, keeping the length of its steps"""

    bl_idname = "motion_editing.follow_curve"
    bl_label = "Follow Curve"
    verb = "Led along a curve"
    own = ("fit_length", "turn", "sway")

    curve: StringProperty(**FOLLOWED_CURVE)
    fit_length: BoolProperty(
        name="Fit Length",
        description="Scale the steps so that the travel ends where the curve does",
        default=False,
    )
    turn: BoolProperty(name="Turn", description="Turn the character with the curve", default=True)
    sway: FloatProperty(**SHORT_SWAY, default=0.3, **_SWAY)

    def move(self, take: ClipTake) -> GroundMove:
        """Along the curve."""
        from ..border.curve_points import points_of

        points = points_of(self._curve_name())
        options = {"fit_length": self.fit_length, "turn": self.turn, "sway": self.sway}
        return core.root_motion.along_curve(take.carried, take.body, points, **options)

    def _curve_name(self) -> str:
        if not self.curve:
            chosen = bpy.context.scene.motion_editing_blend_loop.curve
            picked = [each for each in bpy.context.selected_objects if each.type == "CURVE"]
            found = chosen or next(iter(picked), None)
            self.curve = found.name if found is not None else ""
        return self.curve

    def draw_own(self, layout: UILayout) -> None:
        """The curve first."""
        layout.prop_search(self, "curve", bpy.data, "objects", icon="OUTLINER_OB_CURVE")
        super().draw_own(layout)


class MOTIONEDIT_OT_change_heading(GroundEdit, MotionEditOperator, Operator):
    """Turn the character and its root motion, at once or gradually"""

    bl_idname = "motion_editing.change_heading"
    bl_label = "Change Heading"
    bl_options = SLIDING
    verb = "Turned"
    own = ("angle", "bend_path", "gradual")
    sliders = (Slider("angle", unit="°", step=1, snap=5),)

    angle: FloatProperty(
        name="Angle",
        description="Angle to turn, anticlockwise seen from above",
        default=0.0,
        soft_min=radians(-180.0),
        soft_max=radians(180.0),
        subtype="ANGLE",
    )
    bend_path: BoolProperty(name="Turn Path", description="Turn the root motion too, not only the figure", default=True)
    gradual: BoolProperty(name="Gradual", description="Turn gradually between two frames")
    start_frame: IntProperty(name="Start", description="Scene frame at which the turn starts", default=1)
    end_frame: IntProperty(name="End", description="Scene frame at which the turn is complete", default=25)

    def move(self, take: ClipTake) -> GroundMove:
        """The turn of every frame."""
        angles = self.angle * self._shares(take)
        return core.root_motion.heading_change(take.carried, take.body, angles, bend_path=self.bend_path)

    def switches(self) -> dict[str, str]:
        """Contacts."""
        return {"C": "keep_contacts"}

    def _shares(self, take: ClipTake) -> float | np.ndarray:
        """Share of the turn, for all frames or (F,)."""
        if not self.gradual:
            return 1.0

        if self.end_frame <= self.start_frame:
            raise MotionEditError(f"End ({self.end_frame}) must be after Start ({self.start_frame})")
        start, end = (scope.from_scene(take.clip.armature, each) for each in (self.start_frame, self.end_frame))
        return core.numerics.ease(((take.clip.frames - start) / (end - start)).clip(0.0, 1.0))

    def invoke(self, context: Context, event: Event) -> set[str]:
        """A gradual turn begins at the current frame unless told otherwise."""
        if not self.properties.is_property_set("start_frame"):
            self.start_frame = context.scene.frame_current
            self.end_frame = self.start_frame + max(1, round(scope.scene_rate(context)))
        return super().invoke(context, event)

    def draw_own(self, layout: UILayout) -> None:
        """Frames only where they count."""
        for name in (*self.own, *(("start_frame", "end_frame") if self.gradual else ()), "keep_contacts"):
            layout.prop(self, name)


classes = (MOTIONEDIT_OT_in_place, MOTIONEDIT_OT_follow_curve, MOTIONEDIT_OT_change_heading)
