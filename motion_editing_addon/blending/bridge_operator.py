"""Bridge Gap: new poses over frames that are wrong, or between two parts that do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty
from bpy.types import Operator

from ..document import scope
from ..interface.operators.operator import MotionEditOperator
from ..interface.shared_options import KEEP_CONTACTS, RANGE

if TYPE_CHECKING:
    from bpy.types import UILayout

    from .runs.bridge_run import BridgeRun


class MOTIONEDIT_OT_bridge_gap(MotionEditOperator, Operator):
    """Interpolate over the range from its first pose to its last"""

    bl_idname = "motion_editing.bridge_gap"
    bl_label = "Bridge Gap"
    verb = "Bridged"

    range: EnumProperty(**RANGE, items=scope.RANGES, default="KEYS")
    carry: BoolProperty(
        name="Carry the Rest",
        description="Move what follows, so that the character keeps its speed",
        default=False,
    )

    keep_contacts: BoolProperty(**KEEP_CONTACTS, default=False)

    def run(self) -> BridgeRun:
        """On the range within the whole action."""
        from .runs.bridge_run import BridgeRun

        return BridgeRun(self)

    def draw_own(self, layout: UILayout) -> None:
        """What follows, and whether contacts stay."""
        layout.prop(self, "carry")
        layout.prop(self, "keep_contacts")


classes = (MOTIONEDIT_OT_bridge_gap,)
