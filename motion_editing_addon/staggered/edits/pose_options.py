"""What every edit of staggered poses has in common: its options, and how it is run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, IntProperty

from ....core import staggered
from ....core.editing import options_of
from ...document import scope
from ...interface.shared_options import ALL_POSES, KEEP_CONTACTS, POSE_NUMBER, RANGE
from ..operators import NeedsPoses
from . import poses_run

if TYPE_CHECKING:
    from bpy.types import Context, UILayout

    from ....core.staggered import StaggeredMotion
    from ..keyed.keyed_handles import Shaping
    from .poses_run import Target


class PoseEdit:
    """Mixin of edits of staggered poses: what an operator's tool does to them, which of them, and contacts."""

    offers_range = False
    changes_timing = False
    leaves_planted = False

    range: EnumProperty(**RANGE, items=scope.RANGES, default="ACTION", options={"HIDDEN"})
    pose: IntProperty(**POSE_NUMBER, default=-1, min=-1)
    all_poses: BoolProperty(**ALL_POSES, default=False)
    keep_contacts: BoolProperty(**KEEP_CONTACTS, default=True)

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs poses."""
        return NeedsPoses.why_not(context)

    def run(self) -> poses_run.PosesRun:
        """On the poses of the active armature."""
        return poses_run.PosesRun(self)

    def change(self, target: Target) -> StaggeredMotion:
        """The poses after the edit."""
        edited: StaggeredMotion = self.present_tool().apply(target)
        return edited

    def examine(self, target: Target) -> None:
        """Raise if no value of the sliders could help."""

    def shaping(self, _target: Target) -> Shaping | None:
        """What becomes of the handles of keys, if that is all that changes."""
        return None

    def changes_values(self) -> bool:
        """Whether the edit changes what poses look like, not only when they happen."""
        return True

    def draw_own(self, layout: UILayout) -> None:
        """The tool's own properties, which poses, and contacts."""
        for name in (*options_of(self.tool), "all_poses", "keep_contacts"):
            layout.prop(self, name)


class TimingEdit(PoseEdit):
    """Mixin of edits of timing, which may uncover noise that joints in a row have hidden."""

    changes_timing = True

    whole_frames: BoolProperty(
        name="Whole Frames", description="Put hand-set keys that move on whole frames", default=True
    )
    smooth_first: BoolProperty(
        name="Smooth First",
        description="Smooth the chosen bones before retiming, against capture noise",
        default=False,
    )

    def changes_values(self) -> bool:
        """Only where bones are smoothed."""
        return bool(self.smooth_first)

    def change(self, target: Target) -> StaggeredMotion:
        """The poses after the edit; where they are hand-set keys, these stay on whole frames if that is wanted."""
        model = super().change(target)
        if not (self.whole_frames and target.session.from_keys):
            return model
        return staggered.on_whole_frames(model, target.model)

    def draw_own(self, layout: UILayout) -> None:
        """The switches of timing besides what all edits have."""
        super().draw_own(layout)
        layout.prop(self, "whole_frames")
        layout.prop(self, "smooth_first")
