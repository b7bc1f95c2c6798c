"""A drag as the 3D View shows it: from pixels to the scene, the rig's preview, trails and ghosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy_extras.view3d_utils import location_3d_to_region_2d, region_2d_to_location_3d
from mathutils import Vector

from ...core.motion import Motion
from .. import scope
from ..clean_filter.clip_facts import ClipFacts
from ..drawing import viewport
from ..drawing.theme import faded, palette
from ..drawing.trails import Ghost, Trail
from ..pose_preview import PosePreview
from ..preview_trails import frames_around
from .solving import Pull
from .spacetime_edit import check_places

if TYPE_CHECKING:
    from bpy.types import Context

    from .drag_operator import MOTIONEDIT_OT_drag_joint

_NAME = "dragged joint"
_BEFORE_ALPHA, _GHOST_ALPHA = 0.7, 0.25
# Seconds from one ghost to the next, on both sides of the frame.
_GHOST_EVERY, _GHOSTS = 0.25, 2


class DragGesture:
    """What is on the screen while a joint is dragged. End it with `restore`."""

    def __init__(self, context: Context, operator: MOTIONEDIT_OT_drag_joint) -> None:
        """Read clip and constraints; nothing is shown yet.

        Raises:
            MotionEditError: The joint cannot be dragged.
        """
        self.area = context.area
        self._region = next(region for region in context.area.regions if region.type == "WINDOW")
        armature = scope.armatures(context)[0]
        self._clip, window = operator.whole(scope.read_clip(context, armature, choice=operator.range))
        facts = ClipFacts(self._clip)
        constrained = operator.constrained(self._clip, window)
        handle = operator.handles(constrained)[0]
        check_places(facts, (*constrained.listed.constraints, handle))
        self._pull = Pull.of(constrained, handle)
        self._place, self._joint = Vector(handle.target), handle.joint
        self._time = float(self._clip.motion.times[handle.at[0]])
        self._preview = PosePreview(self._clip)
        near = frames_around(self._clip.motion, self._time)
        self._before = self._clip.motion.part(near.start, near.stop).poses.positions[:, self._joint]

    def move_of(self, travel: tuple[float, float]) -> tuple[float, float, float]:
        """How far the joint goes in the scene, across the view, when the mouse goes so many pixels."""
        view = self.area.spaces.active.region_3d
        seen = location_3d_to_region_2d(self._region, view, self._place)
        start = seen or Vector((self._region.width / 2, self._region.height / 2))
        ends = [
            region_2d_to_location_3d(self._region, view, each, self._place) for each in (start, start + Vector(travel))
        ]
        return tuple(ends[1] - ends[0])

    def show(self, context: Context, move: tuple[float, float, float]) -> None:
        """Pose the rig and draw trails and ghosts for a move."""
        motion = self._pull.to(move)
        self._preview.show(motion)
        near = frames_around(motion, self._time)
        part = motion.part(near.start, near.stop)
        trails, ghosts = self._trails(context, part), self._ghosts(context, part)
        viewport.show(_NAME, trails=trails, ghosts=ghosts)

    def restore(self) -> None:
        """Bring back the pose and show nothing."""
        viewport.hide(_NAME)
        self._preview.restore()

    def _trails(self, context: Context, part: Motion) -> list[Trail]:
        colours = palette(context)
        now = int(abs(part.times - self._time).argmin())
        return [
            Trail(self._before, faded(colours.text_strong, _BEFORE_ALPHA), 1.5),
            Trail(part.poses.positions[:, self._joint], colours.key_selected, 2.0, ticks=(now,)),
        ]

    def _ghosts(self, context: Context, part: Motion) -> list[Ghost]:
        """The figure a little before and after."""
        colour, parents = faded(palette(context).text, _GHOST_ALPHA), part.skeleton.parents.copy()
        if part.skeleton.has_placement:
            parents[parents == 0] = -1
        steps = [step for step in range(-_GHOSTS, _GHOSTS + 1) if step]
        rows = {int(abs(part.times - self._time - _GHOST_EVERY * step).argmin()) for step in steps}
        return [Ghost(part.poses.positions[row], parents, colour, 1.5) for row in sorted(rows)]
