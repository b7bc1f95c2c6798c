"""The harness itself, on Blender's own tools: a field typed into, a drag, Esc, undo and redo."""

from __future__ import annotations

import bpy
from harness import Window, check, check_equal
from window_input import Point, Steps


def scenario(window: Window) -> Steps:
    """Change a property by its field, then move an object with mouse and keys."""
    yield from window.open_sidebar("View")
    yield from window.click_property("].lens")
    yield from window.press("A", ctrl=True)
    yield from window.type_text("35.5")
    yield from window.press("RET")
    check_equal(window.area("VIEW_3D").spaces.active.lens, 35.5, "focal length typed into its field")
    yield from window.screenshot("focal-length")

    cube = bpy.data.objects["Cube"]
    middle = window.middle_of(window.region("VIEW_3D"))
    yield from window.move(middle.x, middle.y)
    yield from window.press("G")
    yield from window.move(middle.x + 100, middle.y + 50)
    check(cube.location.length > 0.1, "G and the mouse should move the cube")
    yield from window.press("ESC")
    check_equal(tuple(cube.location), (0.0, 0.0, 0.0), "location after Esc")

    yield from window.press("G")
    yield from window.press("X")
    yield from window.type_text("2.5")
    yield from window.press("RET")
    check_equal(tuple(bpy.data.objects["Cube"].location), (2.5, 0.0, 0.0), "location typed after G X")
    yield from window.undo()
    check_equal(tuple(bpy.data.objects["Cube"].location), (0.0, 0.0, 0.0), "location after Ctrl+Z")
    yield from window.redo()
    check_equal(tuple(bpy.data.objects["Cube"].location), (2.5, 0.0, 0.0), "location after Shift+Ctrl+Z")

    yield from window.drag(Point(middle.x - 250, middle.y + 200), Point(middle.x - 200, middle.y + 150))
    yield from window.screenshot("dragged")
    check(not bpy.data.objects["Cube"].select_get(), "a box dragged over nothing should deselect the cube")
