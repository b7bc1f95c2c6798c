"""A keytime while it is dragged on the strip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ....core.guided_warp import Keytimes
from ....core.motion import Retimed
from ...document import scope
from ...interface.operators.pose_preview import PosePreview
from ..warp.warp_take import WarpTake

if TYPE_CHECKING:
    from bpy.types import Context

    from ....core.motion import TimeMap


class WarpDrag:
    """Shows on the rig what the keytimes would do; neither keys nor settings are touched."""

    def __init__(self, take: WarpTake, keytimes: Keytimes) -> None:
        """Start from the keytimes as they are."""
        self.take, self.start = take, keytimes
        self.keytimes = keytimes
        self.time_map: TimeMap | None = None
        self._preview = PosePreview(take.clip)

    @classmethod
    def begin(cls, context: Context) -> WarpDrag:
        """Read what the active armature has."""
        take = WarpTake(scope.read_clip(context, scope.known_object(context)))
        return cls(take, take.keytimes)

    def show(self, keytime: int, scene_frame: float, *, ripple: bool) -> None:
        """Move a keytime to a frame; what the speed limit forbids is not shown."""
        self._show(self.start.move(keytime, self._seconds(scene_frame), ripple=ripple))

    def show_moment(self, scene_frame: float, to: float, *, ripple: bool) -> None:
        """Move the moment that is seen at a frame to another."""
        try:
            held = self.start.add(self._seconds(scene_frame))
        except MotionEditError:  # there is a keytime, or an end
            return
        self._show(held.move(self.number_at(scene_frame), self._seconds(to), ripple=ripple))

    def number_at(self, scene_frame: float) -> int:
        """The number that a keytime at a frame would have."""
        return int(np.searchsorted(self.start.new, self._seconds(scene_frame)))

    def _seconds(self, scene_frame: float) -> float:
        return float(scope.from_scene(self.take.clip.armature, scene_frame)) / self.take.motion.rate

    def _show(self, moved: Keytimes) -> None:
        take = self.take
        try:
            self.time_map = take.guide.warp(take, moved, take.speeds).time_map
        except MotionEditError:
            return
        self.keytimes = moved
        self._preview.show(Retimed(take.motion, self.time_map))

    def end(self) -> None:
        """The rig follows its keys again."""
        self._preview.restore()
