"""A keytime while it is dragged on the strip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.errors import MotionEditError
from ....core.guided_warp import Keytimes
from ...document import scope
from ...interface.operators.pose_preview import PosePreview
from ..warp_take import WarpTake

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
        take = WarpTake(scope.read_clip(context, context.object))
        return cls(take, take.keytimes)

    def show(self, keytime: int, scene_frame: float, *, ripple: bool) -> None:
        """Move a keytime to a frame; what the speed limit forbids is not shown."""
        take = self.take
        time = scope.from_scene(take.clip.armature, scene_frame) / take.motion.rate
        moved = self.start.move(keytime, time, ripple=ripple)
        try:
            self.time_map = take.guide.warp(take, moved, take.speeds).time_map
        except MotionEditError:
            return
        self.keytimes = moved
        self._preview.show(self.time_map.apply(take.motion))

    def end(self) -> None:
        """The rig follows its keys again."""
        self._preview.restore()
