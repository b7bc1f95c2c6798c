"""A window's end or a pose while it is dragged on the strip."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ....core.errors import MotionEditError
from ...document import scope
from ...interface.operators.pose_preview import PosePreview
from ..collisions import touches
from ..features.painted_bones import painting_of, refuse_lost
from ..frames import samples_of
from ..settings import has_window
from ..timing import timing
from ..timing.time_change import Retimed, retimed_view
from ..windows.windows import settings_of, windows_of
from .content.lane_data import Edit

if TYPE_CHECKING:
    from bpy.types import Object

    from ....core.motion import TimeMap
    from ..subject import Subject


class TimelineDrag:
    """Shows on the rig and on the strip what a drag would do; neither keys nor settings are touched."""

    def __init__(self, subject: Subject, second: Subject | None = None) -> None:
        """Start from the motion as it is."""
        self.subject, self.second = subject, second
        self.edit: Edit | None = None
        refuse_lost(subject.armature)
        painting = painting_of(subject.armature, subject.body)
        self._whole_body = not painting.joints and not painting.effectors
        self._ease = settings_of(subject.armature).ease
        self._windows = windows_of(subject.clip) if has_window(subject.armature) else None
        self._preview = PosePreview(subject.clip)

    def show_end(self, window: int, scene_frame: float) -> None:
        """A window's end at a frame, all other windows by the same factor; what is impossible is not shown."""
        if self._windows is None:
            return
        try:
            factor = timing.factor_to(self._windows, window, self._sample(scene_frame))
            self._show(timing.stretched(self.subject, self._windows, factor, self._ease), dragged=-1)
        except MotionEditError:
            return

    def show_pose(self, sample: int, scene_frame: float) -> None:
        """A pose at a frame."""
        try:
            target = self._sample(scene_frame)
            self._show(timing.moved_pose(self.subject, self._windows, sample, target, self._ease), dragged=sample)
        except MotionEditError:
            return

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

    def _show(self, time_map: TimeMap, *, dragged: int) -> None:
        motion, found = retimed_view(self.subject, time_map), None
        if self.second is not None:
            whole = motion.whole() if isinstance(motion, Retimed) else motion
            found = touches(self.subject, self.second, retimed=whole)
        self.edit = Edit(time_map, motion, self._whole_body, dragged, found)
        self._preview.show(motion)

    def _sample(self, scene_frame: float) -> float:
        return float(samples_of(self.subject.clip, scope.from_scene(self.subject.armature, scene_frame)))
