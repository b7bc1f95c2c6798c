"""A keytime while it is dragged on the strip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.errors import MotionEditError
from ....core.guided_warp import Keytimes
from ...document import scope
from ...interface.operators.pose_preview import PosePreview
from ..guide_of import guide_of
from ..keytimes import keytimes_of
from ..warp import warp

if TYPE_CHECKING:
    from bpy.types import Context

    from ....core.motion import TimeMap
    from ...border.action_io import Clip


class WarpDrag:
    """Shows on the rig what the keytimes would do; neither keys nor settings are touched."""

    def __init__(self, clip: Clip, keytimes: Keytimes) -> None:
        """Start from the keytimes as they are."""
        self.clip, self.start = clip, keytimes
        self.keytimes = keytimes
        self.time_map: TimeMap | None = None
        self._preview = PosePreview(clip)

    @classmethod
    def begin(cls, context: Context) -> WarpDrag:
        """Read what the active armature has."""
        armature = context.object
        return cls(scope.read_clip(context, armature), keytimes_of(context, armature))

    def show(self, context: Context, keytime: int, scene_frame: float, *, ripple: bool) -> None:
        """Move a keytime to a frame; what the speed limit forbids is not shown."""
        time = scope.from_scene(self.clip.armature, scene_frame) / self.clip.motion.rate
        moved = self.start.move(keytime, time, ripple=ripple)
        try:
            self.time_map = warp(context, self.clip, moved, guide_of(self.clip.armature)).time_map
        except MotionEditError:
            return
        self.keytimes = moved
        self._preview.show(self.time_map.apply(self.clip.motion))

    def end(self) -> None:
        """The rig follows its keys again."""
        self._preview.restore()
