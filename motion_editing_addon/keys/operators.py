"""Operators that change how a motion is keyed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import EnumProperty
from bpy.types import Operator

from ..border.key_options import EVERY_FRAME, KEY_CHOICES, REDUCED
from ..interface.operators.operator import MotionEditOperator
from ..interface.shared_options import KEYING

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import UILayout

    from ..border.action_io import Clip
    from ..border.steps import Steps
    from ..interface.operators.operator import Carry


_DENSITIES = tuple(choice for choice in KEY_CHOICES if choice[0] in (EVERY_FRAME, REDUCED))


class MOTIONEDIT_OT_convert_keys(MotionEditOperator, Operator):
    """Key the motion on every frame, or with few Bézier keys"""

    bl_idname = "motion_editing.convert_keys"
    bl_label = "Convert Keys"
    verb = "Converted"

    keying: EnumProperty(**KEYING, items=_DENSITIES, default=REDUCED)

    def plan(self, clip: Clip, joints: np.ndarray) -> Steps[Carry]:
        """Key the chosen bones anew."""
        from ..border import action_io

        return (yield from action_io.plan_rekey(clip, joints, self.key_options())).carry_out


class MOTIONEDIT_OT_continuous_rotations(MotionEditOperator, Operator):
    """Remove quaternion flips and full turns; poses stay the same"""

    bl_idname = "motion_editing.continuous_rotations"
    bl_label = "Make Rotations Continuous"
    verb = "Repaired"
    offers_keys = False

    def plan(self, clip: Clip, joints: np.ndarray) -> Steps[Carry]:
        """Repair the chosen bones."""
        from ..border import action_io

        yield 0.0
        return lambda: action_io.make_continuous(clip, joints)


classes = (MOTIONEDIT_OT_convert_keys, MOTIONEDIT_OT_continuous_rotations)


def draw_operators(layout: UILayout) -> None:
    """The tools of this package, for the panel and the menus."""
    for cls in classes:
        layout.operator(cls.bl_idname)
