"""Reduce Keys: few keys for a whole character, within errors that can be seen and measured."""

from __future__ import annotations

from math import degrees
from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, FloatProperty
from bpy.types import Operator

from ... import core
from ..border.lengths import length_text
from ..border.translation import counted_text, report_text
from ..interface.operators.operator import MotionEditOperator
from ..interface.shared_options import KEEP_CONTACTS

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Object, UILayout

    from ..border.action_io import Clip, ReductionReport
    from ..border.steps import Steps
    from ..interface.operators.operator import Carry

KINDS = (
    ("SMOOTH", "Smooth", "Use aligned handles, with corners only where the motion has them"),
    ("FEWEST", "Fewest", "Use free handles, about a third fewer keys with small corners"),
)


class MOTIONEDIT_OT_reduce_keys(MotionEditOperator, Operator):
    """Replace many keys with few, within an error"""

    bl_idname = "motion_editing.reduce_keys"
    bl_label = "Reduce Keys"
    verb = "Reduced"
    offers_keys = False

    kind: EnumProperty(name="Kind", description="Handles of the keys", items=KINDS, default="SMOOTH")
    location_error: FloatProperty(
        name="Distance Error",
        description="Largest error of bone ends; 0 is a 300th of the figure's height",
        default=0.0,
        min=0.0,
        soft_max=0.1,
        subtype="DISTANCE",
        precision=4,
    )
    pose_columns: BoolProperty(
        name="Pose Columns",
        description="Key all moving curves on the same frames where possible",
        default=False,
    )
    keep_contacts: BoolProperty(**KEEP_CONTACTS, default=True)
    keep_extremes: BoolProperty(
        name="Keys at Extremes",
        description="Put keys on the extremes of each bone",
        default=True,
    )
    ignore_outliers: BoolProperty(
        name="Ignore Outliers",
        description="Ignore single samples far away from their neighbours",
        default=False,
    )

    def plan(self, clip: Clip, joints: np.ndarray) -> Steps[Carry]:
        """Fit keys to the chosen bones."""
        from ..border import action_io
        from .landmarks import Figure
        from .reduction_memory import ReductionMemory

        figure, memory = Figure.of(clip), ReductionMemory(clip, self._choices())
        contacts = figure.contacts if self.keep_contacts else None
        planned = yield from action_io.plan_reduction(
            clip,
            joints,
            self._options(figure.height * action_io.scale_of_all(clip)),
            contacts=contacts,
            landmarks=figure.landmarks(contacts=contacts, extremes=self.keep_extremes, together=self.pose_columns),
            is_done=memory.holds,
        )

        def carry_out() -> ReductionReport:
            report = planned.carry_out()
            if planned.plan.jobs:
                memory.keep(planned.examined)
            return report

        return carry_out

    def _choices(self) -> str:
        """What must be the same for a second press to change nothing."""
        errors = f"{self.kind} {self.rotation_error:g} {self.location_error:g}"
        return f"{errors} {self.pose_columns:d}{self.keep_contacts:d}{self.keep_extremes:d}{self.ignore_outliers:d}"

    def _options(self, height: float) -> core.keys.ReductionOptions:
        return core.keys.ReductionOptions(
            kind=self.kind,
            degrees=degrees(self.rotation_error),
            distance=self.location_error or height / 300.0,
            pose_columns=self.pose_columns,
            ignore_outliers=self.ignore_outliers,
        )

    def tell_edit(self, reports: list[ReductionReport], chosen: list[Object], _remarks: str = "") -> None:
        """Keys before and after, and what was measured on the curves that are there now."""
        bones = sum(report.bones for report in reports)
        if not bones:
            self.tell(report_text("There are no keys to spare: nothing was changed"), reports)
            return
        result = _result_text(reports, slide=self.keep_contacts)
        self.tell(f"{counted_text(bones, 'bone')}: {result}", reports, chosen)

    def draw_own(self, layout: UILayout) -> None:
        """Kind, errors, and where keys are."""
        layout.prop(self, "kind")
        layout.prop(self, "rotation_error")
        layout.prop(self, "location_error")
        for name in ("pose_columns", "keep_contacts", "keep_extremes", "ignore_outliers"):
            layout.prop(self, name)


def _result_text(reports: list[ReductionReport], *, slide: bool) -> str:
    before, after = sum(r.keys_before for r in reports), sum(r.keys_after for r in reports)
    accuracies = [report.accuracy for report in reports]
    text = report_text(
        "{keys} became {after}, largest error {angle} and {distance}",
        keys=counted_text(before, "key"),
        after=after,
        angle=f"{max(a.degrees for a in accuracies):.2f}°",
        distance=length_text(max(a.distance for a in accuracies)),
    )
    if slide:
        slid = length_text(max(0.0, *(a.slide for a in accuracies)))
        text += report_text(", feet slide {distance} more", distance=slid)
    outliers = sum(report.outliers for report in reports)
    return text + (report_text(", {outliers} ignored", outliers=counted_text(outliers, "outlier")) if outliers else "")
