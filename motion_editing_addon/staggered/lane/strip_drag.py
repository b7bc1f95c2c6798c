"""A pose or one of its knots while it is dragged on the strip."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import bpy

from ....core.staggered import (
    StaggeredMotion,
    channels_of_shape,
    retime,
    with_channel_refinements,
    with_refinements,
)
from ...document import scope
from ...interface.operators.pose_preview import PosePreview
from .. import refit, session
from ..edits import pose_choice
from ..pose_edit import shown_motion

if TYPE_CHECKING:
    from bpy.types import Context

    from ...border.action_io import Clip


class Part(NamedTuple):
    """The part of a pose that is dragged: a bone, a shape key, or all of it if both are empty."""

    bone: str = ""
    shape_key: str = ""


WHOLE = Part()


class StripDrag:
    """Shows on the rig what a drag would do; keys are not touched."""

    def __init__(self, clip: Clip, saved: session.Session) -> None:
        """Start from the poses as they are."""
        self.clip, self.start = clip, saved.poses
        self.model: StaggeredMotion = saved.poses
        self._preview = PosePreview(clip)

    @classmethod
    def begin(cls, context: Context) -> StripDrag:
        """Read what the active armature has."""
        armature = scope.known_object(context)
        saved = refit.require(context, armature)
        return cls(scope.read_clip(context, armature), saved)

    def show(self, pose: int, scene_frame: float, part: Part) -> None:
        """Move the pose, or one bone or shape key of it, to a frame."""
        time = scope.from_scene(self.clip.armature, scene_frame) / self.clip.motion.rate
        late = time - float(self.start.pose_times[pose])
        if part.shape_key:
            channels = channels_of_shape(self.start, part.shape_key)
            self.model = with_channel_refinements(self.start, late, poses=[pose], channels=channels)
        elif part.bone:
            joint = self.clip.motion.skeleton.index[part.bone]
            self.model = with_refinements(self.start, late, poses=[pose], joints=[joint])
        else:
            chosen = pose_choice.selected(bpy.context)
            chosen = chosen if pose in chosen else [pose]
            self.model = retime(self.start, chosen, self.start.pose_times[chosen] + late)
        self._preview.show(shown_motion(self.model))

    def end(self) -> None:
        """The rig follows its keys again."""
        self._preview.restore()
