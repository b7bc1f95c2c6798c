"""Drives a real Blender window with simulated mouse and keys. Runs inside Blender.

A scenario is a generator function that takes a `Window`. It does something, then yields the
seconds Blender may go on for, so that what was done takes effect and is drawn:

    def scenario(window):
        yield from window.click(300, 400)
        yield from window.press("Z", ctrl=True)
        check(len(bpy.data.objects) == 3, "undo should remove the armature")

Finding buttons. Blender's Python tells no button's place, and fixed offsets break with every
change of a panel or theme. But Blender can be asked what is under the mouse: the operators
behind "Copy Python Command" and "Copy Full Data Path" in every button's context menu write
what the hovered button does to the clipboard. `find_operator_button` and
`find_property_button` move the mouse over a region in steps smaller than a button and ask at
each, so a button is found by the operator it calls or the property it changes, wherever it
is, and scrolled into view if it is below the edge. It is the button a person would click.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import bpy
from window_input import REDRAW_PAUSE, Input, Point, Steps

# Where buttons are looked for, as parts of a region's width: at the middle first, then where one of several side by
# side would be; icons at both ends of a row only if nothing else is found. The right edge holds the tabs.
_COLUMNS = ((0.45, 0.2, 0.7), (0.85, 0.75, 0.08))

# Pixels at a region's lower edge where a click would drag the edge.
_EDGE = 8


class ScenarioError(AssertionError):
    """A scenario found something else than it expected; the message says what."""


def check(condition: object, expectation: str) -> None:
    """Fail the scenario unless the condition holds; `expectation` says what should be so."""
    if not condition:
        raise ScenarioError(expectation)


def check_equal(found: object, expected: object, what: str) -> None:
    """Fail the scenario unless two values are equal, saying both."""
    if found != expected:
        raise ScenarioError(f"{what}: expected {expected!r}, found {found!r}")


class Window(Input):
    """The Blender window: its mouse and keys, its areas, its buttons, and pictures of it."""

    def __init__(self, results: Path) -> None:
        """Take Blender's only window; screenshots go into `results`."""
        super().__init__()
        self.results = results
        self.screenshots: list[str] = []

    # Areas and regions

    def area(self, kind: str) -> bpy.types.Area:
        """Give the largest area of this type ("VIEW_3D", "DOPESHEET_EDITOR")."""
        areas = [area for area in self.blender.screen.areas if area.type == kind]
        check(areas, f"the window should have an area of type {kind}")
        return max(areas, key=lambda area: area.width * area.height)

    def region(self, area_kind: str, region_kind: str = "WINDOW") -> bpy.types.Region:
        """Give an area's region of this type ("WINDOW", "UI", "HEADER")."""
        regions = [region for region in self.area(area_kind).regions if region.type == region_kind]
        check(regions, f"{area_kind} should have a region of type {region_kind}")
        return regions[0]

    def middle_of(self, region: bpy.types.Region) -> Point:
        """Give the point in the middle of a region."""
        return Point(region.x + region.width // 2, region.y + region.height // 2)

    def hover(self, region: bpy.types.Region) -> Steps:
        """Move the mouse to the middle of a region, so that keys go there."""
        middle = self.middle_of(region)
        yield from self.move(middle.x, middle.y)

    def open_sidebar(self, tab: str, area_kind: str = "VIEW_3D") -> Steps:
        """Show an area's sidebar with N and choose its tab."""
        if self.region(area_kind, "UI").width <= 1:
            yield from self.hover(self.region(area_kind))
            yield from self.press("N")
            yield REDRAW_PAUSE
        check(self.region(area_kind, "UI").width > 1, "N should open the sidebar")
        # A region learns of its tabs when it is drawn, so the first try may come too early.
        for _attempt in range(10):
            try:
                self.region(area_kind, "UI").active_panel_category = tab
                break
            except TypeError:
                yield REDRAW_PAUSE
        yield REDRAW_PAUSE
        check_equal(self.region(area_kind, "UI").active_panel_category, tab, "sidebar tab")

    # Buttons

    def click_operator(self, operator: str, area_kind: str = "VIEW_3D", region_kind: str = "UI") -> Steps:
        """Find the button that calls an operator ("motion_editing.smooth") and click it."""
        point = yield from self.find_operator_button(operator, area_kind, region_kind)
        yield from self.click(point.x, point.y)

    def click_property(self, data_path: str, area_kind: str = "VIEW_3D", region_kind: str = "UI") -> Steps:
        """Find the button of a property by the end of its data path and click it."""
        point = yield from self.find_property_button(data_path, area_kind, region_kind)
        yield from self.click(point.x, point.y)

    def find_operator_button(
        self, operator: str, area_kind: str = "VIEW_3D", region_kind: str = "UI", *, having: str = ""
    ) -> Generator[float, None, Point]:
        """Find the button that calls an operator, with these words in its options; its middle is returned."""

        def matches(region: bpy.types.Region) -> bool:
            command = self._copied(bpy.ops.ui.copy_python_command_button, region, area_kind)
            return command.startswith(f"bpy.ops.{operator}(") and having in command

        return (yield from self._find_button(f"operator {operator}", matches, area_kind, region_kind))

    def find_property_button(
        self, data_path: str, area_kind: str = "VIEW_3D", region_kind: str = "UI"
    ) -> Generator[float, None, Point]:
        """Find the button whose full data path ends so ("motion_editing.radius")."""

        def matches(region: bpy.types.Region) -> bool:
            command = bpy.ops.ui.copy_data_path_button
            return self._copied(command, region, area_kind, full_path=True).endswith(data_path)

        return (yield from self._find_button(f"property {data_path}", matches, area_kind, region_kind))

    def _find_button(
        self, what: str, matches: Callable[[bpy.types.Region], bool], area_kind: str, region_kind: str
    ) -> Generator[float, None, Point]:
        """Hover over what a region shows, then over all of it from the top down, until a button matches.

        It has to match again where the mouse comes to rest: a panel may be drawn anew on the way.
        """
        for columns in _COLUMNS:
            found = yield from self._look_through(matches, columns, area_kind, region_kind)
            if found is not None:
                return found
        raise ScenarioError(f"no button for {what} in the {region_kind} region of {area_kind}")

    def _look_through(
        self,
        matches: Callable[[bpy.types.Region], bool],
        columns: tuple[float, ...],
        area_kind: str,
        region_kind: str,
    ) -> Generator[float, None, Point | None]:
        """Hover over some columns of a region, scrolled by pages; none if no button there matches."""
        looked_at: set[float] = set()
        found = yield from self._look_at_page(matches, columns, looked_at, area_kind, region_kind)
        if found is not None:
            return found
        yield from self._scroll_to_top(area_kind, region_kind)
        before = None
        while before != self._scroll_position(area_kind, region_kind):
            found = yield from self._look_at_page(matches, columns, looked_at, area_kind, region_kind)
            if found is not None:
                return found
            before = self._scroll_position(area_kind, region_kind)
            yield from self.hover(self.region(area_kind, region_kind))
            for _notch in range(8):
                yield from self.press("WHEELDOWNMOUSE")
            yield REDRAW_PAUSE
        return None

    def _look_at_page(
        self,
        matches: Callable[[bpy.types.Region], bool],
        columns: tuple[float, ...],
        looked_at: set[float],
        area_kind: str,
        region_kind: str,
    ) -> Generator[float, None, Point | None]:
        """Hover over what a region shows now, unless it was looked at before."""
        place = self._scroll_position(area_kind, region_kind)
        if place in looked_at:
            return None
        looked_at.add(place)
        for point in _grid(self.region(area_kind, region_kind), columns):
            yield from self.glide(point.x, point.y)
            if matches(self.region(area_kind, region_kind)):
                middle = yield from self._middle_of_button(point, matches, area_kind, region_kind)
                yield from self.move(middle.x, middle.y)
                yield REDRAW_PAUSE / 2
                if matches(self.region(area_kind, region_kind)):
                    return middle
        return None

    def _scroll_to_top(self, area_kind: str, region_kind: str) -> Steps:
        """Turn the wheel back until nothing moves any more."""
        yield from self.hover(self.region(area_kind, region_kind))
        before = None
        while before != self._scroll_position(area_kind, region_kind):
            before = self._scroll_position(area_kind, region_kind)
            for _notch in range(4):
                yield from self.press("WHEELUPMOUSE")
            yield REDRAW_PAUSE / 2

    def _scroll_position(self, area_kind: str, region_kind: str) -> float:
        """Give the height of the region's lower edge in what it shows."""
        return self.region(area_kind, region_kind).view2d.region_to_view(0, 0)[1]

    def _middle_of_button(
        self, first: Point, matches: Callable[[bpy.types.Region], bool], area_kind: str, region_kind: str
    ) -> Generator[float, None, Point]:
        """Go on down from the first matching point to the button's lower edge, or the region's; give the middle."""
        y, lowest = first.y, self.region(area_kind, region_kind).y + _EDGE
        while y - 4 >= lowest:
            yield from self.glide(first.x, y - 4)
            if not matches(self.region(area_kind, region_kind)):
                break
            y -= 4
        return Point(first.x, (first.y + y) // 2)

    def _copied(
        self, command: Callable[..., set[str]], region: bpy.types.Region, area_kind: str, **options: bool
    ) -> str:
        """Give what Blender copies to the clipboard for the button under the mouse."""
        context = {"window": self.blender, "area": self.area(area_kind), "region": region}
        with bpy.context.temp_override(**context):
            if not command.poll():
                return ""
            bpy.context.window_manager.clipboard = ""
            command(**options)
        return bpy.context.window_manager.clipboard

    # Menus

    def call(self, words: str, area_kind: str = "VIEW_3D") -> Steps:
        """Call a tool through F3, as the first thing that the search finds for the words."""
        yield from self.hover(self.region(area_kind))
        yield from self.press("F3")
        yield REDRAW_PAUSE
        yield from self.type_text(words)
        yield REDRAW_PAUSE
        yield from self.press("RET")
        yield REDRAW_PAUSE

    # Pictures

    def screenshot(self, name: str) -> Steps:
        """Save a picture of the real screen, for a person to look at."""
        yield REDRAW_PAUSE
        self.take_screenshot(name)

    def take_screenshot(self, name: str) -> None:
        """Save a picture of what the screen shows now."""
        path = self.results / f"{len(self.screenshots) + 1:02d}-{name}.png"
        tool = shutil.which("import")
        check(tool, "screenshots need ImageMagick's import")
        subprocess.run([tool, "-window", "root", str(path)], check=True, timeout=60)
        self.screenshots.append(path.name)


def _grid(region: bpy.types.Region, columns: tuple[float, ...]) -> Iterator[Point]:
    """Yield places over a region from the top down, two to a button: the first may only leave the button above."""
    step = round(10 * bpy.context.preferences.system.ui_scale)
    for part in columns:
        for y in range(region.y + region.height - step, region.y + _EDGE, -step):
            yield Point(region.x + round(region.width * part), y)


def wait_until(condition: Callable[[], object], expectation: str, timeout: float = 30.0) -> Steps:
    """Let Blender go on until the condition holds; fail the scenario when it never does."""
    end = time.monotonic() + timeout
    while not condition():
        check(time.monotonic() < end, f"{expectation} (waited {timeout:g} s)")
        yield 0.1


def leave(code: int) -> None:
    """End Blender at once: its orderly exit may ask to save or wait for the screen."""
    os._exit(code)
