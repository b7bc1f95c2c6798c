"""The lane of pose icons with a small provider of its own: seen, zoomed, dragged, painted, its menu, undone."""

from __future__ import annotations

import json
import time
from typing import Any

import bpy
import numpy as np
from harness import Window, check, check_equal, wait_until
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Point, Steps

ADDON = "bl_ext.user_default.motion_editing"
HIGH_AREA, ICONS, ZOOM_STEPS, MOVED = 420, 40, 9, 7
STATE = "icon lane"
MENU = (("ALIGN", "Temporal Alignment"), ("MEAN", "Mean Rotation"), ("VARIANCE", "Rotation Variance"))


def module(path: str) -> Any:
    """A module of the installed extension."""
    return __import__(f"{ADDON}.{path}", fromlist=["_"])


class SampleProvider:
    """Icons of the sample motion; what is edited is kept with the scene, so that it can be undone."""

    def __init__(self) -> None:
        """Rank the frames and project their poses."""
        clip = module("motion_editing_addon.scope").read_clip(bpy.context, bpy.context.object)
        figure = module("core.pose_picture.figure").figure_of(clip.motion, np.array([0.0, 0.0, 1.0]))
        body = module("core.body").find_body(clip.motion.skeleton)
        self._data = module("motion_editing_addon.strip.icon_data")
        self._frames = clip.frames
        ranked = module("core.timeline.key_poses").key_poses(clip.motion, body).order[:ICONS]
        self._ranked = [int(frame) for frame in ranked]
        angles = module("core.timeline.projection").view_angles(figure.points, clip.motion.times, (0.0, 0.0, 1.0))
        points = np.concatenate([figure.points, figure.head[:, None]], axis=1)
        height = float(points[..., 2].max())
        self._points = [self._flat(points[frame], angles[frame], height) for frame in self._ranked]
        names = (*clip.motion.skeleton.names, *clip.motion.skeleton.names, "head")
        bones = tuple((segment.start, segment.end) for segment in figure.segments)
        self._row = self._data.IconRow("Sample", names, bones, len(names) - 1)
        self._known: tuple[str, Any] = ("", None)
        self.characters = 1
        self.calls: list[tuple] = []

    @staticmethod
    def _flat(points: np.ndarray, angle: float, height: float) -> np.ndarray:
        right, up, _towards = module("core.pose_picture.view").screen_axes(angle, (0.0, 0.0, 1.0))
        flat = np.stack([points @ right, points @ up], axis=1) / height
        flat[:, 0] -= 0.5 * (flat[:, 0].min() + flat[:, 0].max())
        return flat

    def state(self) -> dict[str, Any]:
        """Windows, moved icons and painted joints."""
        return json.loads(bpy.context.scene.get(STATE, '{"windows": [], "moved": {}, "painted": []}'))

    def keep(self, **changes: Any) -> None:
        """Save a change of the state."""
        bpy.context.scene[STATE] = json.dumps({**self.state(), **changes})

    def data(self, context: Any) -> Any:
        """The state as the lane shows it."""
        text = context.scene.get(STATE, "")
        if self._known[1] is None or self._known[0] != text:
            self._known = (text, self._made(self.state()))
        return self._known[1]

    def _made(self, state: dict[str, Any]) -> Any:
        painted = np.isin(np.arange(len(self._row.point_names)), state["painted"])
        icons = tuple(
            self._icon(number, state["moved"], painted, row)
            for row in range(self.characters)
            for number in range(ICONS)
        )
        rows = (self._row, self._row._replace(name="Second"))[: self.characters]
        windows = tuple(
            self._data.IconWindow(start, end, self._data.WindowKind(kind), ticked, similarity)
            for start, end, kind, ticked, similarity in state["windows"]
        )
        frames = np.arange(self._frames[0], self._frames[-1], 0.5)
        loud = np.abs(np.sin(frames / 3.0)) * np.exp(-((frames % 24.0) / 9.0))
        steps = self._frames[0] + np.arange(12.0, len(self._frames), 24.0)
        sound = {"waveform_frames": frames, "waveform_low": -loud, "waveform_high": 0.9 * loud}
        return self._data.IconLaneData(
            icons, rows, windows, **sound, beats=steps, contact_times=steps + 3.0, selected=(3,)
        )

    def _icon(self, number: int, moved: dict[str, float], painted: np.ndarray, row: int) -> Any:
        points = self._points[number]
        low = points[:, 1] < points[:, 1].min() + 0.03
        colliding = (np.arange(len(points)) == len(points) - 1) & (number == 5)
        frame = moved.get(str(number), float(self._frames[self._ranked[number]]))
        identifier = number + row * ICONS
        return self._data.PoseIcon(identifier, frame + 6.0 * row, points, number, row, painted, low, colliding)

    def set_window(self, _context: Any, start: float, end: float) -> None:
        """The window, and three like it."""
        similar = [
            (start + 50 * each, end + 50 * each, "propagation", each != 3, 0.99 - 0.09 * each) for each in (1, 2, 3)
        ]
        self.keep(windows=[(start, end, "operation", True, 1.0), *similar])

    def drag_window_end(self, _context: Any, window: int, frame: float, *, final: bool) -> None:
        """Longer or shorter."""
        windows = self.state()["windows"]
        windows[window][1] = frame
        self.keep(windows=windows)
        self.calls.append(("drag_window_end", final))

    def drag_icon(self, _context: Any, icon: int, frame: float, *, final: bool) -> None:
        """Earlier or later."""
        self.keep(moved={**self.state()["moved"], str(icon): frame})
        self.calls.append(("drag_icon", final))

    def toggle_window(self, _context: Any, window: int) -> None:
        """Turn a tick over."""
        windows = self.state()["windows"]
        windows[window][3] = not windows[window][3]
        self.keep(windows=windows)

    def paint(self, _context: Any, _icon: int, joint: int) -> None:
        """Turn paint over, of this joint in all icons."""
        painted = set(self.state()["painted"])
        self.keep(painted=sorted(painted ^ {joint}))

    def menu(self, _context: Any, _window: int) -> tuple:
        """Always the same."""
        return MENU

    def drop(self, _context: Any, identifier: str, source: int, target: int | None) -> None:
        """Remember what was asked for."""
        self.keep(dropped=[identifier, source, target])

    def cancel(self, _context: Any) -> None:
        """Windows and icons as they were before the drag."""
        bpy.context.scene[STATE] = self.before


PROVIDER: SampleProvider | None = None


def scenario(window: Window) -> Steps:
    """Everything the lane does."""
    global PROVIDER
    bpy.ops.motion_editing.load_sample_motion()
    PROVIDER = SampleProvider()
    PROVIDER.keep()
    strip = module("motion_editing_addon.strip")
    strip.add_lane(strip.IconLane(PROVIDER))
    bpy.ops.ed.undo_push(message="Icons")
    yield from enlarge(window)
    yield from window.screenshot("icons")
    yield from new_window(window)
    yield from redraws(window)
    yield from hovering(window)
    yield from drag_icon(window)
    yield from drag_end(window)
    yield from tick(window)
    yield from paint(window)
    yield from menu(window)
    yield from double_click(window)
    yield from scales(window)
    strip.remove_lane("icons")


def enlarge(window: Window) -> Steps:
    """Make the Timeline high enough and show all frames."""
    area = window.area("DOPESHEET_EDITOR")
    edge = (area.x + area.width // 2, area.y + area.height)
    with bpy.context.temp_override(window=window.blender, screen=window.blender.screen):
        bpy.ops.screen.area_move(x=edge[0], y=edge[1], delta=HIGH_AREA - area.height)
    yield REDRAW_PAUSE
    yield from view(window, "view_all")


def view(window: Window, operator: str) -> Steps:
    """Call an operator that changes the view of the Timeline."""
    area, region = window.area("DOPESHEET_EDITOR"), window.region("DOPESHEET_EDITOR")
    with bpy.context.temp_override(window=window.blender, area=area, region=region):
        owner = bpy.ops.action if operator == "view_all" else bpy.ops.view2d
        getattr(owner, operator)()
    yield REDRAW_PAUSE


def place_of(window: Window, name: str = "icons") -> tuple[Any, Any]:
    """The lane, and how its frames and heights become pixels."""
    overlay, theme = module("motion_editing_addon.strip.overlay"), module("motion_editing_addon.drawing.theme")
    area, region = window.area("DOPESHEET_EDITOR"), window.region("DOPESHEET_EDITOR")
    with bpy.context.temp_override(window=window.blender, area=area, region=region):
        placed = next(each for each in overlay.stack_in(bpy.context).lanes if each.lane.name == name)
    return placed.lane, overlay.placement_in(region, placed, theme.ui_scale(bpy.context))


def ground_at(window: Window, frame: float, height: float) -> Point:
    """A frame and a height of the lane in the window."""
    region, (_lane, placement) = window.region("DOPESHEET_EDITOR"), place_of(window)
    return Point(region.x + round(placement.across(frame)), region.y + round(placement.up(height)))


def header_at(window: Window, frame: float, beside: float = 0.0) -> Point:
    """A frame in the windows' headers, pixels at a UI scale of 1 beside it."""
    lane, placement = place_of(window)
    point = ground_at(window, frame, lane._picture.geometry.header_bottom + 8.0)
    return Point(point.x + round(beside * placement.scale[1]), point.y)


def point_of(window: Window, icon: int, name: str) -> Point:
    """A joint of an icon in the window."""
    lane, placement = place_of(window)
    geometry, places = lane._picture.geometry, module("motion_editing_addon.strip.icon_geometry")
    given = geometry.data.icons[icon]
    joint = geometry.data.rows[0].point_names.index(name)
    across, up = places.figure_points(given)[joint]
    ground = ground_at(window, given.frame, geometry.ground(given) + up)
    return Point(ground.x + round(across * placement.scale[1]), ground.y)


def press_and_move(window: Window, start: Point, end: Point) -> Steps:
    """Press the button and move it in small steps, without letting go."""
    yield from window.move(start.x, start.y)
    window.send("LEFTMOUSE", "PRESS")
    yield EVENT_PAUSE
    for step in range(1, 9):
        share = step / 8.0
        yield from window.glide(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
        yield EVENT_PAUSE


def let_go(window: Window) -> Steps:
    """Release the button, and wait for the operator that goes on by itself."""
    window.send("LEFTMOUSE", "RELEASE")
    yield REDRAW_PAUSE
    yield from wait_until(lambda: not window.blender.modal_operators, "the gesture's operator should end")
    yield REDRAW_PAUSE / 2


def new_window(window: Window) -> Steps:
    """Drag across the ground, in the header so that no icon is in the way; undo and redo."""
    yield from press_and_move(window, header_at(window, 30.0), header_at(window, 55.0))
    yield from window.screenshot("dragging-across")
    check_equal(PROVIDER.state()["windows"], [], "windows before the button is up")
    yield from let_go(window)
    first = PROVIDER.state()["windows"][0]
    check(abs(first[0] - 30.0) <= 1.0 and abs(first[1] - 55.0) <= 1.0, f"the window should be 30 to 55, not {first}")
    yield from window.screenshot("windows")
    yield from window.undo()
    check_equal(PROVIDER.state()["windows"], [], "windows after Ctrl+Z")
    yield from window.redo()
    check_equal(len(PROVIDER.state()["windows"]), 4, "windows after Shift+Ctrl+Z")


def redraws(window: Window) -> Steps:
    """Nothing is built by redraws, scrolling and zooming out; zooming in builds what is shown for the first time."""
    painter = module("motion_editing_addon.drawing.painter")
    yield from window.hover(window.region("VIEW_3D"))
    yield REDRAW_PAUSE

    def counts() -> tuple[int, int]:
        return painter.kept.builds, painter.figure_batches.builds

    before = counts()
    lane, placement = place_of(window)
    shown = len(lane.pictures(placement)[1].figures)
    check(before[1] > 5, "drawing figures should build batches")
    for _redraw in range(3):
        window.area("DOPESHEET_EDITOR").tag_redraw()
        yield REDRAW_PAUSE
    check_equal(counts(), before, "batches built by redraws of nothing new")
    yield from view(window, "scroll_right")
    yield from view(window, "zoom_out")
    check_equal(counts(), before, "batches built by scrolling and zooming out")
    for _step in range(ZOOM_STEPS):
        yield from view(window, "zoom_in")
    yield from window.screenshot("zoomed-in")
    lane, placement = place_of(window)
    appeared = len(lane.pictures(placement)[1].figures) - shown
    check(appeared > 5, f"zooming in should show more figures, not {appeared}")
    check_equal(counts()[0], before[0], "batches of windows and sound built by zooming")
    built = counts()[1] - before[1]
    check(built <= appeared, f"zooming in should build the {appeared} figures that appear at most, not {built}")
    zoomed = counts()
    yield from view(window, "view_all")
    for _step in range(ZOOM_STEPS):
        yield from view(window, "zoom_in")
    check_equal(counts(), zoomed, "batches built by zooming out and in again")
    yield from measure(window)
    yield from view(window, "view_all")


class Driver:
    """Adds up how long the graphics driver takes: here it draws without a graphics card."""

    spent = 0.0

    @classmethod
    def timed(cls, work: Any) -> Any:
        """The same work, taking the time."""

        def work_in_time(*values: Any) -> None:
            start = time.perf_counter()
            work(*values)
            cls.spent += time.perf_counter() - start

        return work_in_time


class TimedBatch:
    """A batch whose drawing is the driver's time."""

    def __init__(self, batch: Any) -> None:
        """Stand in for a batch."""
        self.draw = Driver.timed(batch.draw)


def measure(window: Window) -> Steps:
    """Say how long a redraw of 40 icons takes, and how much of it is not the graphics driver's."""
    overlay, painter = module("motion_editing_addon.strip.overlay"), module("motion_editing_addon.drawing.painter")
    lane, spent, own = place_of(window)[0], [], []
    usual, build, write = lane.pictures, painter._batch, painter.blf.draw
    # All icons at once, whatever room they have.
    lane.pictures = lambda _placement: (lane._picture.ground, lane._picture.figures(1e9))
    painter._batch = lambda *content: TimedBatch(build(*content))
    painter.blf.draw = Driver.timed(write)
    painter.kept.clear()
    painter.figure_batches.clear()

    def timed() -> None:
        Driver.spent, start = 0.0, time.perf_counter()
        overlay._draw()
        spent.append(time.perf_counter() - start)
        own.append(spent[-1] - Driver.spent)

    handle = bpy.types.SpaceDopeSheetEditor.draw_handler_add(timed, (), "WINDOW", "POST_PIXEL")
    yield from view(window, "view_all")
    for _redraw in range(8):
        window.area("DOPESHEET_EDITOR").tag_redraw()
        yield REDRAW_PAUSE
    bpy.types.SpaceDopeSheetEditor.draw_handler_remove(handle, "WINDOW")
    lane.pictures, painter._batch, painter.blf.draw = usual, build, write
    total, ours = (1000.0 * float(np.median(each)) for each in (spent, own))
    print(f"drawing the strip with {ICONS} icons takes {total:.2f} ms, {ours:.2f} ms without the driver", flush=True)


def hovering(window: Window) -> Steps:
    """The mouse over a joint, a window and its end."""
    status = module("motion_editing_addon.strip.status")
    point = point_of(window, 0, "forearm.R")
    yield from window.move(point.x, point.y)
    yield from window.screenshot("hover-joint")
    check("Paint Joint" in status.shown(), f"the status bar should offer painting, not '{status.shown()}'")
    point = header_at(window, PROVIDER.state()["windows"][1][0], 35.0)
    yield from window.move(point.x, point.y)
    yield from window.screenshot("hover-window")
    check("New Window" in status.shown(), f"the status bar should offer a new window, not '{status.shown()}'")


def drag_icon(window: Window) -> Steps:
    """Drag a pose, give it up, drag it for good and undo it."""
    PROVIDER.before = bpy.context.scene[STATE]
    start = point_of(window, MOVED, "spine")
    end = Point(start.x + 40, start.y)
    yield from press_and_move(window, start, end)
    yield from window.screenshot("dragging-icon")
    check(str(MOVED) in PROVIDER.state()["moved"], "the icon should follow the mouse")
    yield from window.press("ESC")
    window.send("LEFTMOUSE", "RELEASE")
    yield REDRAW_PAUSE
    check_equal(PROVIDER.state()["moved"], {}, "moved icons after Esc")
    yield from press_and_move(window, start, end)
    yield from let_go(window)
    check_equal(PROVIDER.calls[-1], ("drag_icon", True), "last call when the icon is let go")
    check(str(MOVED) in PROVIDER.state()["moved"], "the icon should stay where it was let go")
    yield from window.undo()
    check_equal(PROVIDER.state()["moved"], {}, "moved icons after Ctrl+Z")


def drag_end(window: Window) -> Steps:
    """Stretch the blue window."""
    end = PROVIDER.state()["windows"][0][1]
    yield from press_and_move(window, header_at(window, end), header_at(window, end + 12.0))
    yield from window.screenshot("dragging-end")
    yield from let_go(window)
    found = PROVIDER.state()["windows"][0][1]
    check(abs(found - end - 12.0) < 1.0, f"the window should end 12 frames later, not {found - end}")
    yield from window.undo()


def tick(window: Window) -> Steps:
    """Turn the tick of a green window over."""
    places = module("motion_editing_addon.strip.icon_geometry")
    point = header_at(window, PROVIDER.state()["windows"][1][0], places.TICK_MIDDLE)
    yield from window.click(point.x, point.y)
    check_equal(PROVIDER.state()["windows"][1][3], False, "tick after a click")
    yield from window.screenshot("unticked")
    yield from window.undo()
    check_equal(PROVIDER.state()["windows"][1][3], True, "tick after Ctrl+Z")


def paint(window: Window) -> Steps:
    """Paint one joint by a click, more with the brush; each is one undo step."""
    point = point_of(window, 0, "forearm.R")
    yield from window.click(point.x, point.y)
    check_equal(len(PROVIDER.state()["painted"]), 1, "painted joints after a click")
    window.send("LEFT_CTRL", "PRESS", ctrl=True)
    places = [point_of(window, 0, name) for name in ("upper_arm.L", "forearm.L", "hand.L")]
    yield from window.move(places[0].x, places[0].y)
    window.send("LEFTMOUSE", "PRESS", ctrl=True)
    yield EVENT_PAUSE
    for place in places:
        yield from window.glide(place.x, place.y)
        yield EVENT_PAUSE
    window.send("LEFTMOUSE", "RELEASE", ctrl=True)
    yield EVENT_PAUSE
    window.send("LEFT_CTRL", "RELEASE")
    yield REDRAW_PAUSE
    painted = len(PROVIDER.state()["painted"])
    check(painted >= 4, f"the brush should have painted three more joints, there are {painted}")
    yield from window.screenshot("painted")
    yield from window.undo()
    check_equal(len(PROVIDER.state()["painted"]), 1, "painted joints after Ctrl+Z")
    yield from window.redo()


def open_menu(window: Window, frame: float) -> Steps:
    """Right click on a window and give its menu."""
    point = header_at(window, frame)
    yield from window.click(point.x, point.y, "RIGHTMOUSE")
    opened = module("motion_editing_addon.strip.open_popup")._opened
    check(opened is not None, "a right click on a window should open its menu")


def entry_at(window: Window, number: int) -> Point:
    """An entry of the open menu in the window."""
    popup, region = module("motion_editing_addon.strip.open_popup")._opened.popup, window.region("DOPESHEET_EDITOR")
    sizes = module("motion_editing_addon.strip.popup")
    down = (sizes.PADDING + sizes.TITLE + sizes.ENTRY * (number + 0.5)) * popup.pixel
    return Point(region.x + round(popup.left + 40), region.y + round(popup.top - down))


def menu(window: Window) -> Steps:
    """Open the menu, drag a feature onto a window and onto the ground, click one, close it."""
    windows = PROVIDER.state()["windows"]
    source, second = windows[0][0] + 8.0, windows[2][0] + 14.0
    yield from open_menu(window, source)
    place = entry_at(window, 1)
    yield from window.move(place.x, place.y)
    yield from window.screenshot("menu")
    yield from press_and_move(window, place, header_at(window, second))
    yield from window.screenshot("dragging-feature")
    yield from let_go(window)
    check_equal(PROVIDER.state().get("dropped"), ["MEAN", 0, 2], "feature dropped on a window")
    yield from open_menu(window, source)
    yield from press_and_move(window, entry_at(window, 0), header_at(window, windows[-1][1] + 8.0))
    yield from let_go(window)
    check_equal(PROVIDER.state().get("dropped"), ["ALIGN", 0, None], "feature dropped on the ground")
    yield from open_menu(window, second)
    place = entry_at(window, 2)
    yield from window.click(place.x, place.y)
    check_equal(PROVIDER.state().get("dropped"), ["VARIANCE", 2, None], "feature clicked")
    yield from window.undo()
    check_equal(PROVIDER.state().get("dropped"), ["ALIGN", 0, None], "feature after Ctrl+Z")
    for button in ("ESC", "RIGHTMOUSE"):
        yield from open_menu(window, source)
        yield from window.press(button)
        yield REDRAW_PAUSE
        check(module("motion_editing_addon.strip.open_popup")._opened is None, f"{button} should close the menu")
    check_equal(PROVIDER.state().get("dropped"), ["ALIGN", 0, None], "feature after closing the menu")


def double_click(window: Window) -> Steps:
    """A double-click in the time lane is one undo step: its first click leaves none."""
    bpy.ops.motion_editing.add_keytime(frame=100)
    bpy.ops.ed.undo_push(message="Keytime")
    bpy.context.scene.frame_end += 7
    bpy.ops.ed.undo_push(message="Longer scene")
    yield REDRAW_PAUSE
    region, (_lane, placement) = window.region("DOPESHEET_EDITOR"), place_of(window, "time")
    height = module("motion_editing_addon.strip.time_geometry").NEW_MIDDLE
    point = Point(region.x + round(placement.across(150)), region.y + round(placement.up(height)))
    longer = bpy.context.scene.frame_end
    # Simulated events are never double-clicks, so a key stands in for the second click.
    keymap = bpy.context.window_manager.keyconfigs.addon.keymaps["Dopesheet"]
    item = keymap.keymap_items.new("motion_editing.strip_add", "F5", "PRESS", head=True)
    yield from window.click(point.x, point.y)
    yield from window.press("F5")
    yield REDRAW_PAUSE
    keymap.keymap_items.remove(item)
    check_equal(len(keytimes()), 4, "keytimes after the double-click")
    yield from window.undo()
    check_equal((len(keytimes()), bpy.context.scene.frame_end), (3, longer), "keytimes and length after Ctrl+Z")
    yield from window.undo()
    check_equal(bpy.context.scene.frame_end, longer - 7, "length of the scene after Ctrl+Z twice")
    bpy.ops.motion_editing.clear_keytimes()


def keytimes() -> Any:
    """The keytimes that are saved with the action."""
    return bpy.context.object.animation_data.action.motion_editing_time.keytimes


def scales(window: Window) -> Steps:
    """Large letters, a low editor, the Dope Sheet."""
    bpy.context.preferences.view.ui_scale = 1.5
    yield REDRAW_PAUSE
    yield from window.screenshot("large")
    point = point_of(window, 0, "forearm.R")
    yield from window.move(point.x, point.y)
    yield EVENT_PAUSE
    hovered = module("motion_editing_addon.strip.hovering").current()
    check(hovered is not None and hovered.item.number == 0, f"the icon should be under the mouse, not {hovered}")
    yield from open_menu(window, PROVIDER.state()["windows"][0][0] + 4.0)
    yield from window.screenshot("large-menu")
    yield from window.press("ESC")
    bpy.context.preferences.view.ui_scale = 1.0
    PROVIDER.characters = 2
    PROVIDER.keep(painted=[])
    window.area("DOPESHEET_EDITOR").ui_type = "DOPESHEET"
    yield REDRAW_PAUSE
    yield from window.screenshot("dope-sheet-two-characters")
    bpy.context.preferences.view.ui_scale = 1.9
    yield REDRAW_PAUSE
    yield from window.screenshot("squeezed")
