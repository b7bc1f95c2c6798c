"""Running tools that change how a motion is keyed, but not the motion."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from ...core.analysis.contacts import ContactSpans
from ..border import action_io
from ..border.lengths import length_text
from ..border.translation import counted_text, report_text
from ..document.take.clip_take import ClipTake
from ..interface.operators.take_run import TakeRun
from .reduction_memory import ReductionMemory

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Object

    from ...core.keys import ReduceKeys
    from ..border.action_io import Clip, ReductionReport, WriteReport
    from ..border.steps import Steps
    from ..interface.operators.operator import Carry


class KeyTake(ClipTake):
    """A take whose joints are where its own channels put them: these are what is keyed."""

    positions = None

    @cached_property
    def contacts(self) -> ContactSpans:
        """When feet are planted; none where bones are moved by constraints."""
        return ContactSpans() if self.is_sampled else super().contacts


class KeyRun(TakeRun):
    """One call of a tool that keys the motion in another way."""

    def take_of(self, clip: Clip, joints: np.ndarray) -> KeyTake:
        """What was read, with the joints (J,) that may change."""
        return KeyTake(clip, joints)

    def remarks(self, _reports: list[WriteReport]) -> str:
        """Nothing: the motion stays."""
        return ""


class ConvertRun(KeyRun):
    """One call of Convert Keys."""

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Key the chosen bones anew."""
        return (yield from action_io.plan_rekey(take.clip, take.joints, self.operator.key_options())).carry_out


class ContinuousRun(KeyRun):
    """One call of Make Rotations Continuous."""

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Repair the chosen bones."""
        yield 0.0
        return lambda: action_io.make_continuous(take.clip, take.joints)


class ReduceRun(KeyRun):
    """One call of Reduce Keys."""

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Fit keys to the chosen bones."""
        clip, tool = take.clip, self.operator.present_tool()
        memory = ReductionMemory(clip, _choices(tool))
        reduce = partial(tool.rounds, take, times=clip.frames, unit=action_io.scale_of_all(clip))
        planned = yield from action_io.plan_reduction(clip, take.joints, reduce, is_done=memory.holds)

        def carry_out() -> ReductionReport:
            report = planned.carry_out()
            if planned.plan.jobs:
                memory.keep(planned.examined)
            return report

        return carry_out

    def tell(self, reports: list[WriteReport], chosen: list[Object]) -> None:
        """Keys before and after, and what was measured on the curves that are there now."""
        bones = sum(report.bones for report in reports)
        if not bones:
            self.operator.tell(report_text("There are no keys to spare: nothing was changed"), reports)
            return
        measured = [report for report in reports if isinstance(report, action_io.ReductionReport)]
        result = _result_text(measured, slide=self.operator.keep_contacts)
        self.operator.tell(f"{counted_text(bones, 'bone')}: {result}", reports, chosen)


def _choices(tool: ReduceKeys) -> str:
    """What must be the same for a second press to change nothing."""
    errors = f"{tool.kind} {tool.rotation_error:g} {tool.location_error:g}"
    return f"{errors} {tool.pose_columns:d}{tool.keep_contacts:d}{tool.keep_extremes:d}{tool.ignore_outliers:d}"


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
