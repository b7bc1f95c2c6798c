"""The five-minute start, word for word."""

from __future__ import annotations

import bpy
import numpy as np
from curve_snapshot import CurveSnapshot, snapshot
from figure_in_view import click_bone, highest, turn_up
from harness import Window, check, check_equal, wait_until
from lane_gestures import header_at, let_go, press_and_move
from newcomer import (
    adjusted,
    choose_tab,
    drag_timeline_up,
    fill_in,
    in_panel,
    leave_adjusting,
    messages,
    play,
    press_button,
    set_field,
    switch_mode,
    work_done,
)
from pose_list import click_pose, settings
from scenarios.capabilities.reduce_keys import key_count
from timeline_in_window import spans
from walkthrough import play as play_page
from window_input import Steps

ARM = "upper_arm.R"
ROUNDING = 1e-6  # of numbers with seven digits
PUNCH = range(172, 188)
kept: dict[str, CurveSnapshot] = {}
kept_height: list[float] = []


def scenario(window: Window) -> Steps:
    """A newcomer with the page beside Blender."""
    steps = (open_the_tab, load, extract, unstagger, fix, restagger, convert, one_arm, restore, shorten, all_steps)
    yield from play_page(window, "README.md", "Five-minute start", *steps)


def open_the_tab(window: Window) -> Steps:
    """Open Blender, press N in the 3D View and choose the tab **Motion**."""
    yield from choose_tab(window, "Motion")


def load(window: Window) -> Steps:
    """Click **Load Sample Motion**. A figure appears that walks, jumps and punches. Press Space to play it."""
    yield from press_button(window, "Load Sample Motion")
    check_equal(bpy.context.object.type, "ARMATURE", "active object")
    kept["original"] = snapshot()
    kept_height.append(highest("hand.R", PUNCH))
    yield from play(window)


def extract(window: Window) -> Steps:
    """In the panel **Staggered Poses** click **Extract Poses**, and set **Poses Shown** to 0.5. Drag the upper edge of
    the Timeline up: there is a line for every pose and a dot for every joint."""
    yield from in_panel(window, "Staggered Poses", "Extract Poses")
    yield from set_field(window, "motion_editing_staggered.share", "0.5")
    check_equal(round(bpy.context.object.animation_data.action.motion_editing_staggered.share, 3), 0.5, "Poses Shown")
    yield from drag_timeline_up(window, 270)


def unstagger(window: Window) -> Steps:
    """Click **Un-stagger**. Now all joints arrive at once. Play it: the poses are clear, but it looks stiff."""
    yield from press_button(window, "Un-stagger")
    check_equal([pose.spread for pose in settings().poses], [0.0] * len(settings().poses), "spread of the poses")
    yield from play(window)


def fix(window: Window) -> Steps:
    """Fix a pose: click the one at frame 182 in the list, then **Edit Extreme**. Select the upper arm that punches,
    press R and turn it up. Click **Apply Pose**."""
    yield from click_pose(window, 182)
    check_equal(bpy.context.scene.frame_current, 182, "frame after a click on the pose")
    yield from press_button(window, "Edit Extreme")
    yield from click_bone(window, ARM)
    yield from turn_up(window, ARM, 40.0)
    yield from window.screenshot("turned-up")
    yield from press_button(window, "Apply Pose")


def restagger(window: Window) -> Steps:
    """Click **Re-stagger**. Play it: the punch is higher, and it moves as before."""
    yield from press_button(window, "Re-stagger")
    yield from play(window)
    changed, frames = kept["original"].changed(snapshot(), by_more_than=ROUNDING)
    check_equal(changed, {ARM}, "bones that have other keys than before")
    check(min(frames) >= 156 and max(frames) <= 202, f"keys should change around the punch, not at {sorted(frames)}")
    higher = highest("hand.R", PUNCH) - kept_height[0]
    check(higher > 0.1, f"the hand should be higher in the punch, it is by {higher:.2f} m")


def convert(window: Window) -> Steps:
    """In the panel **Keys** click **Convert Keys**. The message at the bottom says how many keys are left. Play it: the
    motion is the same. Press F9 and raise **Rotation Error** to 2 degrees: still fewer keys."""
    before = key_count()
    yield from in_panel(window, "Keys", "Convert Keys")
    left = key_count()
    check(left < 0.5 * before, f"{left} of {before} keys are left")
    check(str(left) in messages(window)[-1].replace(",", ""), f"{messages(window)[-1]} should tell {left} keys")
    yield from play(window)
    place = yield from adjusted(window, "Rotation Error")
    yield from fill_in(window, place, "2")
    yield from leave_adjusting(window)
    yield from wait_until(lambda: key_count() != left, "another error should give another number of keys")
    check(key_count() < left, f"there should be fewer keys than {left}, there are {key_count()}")


def one_arm(window: Window) -> Steps:
    """In pose mode select one arm and use a tool again. Only this arm changes."""
    yield from switch_mode(window, "POSE")
    before = snapshot()
    yield from click_bone(window, "upper_arm.L")
    yield from click_bone(window, "forearm.L", shift=True)
    yield from press_button(window, "Convert Keys")
    changed = changed_curves(before)
    check(changed, "the arm should have other keys")
    check(all(".L" in path for path in changed), f"only the left arm should change, not {changed}")


def restore(window: Window) -> Steps:
    """Click **Restore Original** in the panel **Clip**. All keys are as before."""
    yield from in_panel(window, "Clip", "Restore Original")
    check(kept["original"].is_same(snapshot()), "all keys should be as before")


def shorten(window: Window) -> Steps:
    """Press Ctrl+Tab to leave pose mode. In the panel **Time** click **Warp Time**, type 80 and press Enter. The motion
    is 20 % shorter. Play it: the figure walks faster, but jumps as before."""
    yield from switch_mode(window, "OBJECT")
    yield from in_panel(window, "Time", "Warp Time", follows_mouse=True)
    yield from window.type_text("80")
    yield from window.press("RET")
    yield from work_done(window)
    check_equal(tuple(bpy.context.object.animation_data.action.frame_range), (1.0, 227.0), "frames of the motion")
    yield from play(window)


def all_steps(window: Window) -> Steps:
    """In the panel **Clip** click **Restore Original**. Drag across one step on the strip, such as frames 26 to 39: the
    other steps of this foot turn green. Drag the end of the blue window to the right. All these steps are slower."""
    yield from in_panel(window, "Clip", "Restore Original")
    check(kept["original"].is_same(snapshot()), "all keys should be as before")
    yield from press_and_move(window, header_at(window, 26.0), header_at(window, 39.0))
    yield from let_go(window)
    before = spans()
    check(len(before) > 1, "the other steps should turn green")
    yield from window.screenshot("green")
    yield from press_and_move(window, header_at(window, before[0][1]), header_at(window, before[0][1] + 8.0))
    yield from let_go(window)
    factors = [(late[1] - late[0]) / (early[1] - early[0]) for early, late in zip(before, spans(), strict=True)]
    check(min(factors) > 1.3, f"all these steps should be slower, they are {factors} times as long")


def changed_curves(before: CurveSnapshot) -> set[str]:
    """Channels that have other keys than before."""
    after = snapshot()
    return {curve[0] for curve, rows in before.keys.items() if not np.array_equal(rows, after.keys[curve])}
