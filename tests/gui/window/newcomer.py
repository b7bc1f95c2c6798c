"""What somebody does who follows the manual: names that are shown, buttons, fields, F9, Space. Runs inside Blender."""

from __future__ import annotations

import ctypes
from collections.abc import Generator
from types import SimpleNamespace
from typing import Any

import bpy
from harness import ScenarioError, Window, check, check_equal, wait_until
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Point, Steps

_seen: set[str] = set()
# Pixels from a choice to the first item of the list below it, and from item to item.
_FIRST_ITEM, _ITEM = 24, 23


class _Reader:
    """Stands for Blender's layout: every part is open, and what it shows is noted."""

    def __init__(self, shown: list[tuple[str, str]]) -> None:
        object.__setattr__(self, "_shown", shown)

    def __getattr__(self, _name: str) -> Any:
        return lambda *_arguments, **_options: self

    def label(self, *, text: str = "", **_options: object) -> None:
        self._shown.append((text, ""))

    def operator(self, name: str, *, text: str | None = None, **_options: object) -> SimpleNamespace:
        self._shown.append((_operator_label(name) if text is None else text, name))
        return SimpleNamespace()

    def prop(self, owner: Any, name: str, *, text: str | None = None, **_options: object) -> None:
        self._shown.append((owner.bl_rna.properties[name].name if text is None else text, ""))

    def panel(self, _name: str, **_options: object) -> tuple[_Reader, _Reader]:
        return self, self


def _operator_label(name: str) -> str:
    owner, own = name.split(".")
    return getattr(getattr(bpy.ops, owner), own).get_rna_type().name


def shown(window: Window) -> list[tuple[str, str]]:
    """Texts of the tab, each with the operator that its button calls."""
    found: list[tuple[str, str]] = []
    context = {"window": window.blender, "area": window.area("VIEW_3D"), "region": window.region("VIEW_3D", "UI")}
    panels = [panel for panel in bpy.types.Panel.__subclasses__() if getattr(panel, "bl_category", "") == "Motion"]
    with bpy.context.temp_override(**context):
        for panel in (each for each in panels if each.bl_space_type == "VIEW_3D"):
            if panel.poll(bpy.context) if hasattr(panel, "poll") else True:
                found.append((panel.bl_label, ""))
                panel.draw(SimpleNamespace(layout=_Reader(found)), bpy.context)
    return found


def look(window: Window, *, forget: bool = False) -> None:
    """Note the names that are shown now: those of the tab, and what F9 would offer."""
    if forget:
        _seen.clear()
    _seen.update(text for text, _operator in shown(window))
    _seen.add(window.region("VIEW_3D", "UI").active_panel_category)
    for last in bpy.context.window_manager.operators[-1:]:
        _seen.update(prop.name for prop in last.properties.bl_rna.properties)


def seen_names() -> set[str]:
    """All names that were shown since the step began."""
    return _seen


def press_button(window: Window, label: str, *, follows_mouse: bool = False) -> Steps:
    """Click a button of the tab by the name that it shows, and wait for what it does."""
    look(window)
    operators = {operator for text, operator in shown(window) if text == label and operator}
    check_equal(len(operators), 1, f"operators of buttons called {label}, which are {operators}")
    before = _done(window)
    yield from window.click_operator(operators.pop())
    yield from wait_until(lambda: _done(window) != before, f"{label} should do something")
    if not follows_mouse:
        yield from work_done(window)


def _done(window: Window) -> object:
    """What changes as soon as a button has done something, or has begun to."""
    last = [each.as_pointer() for each in bpy.context.window_manager.operators[-1:]]
    return len(messages(window)), last, len(window.blender.modal_operators), shown(window)


def work_done(window: Window) -> Steps:
    """Wait for long work."""
    yield from wait_until(lambda: not window.blender.modal_operators, "the tool should come to its end", 120.0)


def in_panel(window: Window, panel: str, label: str, *, follows_mouse: bool = False) -> Steps:
    """Open a panel, close the others, and click one of its buttons."""
    from manual_pictures import open_panel

    look(window)
    yield from open_panel(window, panel)
    yield from press_button(window, label, follows_mouse=follows_mouse)


def fill_in(window: Window, place: Point, text: str) -> Steps:
    """Double-click a number and type another one."""
    yield from window.click(place.x, place.y)
    yield from window.press("A", ctrl=True)
    yield from window.type_text(text)
    yield from window.press("RET")
    yield REDRAW_PAUSE


def set_field(window: Window, data_path: str, text: str) -> Steps:
    """Type a number into a field of the tab."""
    place = yield from window.find_property_button(data_path)
    yield from fill_in(window, place, text)


def choose_item(window: Window, data_path: str, number: int) -> Steps:
    """Click a choice of the tab, and an item of the list that opens below it."""
    place = yield from window.find_property_button(data_path)
    yield from window.click(place.x, place.y)
    yield from window.screenshot("choice")
    yield from window.click(place.x, place.y - _FIRST_ITEM - _ITEM * number)


def adjusted(window: Window, name: str) -> Generator[float, None, Point]:
    """Press F9 and look for a property of the last operator by right clicks, whose menus know it."""
    known: list[str] = []

    def note(_menu: object, context: bpy.types.Context) -> None:
        known.append(context.button_prop.name if getattr(context, "button_prop", None) else "")

    start = window.middle_of(window.region("VIEW_3D"))
    yield from window.move(start.x - 100, start.y + 100)
    yield from window.press("F9")
    yield from window.screenshot("f9")
    bpy.types.UI_MT_button_context_menu.append(note)
    try:
        for below in range(40, 400, 12):
            yield from window.move(start.x + 60, start.y + 100 - below)
            yield from window.press("RIGHTMOUSE")
            yield REDRAW_PAUSE / 2
            if known:
                yield from window.press("ESC")
                yield EVENT_PAUSE
            if name in known:
                return Point(start.x + 60, start.y + 100 - below)
            known.clear()
    finally:
        bpy.types.UI_MT_button_context_menu.remove(note)
    raise ScenarioError(f"F9 should offer {name}")


def switch_after(window: Window, name: str) -> Steps:
    """Press F9, click a tick box of the last operator, and leave."""
    place = yield from adjusted(window, name)
    yield from window.click(place.x, place.y)
    yield from leave_adjusting(window)


def leave_adjusting(window: Window) -> Steps:
    """Close F9's panel; what was changed stays."""
    yield from window.press("ESC")
    yield REDRAW_PAUSE


def play(window: Window) -> Steps:
    """Press Space over the 3D View, watch some frames, press it again."""
    frames = set()

    def seen() -> bool:
        frames.add(bpy.context.scene.frame_current)
        return len(frames) > 3

    yield from window.hover(window.region("VIEW_3D"))
    yield from window.press("SPACE")
    yield from wait_until(seen, "Space should play the motion", 60.0)
    yield from window.press("SPACE")
    yield from wait_until(lambda: not window.blender.screen.is_animation_playing, "Space should stop playing")


def switch_mode(window: Window, mode: str) -> Steps:
    """Press Ctrl+Tab over the 3D View."""
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.press("TAB", ctrl=True)
    yield REDRAW_PAUSE
    check_equal(bpy.context.object.mode, mode, "mode after Ctrl+Tab")


def choose_tab(window: Window, tab: str) -> Steps:
    """Press N over the 3D View and click down the tabs until the wanted one is shown."""
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.press("N")
    yield REDRAW_PAUSE
    region = window.region("VIEW_3D", "UI")
    check(region.width > 1, "N should open the sidebar")
    for y in range(region.y + region.height - 20, region.y, -40):
        yield from window.click(region.x + region.width - 10, y)
        if window.region("VIEW_3D", "UI").active_panel_category == tab:
            return
    raise ScenarioError(f"the sidebar should have a tab {tab}")


def drag_timeline_up(window: Window, pixels: int) -> Steps:
    """Drag the upper edge of the Timeline."""
    area = window.area("DOPESHEET_EDITOR")
    edge, before = Point(area.x + area.width // 2, area.y + area.height), area.height
    yield from window.drag(edge, Point(edge.x, edge.y + pixels))
    check(window.area("DOPESHEET_EDITOR").height > before + pixels / 2, "the Timeline should be higher")


def go_to(window: Window, frame: int) -> Steps:
    """Click a frame on the ruler of the Timeline."""
    region = window.region("DOPESHEET_EDITOR")
    across, _up = region.view2d.view_to_region(frame, 0.0, clip=False)
    yield from window.click(region.x + across, region.y + region.height - 10)
    check_equal(bpy.context.scene.frame_current, frame, "frame after a click on the ruler")


def messages(window: Window) -> list[str]:
    """What tools have reported so far, in the status bar and on the console."""
    ctypes.CDLL(None).fflush(None)
    lines = (window.results / "output.txt").read_text(errors="replace").splitlines()
    return [line.partition(" | ")[2] for line in lines if "operator " in line and " | " in line]
