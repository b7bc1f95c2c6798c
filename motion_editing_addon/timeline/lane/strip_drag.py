"""A window's end or a pose while it is dragged on the strip."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ....core.errors import MotionEditError
from ....core.timeline import MovePose, StretchWindows
from ...document import scope
from ...interface.operators.pose_preview import PosePreview
from ..collisions import touches
from ..features.painted_bones import refuse_lost
from ..timeline_take import TimelineTake
from ..windows.windows import settings_of
from .content.lane_data import Edit

if TYPE_CHECKING:
    from bpy.types import Object

    from ....core.editing import Tool
    from ..subject import Subject


class TimelineDrag:
    """Shows on the rig and on the strip what a drag would do; neither keys nor settings are touched."""

    def __init__(self, subject: Subject, second: Subject | None = None) -> None:
        """Start from the motion as it is."""
        self.subject, self.second = subject, second
        self.edit: Edit | None = None
        refuse_lost(subject.armature)
        self._take = TimelineTake.of(subject)
        self._ease = settings_of(subject.armature).ease
        self._windows = self._take.windows if self._take.has_windows else None
        self._preview = PosePreview(subject.clip)

    def show_end(self, window: int, scene_frame: float) -> None:
        """A window's end at a frame, all other windows by the same factor; what is impossible is not shown."""
        if self._windows is not None:
            self._show(StretchWindows(end_frame=scene_frame, window=window, ease=self._ease), dragged=-1)

    def show_pose(self, sample: int, scene_frame: float) -> None:
        """A pose at a frame."""
        frame = float(scope.to_scene(self.subject.armature, self.subject.clip.frames[sample : sample + 1])[0])
        self._show(MovePose(frame=frame, to_frame=scene_frame, ease=self._ease), dragged=sample)

    def is_of(self, armature: Object) -> bool:
        """Whether it is the drag of this armature, and no character is gone since it began."""
        try:
            names = [each.armature.name for each in (self.subject, self.second) if each is not None]
            return names[0] == armature.name
        except ReferenceError:
            return False

    def end(self) -> None:
        """The rig follows its keys again."""
        with suppress(ReferenceError):  # undone or deleted meanwhile: there is nothing to bring back
            self._preview.restore()

    def _show(self, tool: Tool, *, dragged: int) -> None:
        try:
            change, found = tool.apply(self._take), None
            if self.second is not None:
                found = touches(self.subject, self.second, retimed=change.whole)
        except MotionEditError:
            return
        self.edit = Edit(change.time_map, change.motion, self._take.painting.is_empty, dragged, found)
        self._preview.show(change.motion)
