"""A captured take arrives ready to edit: at real speed, human-sized, on the floor, in view; Ctrl+Z takes it away."""

from __future__ import annotations

import os
from pathlib import Path

import bpy
from figure_in_view import pixel_of
from harness import Window, check, check_equal, wait_until
from mathutils import Vector
from window_input import REDRAW_PAUSE, Steps

SHIPPED = "small_figure.bvh"


def scenario(window: Window) -> Steps:
    """The button is there without a figure; what is dropped arrives by one action."""
    yield from window.open_sidebar("Motion")
    yield from window.find_operator_button("motion_editing.bring_in_motion")
    handler = getattr(bpy.types, "MOTIONEDIT_FH_motion", None)
    check(handler is not None and ".bvh" in handler.bl_file_extensions, "files should be taken when dropped")
    path, before = take(), set(bpy.data.objects.keys())
    yield from window.hover(window.region("VIEW_3D"))
    area, region = window.area("VIEW_3D"), window.region("VIEW_3D")
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0], area=area, region=region):
        # As Blender calls it for files that are dropped.
        bpy.ops.motion_editing.bring_in_motion(
            "INVOKE_DEFAULT", True, directory=f"{path.parent}/", files=[{"name": path.name}]
        )
    yield from wait_until(lambda: path.stem in bpy.data.objects, "the figure should be there")
    yield 2 * REDRAW_PAUSE
    yield from window.screenshot("arrived")
    check_equal(bpy.context.scene.render.fps, 24, "the scene's rate")
    check_seen(window, bpy.data.objects[path.stem])

    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    check_equal(set(bpy.data.objects.keys()), before, "objects after Ctrl+Z")
    yield from window.redo()
    check(path.stem in bpy.data.objects, "Shift+Ctrl+Z should bring it back")


def take() -> Path:
    """A captured clip, or the figure that comes with the extension where there are none."""
    clip = Path(os.environ.get("MOTION_EDITING_CLIPS", "")) / "corpus" / "cmu_49_03.bvh"
    return clip if clip.is_file() else Path(__file__).resolve().parents[4] / "recipes" / SHIPPED


def check_seen(window: Window, armature: bpy.types.Object) -> None:
    """It stands on the floor, is as tall as a person, and fills a good part of the view."""
    ends = [armature.matrix_world @ end for bone in armature.pose.bones for end in (bone.head, bone.tail)]
    low, high = min(end.z for end in ends), max(end.z for end in ends)
    check(abs(low) < 0.15, f"it should stand on the floor, not at {low:.2f}")
    check(1.2 < high - low < 2.3, f"it should be human-sized, not {high - low:.2f} m")
    below, above = (pixel_of(window, Vector((ends[0].x, ends[0].y, height))) for height in (low, high))
    region = window.region("VIEW_3D")
    check(above.y - below.y > 0.25 * region.height, f"it should fill the view, not {above.y - below.y} pixels")
    cube = bpy.data.objects["Cube"]
    side = max((cube.matrix_world @ Vector(each)).x for each in cube.bound_box)
    check(min(end.x for end in ends) > side, "it should stand beside the cube")
    check(region.y < below.y and above.y < region.y + region.height, "all of it should be in view")
