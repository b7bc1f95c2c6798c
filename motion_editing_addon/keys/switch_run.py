"""Running Switch IK/FK: other controls get keys, then the rig's switches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..border.action_io.curves.stepped_keys import hold_number
from ..border.action_io.reduction.sparse_keys import Closely, carry_following
from ..document.contacts.standing_keys import standing_keys
from ..interface.operators.take_run import TakeRun

if TYPE_CHECKING:
    from ...core.editing import Change
    from ..border.action_io import Plan, WriteReport
    from ..document.take.clip_take import ClipTake
    from ..interface.operators.operator import Carry


class SwitchRun(TakeRun):
    """One call of Switch IK/FK."""

    def writing(self, take: ClipTake, planned: Plan, change: Change, *closely: Closely) -> Carry:
        """Writing the controls, closely also where keys are few, and holding the switches over the same frames."""
        near = Closely.everywhere(take.clip, standing_keys(take.shown.body.height))

        def carry_out() -> WriteReport:
            report = carry_following(planned, (), near, *closely)
            for path, value in change.found.items():
                hold_number(take.clip.armature, path, value, *take.clip.frames[[0, -1]].tolist())
            report.bones = max(report.bones, len(change.found))
            return report

        return carry_out
