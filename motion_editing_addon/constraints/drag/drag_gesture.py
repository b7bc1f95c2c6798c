"""A drag as the 3D View shows it: from pixels to the scene."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bpy_extras.view3d_utils import location_3d_to_region_2d, region_2d_to_location_3d
from mathutils import Vector

from ...border.action_io.curves.channels import TRANSFORMS
from ...border.steps import finish
from ...document import scope
from ...document.action_users import one_per_animation
from .drag_picture import DragPicture

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from .drag_run import DragRun


class DragGesture(DragPicture):
    """What is on the screen while a joint is dragged. End it with `restore`."""

    def __init__(self, context: Context, run: DragRun) -> None:
        """Read clips and constraints; nothing is shown yet.

        Raises:
            MotionEditError: The joint cannot be dragged.
        """
        self.area = context.area
        self._region = next(region for region in context.area.regions if region.type == "WINDOW")
        chosen = one_per_animation(run.operator.chosen(context))
        clip = scope.read_clip(context, chosen[0], choice=run.operator.range)
        with poses_kept(chosen):
            constrained, (handle,) = finish(run.prepared(clip, chosen))
        self._place = Vector(handle.target)
        super().__init__(constrained, handle)

    def move_of(self, travel: tuple[float, float]) -> tuple[float, float, float]:
        """How far the joint goes in the scene, across the view, when the mouse goes so many pixels."""
        view = self.area.spaces.active.region_3d
        seen = location_3d_to_region_2d(self._region, view, self._place)
        start = seen or Vector((self._region.width / 2, self._region.height / 2))
        ends = [
            region_2d_to_location_3d(self._region, view, each, self._place) for each in (start, start + Vector(travel))
        ]
        x, y, z = (ends[1] - ends[0])[:]
        return x, y, z


@contextmanager
def poses_kept(armatures: list[Object]) -> Iterator[None]:
    """While it lasts Blender may step through frames: what is not keyed of the poses is there again afterwards."""
    holders = [holder for armature in armatures for holder in (armature, *armature.pose.bones)]
    before = [(holder, name, tuple(getattr(holder, name))) for holder in holders for name in TRANSFORMS]
    try:
        yield
    finally:
        for holder, name, values in before:
            if tuple(getattr(holder, name)) != values:
                setattr(holder, name, values)
