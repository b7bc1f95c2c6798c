"""Feet that slide, locked where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, FloatProperty
from bpy.types import Operator

from ..interface.operators.operator import MotionEditOperator
from ..interface.shared_options import CONTACT_FADE, LOWERING

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Object, UILayout

    from ..border.action_io import Clip, Property, WriteReport
    from ..border.steps import Steps
    from ..interface.operators.operator import Carry


class MOTIONEDIT_OT_lock_feet(MotionEditOperator, Operator):
    """Pin planted feet in place with leg IK to stop foot sliding"""

    bl_idname = "motion_editing.lock_feet"
    bl_label = "Lock Feet"
    verb = "Locked"

    # What was reached, one for each armature.
    _locked = ()

    selected: BoolProperty(name="Selected Limbs", description="Lock only limbs with a selected bone", default=False)
    fade: FloatProperty(**CONTACT_FADE, default=0.1, min=0.0, soft_max=0.5, unit="TIME_ABSOLUTE")
    lowering: FloatProperty(**LOWERING, default=0.1, min=0.0, max=1.0, soft_max=0.3, subtype="FACTOR")

    def joints(self, _armature: Object, clip: Clip) -> np.ndarray:
        """(J,) all of them: contacts say which limbs change."""
        import numpy as np

        return np.ones(len(clip.motion.skeleton), dtype=bool)

    def muted(self, _clip: Clip, _joints: np.ndarray) -> list[Property]:
        """Nothing yet: what counts are limbs in contact, see `plan`."""
        return []

    def work(self, context: Context) -> Steps[None]:
        """Lock all armatures; contacts that are out of reach are listed."""
        from .foot_lock import warning_text

        self._locked = []
        yield from super().work(context)
        warning = warning_text(self._locked)
        if warning:
            self.report({"WARNING"}, warning)

    def plan(self, clip: Clip, _joints: np.ndarray) -> Steps[Carry]:
        """Lock the feet and plan the keys; what it returns writes them and measures what they hold."""
        from .foot_lock import FeetLock

        lock = FeetLock(clip, fade=self.fade, lowering=self.lowering, selected=self.selected)
        yield from lock.prepare()
        carry_out = yield from lock.plan(self.key_options())

        def carry_out_and_measure() -> WriteReport:
            report = carry_out()
            report.add_muted(lock.muted)
            self._locked.append(lock.measured())
            return report

        return carry_out_and_measure

    def remarks(self, _reports: list[WriteReport]) -> str:
        """How far feet slid, and slide now."""
        from .foot_lock import locked_text

        return locked_text(self._locked)

    def draw_own(self, layout: UILayout) -> None:
        """Which limbs, and how."""
        for name in ("selected", "fade", "lowering"):
            layout.prop(self, name)


classes = (MOTIONEDIT_OT_lock_feet,)
