"""Edit one step, change all: select it, see the others light up, stretch it, transfer a feature, undo all of it."""

from __future__ import annotations

import bpy
import numpy as np
from curve_snapshot import CurveSnapshot, snapshot
from harness import Window, check, check_equal, wait_until
from lane_gestures import enlarge, entry_at, header_at, let_go, module, open_menu, place_of, point_of, press_and_move
from manual_pictures import show_figure
from timeline_in_window import check_last_operator, check_same, icon_frames, shown, spans, ticks, timeline
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Point, Steps

# A step of the left foot at 24 frames a second, the two others of this foot, and how far they may be off.
START, END = 26.0, 39.0
OTHERS, NEAR = ((52.0, 64.0), (143.0, 156.0)), 1.5
LONGER = 10.0  # frames by which the step is stretched
LATER = 3.0  # frames by which a pose is shown later
SHOWN_FRAME = 45  # moves along when the step before it gets longer
ARM = ("upper_arm.R", "forearm.R")
EMPTY = 100.0  # a frame in no window


def pose() -> list[float]:
    """Where the bones are on the rig."""
    posed = bpy.context.object.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [value for bone in posed.pose.bones for row in bone.matrix for value in row]


def scenario(window: Window) -> Steps:
    """The paper's walk, with steps of the sample motion."""
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    bpy.ops.motion_editing.load_sample_motion()
    show_figure(window, SHOWN_FRAME)
    bpy.ops.ed.undo_push(message="Sample motion")
    original, fingerprint = snapshot(), keys_fingerprint()
    yield from enlarge(window)
    yield from window.screenshot("before")
    yield from select(window)
    yield from untick(window)
    yield from stretch(window)
    yield from move_pose(window)
    yield from paint(window)
    yield from transfer_to_one(window)
    yield from transfer_to_all(window)
    yield from propagate(window)
    yield from undo_all(window, steps=9)  # one for each gesture since the first drag
    check_same(original, "after everything is undone")
    check_equal(keys_fingerprint(), fingerprint, "fingerprint after everything is undone")


def keys_fingerprint() -> str:
    """What the extension itself tells changed keys by."""
    return module("motion_editing_addon.border.action_io").fingerprint(bpy.context.object)


def select(window: Window) -> Steps:
    """Drag across one step: those of the same foot light up; undo and redo."""
    yield from press_and_move(window, header_at(window, START), header_at(window, END))
    yield from window.screenshot("dragging-across")
    yield from let_go(window)
    yield from wait_until(lambda: timeline().has_window, "dragging across the strip should set the window")
    check_windows()
    yield from window.screenshot("similar")
    yield from window.undo()
    check(not timeline().has_window, "Ctrl+Z should take the window away")
    yield from window.redo()
    check_windows()


def check_windows() -> None:
    """The step that was dragged across, and the others of its foot, all ticked."""
    found = spans()
    expected = [(START, END), *OTHERS]
    check_equal(len(found), len(expected), f"number of windows, which are {found}")
    check(np.abs(np.subtract(found, expected)).max() < NEAR, f"windows should be {expected}, not {found}")
    check_equal(ticks(), [True, True], "ticks of the steps that were found")


def untick(window: Window) -> Steps:
    """Click a tick box: this step will be left alone."""
    yield from click_tick_box(window, 1)
    check_equal(ticks(), [True, False], "ticks after a click on the last box")
    yield from window.screenshot("unticked")


def click_tick_box(window: Window, number: int) -> Steps:
    """Click the tick box of one of the other steps."""
    places = module("motion_editing_addon.timeline.lane.icon_geometry")
    point = header_at(window, timeline().windows[number].start, places.TICK_MIDDLE)
    yield from window.click(point.x, point.y)
    yield REDRAW_PAUSE


def stretch(window: Window) -> Steps:
    """Drag the end of the step: rig and icons follow; Esc, then for good, then undo."""
    before, rig, icons = snapshot(), pose(), icon_frames(window)
    yield from drag_end(window)
    yield from window.screenshot("stretching")
    check(pose() != rig, "the rig should show the new timing while the end is dragged")
    check(icon_frames(window) != icons, "the icons should stand at their new frames while the end is dragged")
    check_same(before, "while the end is dragged")
    yield from window.press("ESC")
    yield from let_go(window)
    check_same(before, "after Esc")
    check_equal(pose(), rig, "rig after Esc")
    check_equal(icon_frames(window), icons, "icons after Esc")
    old_spans = spans()
    yield from drag_end(window)
    yield from let_go(window)
    yield from window.screenshot("stretched")  # before the report in the status bar fades
    check_stretched(before, snapshot(), old_spans)
    check_last_operator("Stretch Windows")
    yield from window.undo()
    check_same(before, "after Ctrl+Z")


def drag_end(window: Window) -> Steps:
    """Take the end of the blue window with the mouse to a later frame."""
    end = timeline().end
    yield from press_and_move(window, header_at(window, end), header_at(window, end + LONGER))


def check_stretched(before: CurveSnapshot, after: CurveSnapshot, old_spans: list[tuple[float, float]]) -> None:
    """Both ticked steps are longer by one factor; all else, and the step without a tick, is only shifted."""
    (first, end), (second, second_end), (third, third_end) = old_spans
    check(abs(before.shift_in(after, 3, first - 1)) < 0.01, "nothing before the first window should move")
    shift = before.shift_in(after, end + 1, second - 1)
    check(abs(shift - LONGER) < 0.7, f"the end should be where the mouse let it go, {LONGER} later, not {shift}")
    factor = 1.0 + shift / (end - first)
    last_shift = shift + (factor - 1.0) * (second_end - second)
    parts = ((second_end + 1, third - 1), (third, third_end), (third_end + 1, 280))
    for start, stop in parts:
        found = before.shift_in(after, start, stop)
        check(abs(found - last_shift) < 0.15, f"{start} to {stop} should be {last_shift:.2f} later, not {found:.2f}")
    lengths = [window_end - start for start, window_end in spans()]
    wanted = [factor * (end - first), factor * (second_end - second), third_end - third]
    check(np.allclose(lengths, wanted, atol=0.3), f"lengths of the windows should be {wanted}, not {lengths}")


def move_pose(window: Window) -> Steps:
    """Drag an icon within the step: its pose, and its like in the other ticked step, are seen later."""
    before = snapshot()
    icons = shown(window).icons
    inside = [number for number, icon in enumerate(icons) if START + 2 < icon.frame < END - 2]
    check(inside, f"an icon should stand between {START} and {END}, they are at {icon_frames(window)}")
    number, frame = inside[0], icons[inside[0]].frame
    start, beside = point_of(window, number, "spine"), header_at(window, frame + LATER)
    yield from press_and_move(window, start, Point(beside.x + start.x - header_at(window, frame).x, start.y))
    yield from window.screenshot("moving-a-pose")
    check_same(before, "while a pose is dragged")
    yield from let_go(window)
    check_last_operator("Move Pose")
    found = before.shift_in(snapshot(), frame, frame)
    check(abs(found - LATER) < 0.6, f"the pose at frame {frame} should be {LATER} frames later, not {found}")
    _bones, frames = before.changed(snapshot())
    check_inside(frames, [(START, END), OTHERS[0]])
    check(any(OTHERS[0][0] < each < OTHERS[0][1] for each in frames), "the other ticked step should follow")
    yield from window.undo()
    check_same(before, "after Ctrl+Z")


def check_inside(frames: set[float], windows: list[tuple[float, float]]) -> None:
    """Changed frames must lie within the windows."""
    outside = [each for each in frames if not any(start - NEAR <= each <= end + NEAR for start, end in windows)]
    check(
        frames and not outside, f"keys should change in {windows} only, but did at {sorted(outside)} of {len(frames)}"
    )


def paint(window: Window) -> Steps:
    """Click the joints of an arm on an icon."""
    for name in ARM:
        point = clickable_joint(window, name)
        yield from window.move(point.x, point.y)
        yield EVENT_PAUSE
        yield from window.click(point.x, point.y)
        yield REDRAW_PAUSE
    check_equal({item.name for item in timeline().painted}, set(ARM), "painted bones")
    yield from window.screenshot("painted")


def clickable_joint(window: Window, name: str) -> Point:
    """A place where this joint of some icon is nearer to the mouse than any other."""
    region, (lane, placement) = window.region("DOPESHEET_EDITOR"), place_of(window)
    data = lane._picture.data
    for number, icon in enumerate(data.icons):
        point = point_of(window, number, name)
        item = lane.hit(point.x - region.x, point.y - region.y, placement)
        if item.number == icon.identifier and item.joint == data.rows[0].point_names.index(name):
            return point
    raise AssertionError(f"no icon shows {name} in the open")


def transfer_to_one(window: Window) -> Steps:
    """Drag the mean rotation from the window's menu onto another one: the arm changes there, and nothing else."""
    before = snapshot()
    yield from drag_mean_rotation(window, 0.5 * sum(OTHERS[0]), "dragging-a-feature")
    check_last_operator("Transfer Mean Rotation")
    bones, frames = before.changed(snapshot())
    check_equal(bones, set(ARM), "bones changed by the feature")
    check_inside(frames, [OTHERS[0]])
    yield from window.screenshot("dropped-on-a-window")


def drag_mean_rotation(window: Window, frame: float, picture: str) -> Steps:
    """Right click on the blue window, drag the entry to a frame and let it go."""
    yield from open_menu(window, START + 9.0)
    yield from window.screenshot(picture.replace("dragging", "menu-for"))
    labels = [
        entry[1] for entry in module("motion_editing_addon.interface.strip.menu.open_popup")._opened.popup.entries
    ]
    yield from press_and_move(window, entry_at(window, labels.index("Mean Rotation")), header_at(window, frame))
    yield from window.screenshot(picture)
    yield from let_go(window)


def transfer_to_all(window: Window) -> Steps:
    """Tick the last step again, and drop the feature on the empty strip: all ticked steps change."""
    yield from click_tick_box(window, 1)
    check_equal(ticks(), [True, True], "ticks after another click on the last box")
    before = snapshot()
    yield from drag_mean_rotation(window, EMPTY, "dragging-to-all")
    bones, frames = before.changed(snapshot())
    check_equal(bones, set(ARM), "bones changed by the feature")
    check_inside(frames, list(OTHERS))
    check(any(frame > EMPTY for frame in frames), "the last step should change as well")
    yield from window.screenshot("dropped-on-the-strip")


def propagate(window: Window) -> Steps:
    """Change the arm by hand in the step, then click Propagate Edit in the panel."""
    yield from window.open_sidebar("Motion")
    raise_arm()
    bpy.ops.ed.undo_push(message="Edit by hand")
    yield REDRAW_PAUSE
    edited = snapshot()
    yield from window.click_operator("motion_editing.propagate_edit")
    yield REDRAW_PAUSE
    yield from window.screenshot("propagated")
    bones, frames = edited.changed(snapshot())
    check_equal(bones, {ARM[0]}, "bones changed by Propagate Edit")
    check_inside(frames, list(OTHERS))


def raise_arm() -> None:
    """Give keys of the upper arm in the step other values, most in its middle."""
    action_io, armature = module("motion_editing_addon.border.action_io"), bpy.context.object
    curve = action_io.channelbag(armature).fcurves.find(f'pose.bones["{ARM[0]}"].rotation_quaternion', index=1)
    for point in curve.keyframe_points:
        nearness = 1.0 - abs(2.0 * point.co[0] - START - END) / (END - START)
        point.co[1] += 0.3 * max(0.0, nearness)
    curve.update()
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})


def undo_all(window: Window, steps: int) -> Steps:
    """Press Ctrl+Z once for every gesture: only the last one takes the window away."""
    yield from window.hover(window.region("VIEW_3D"))
    for step in range(steps):
        check(timeline().has_window, f"the window should be there until {steps} steps are undone, not {step}")
        yield from window.undo()
    check(not timeline().has_window, f"{steps} undone steps should take the window away")
    check_equal(len(timeline().painted), 0, "painted bones after everything is undone")
    yield from window.screenshot("undone")
