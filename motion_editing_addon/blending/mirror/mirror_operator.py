"""Mirror Motion: left and right exchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty
from bpy.types import Operator

from ...interface.operators.operator import MotionEditOperator
from ...interface.shared_options import KEEP_CONTACTS

if TYPE_CHECKING:
    from bpy.types import UILayout

    from .mirror_run import MirrorRun

_ABOUT = (
    ("HEADING", "Heading", "Start at the same location with the same heading"),
    ("START", "Start", "Start at the same location; directions mirror about the rest pose"),
    ("REST", "Rest Pose", "Mirror locations and directions about the rest pose"),
)


class MOTIONEDIT_OT_mirror_motion(MotionEditOperator, Operator):
    """Swap left and right, for all bones or the selected ones"""

    bl_idname = "motion_editing.mirror_motion"
    bl_label = "Mirror Motion"
    verb = "Mirrored"

    about: EnumProperty(
        name="About", description="Location and heading of the mirrored character", items=_ABOUT, default="HEADING"
    )
    keep_contacts: BoolProperty(**KEEP_CONTACTS, default=False)

    def run(self) -> MirrorRun:
        """On the whole character, or what is picked and its other side."""
        from .mirror_run import MirrorRun

        return MirrorRun(self)

    def draw_own(self, layout: UILayout) -> None:
        """Where the mirrored character is, and whether contacts stay."""
        layout.prop(self, "about")
        layout.prop(self, "keep_contacts")


classes = (MOTIONEDIT_OT_mirror_motion,)
