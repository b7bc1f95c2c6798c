"""Edit one, change all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Operator

from .timeline_operator import TimelineEdit

if TYPE_CHECKING:
    import numpy as np

    from ..action_io import Clip
    from ..operator import Carry
    from ..steps import Steps


class MOTIONEDIT_OT_propagate_edit(TimelineEdit, Operator):
    """Carry what was changed in the operation window, with whatever tool, to all ticked windows."""

    bl_idname = "motion_editing.propagate_edit"
    bl_label = "Propagate Edit"
    verb = "Carried the edit to"

    def plan(self, clip: Clip, _joints: np.ndarray) -> Steps[Carry]:
        """Compare the window with how it was, and do the same in the others."""
        from ...core.timeline.carried_edits import carry_offsets
        from .. import action_io
        from .memory import before
        from .windows import NoWindowError, windows_of

        windows = windows_of(clip)
        targets = windows.ticked()
        if not targets:
            raise NoWindowError("No window is ticked: tick those that the edit is to be carried to")
        operation = (windows.operation.start, windows.operation.end)
        motion = carry_offsets(before(clip), clip.motion, operation, targets)
        planned = yield from action_io.plan_write(clip, motion, self.key_options())
        return self.remembering(clip, planned.carry_out)


classes = (MOTIONEDIT_OT_propagate_edit,)
