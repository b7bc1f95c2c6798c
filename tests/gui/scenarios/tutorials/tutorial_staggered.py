"""The walk-throughs of staggered poses, word for word; a pose edit that was saved in the middle goes on later."""

from __future__ import annotations

from pathlib import Path

import bpy
from curve_snapshot import CurveSnapshot, snapshot
from figure_in_view import click_bone, highest, turn_up
from harness import Window, check, check_equal
from newcomer import in_panel, play, press_button, set_field, switch_after, switch_mode
from pose_list import click_pose, settings
from walkthrough import play as play_page
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Steps

PAGE = "docs/staggered.md"
ARM, LEFT_ARM = "upper_arm.R", ("upper_arm.L", "forearm.L", "hand.L")
PUNCH = range(172, 188)
ROUNDING = 1e-6  # of numbers with seven digits
kept: dict[str, CurveSnapshot] = {}
kept_height: list[float] = []
kept_spreads: list[float] = []


def scenario(window: Window) -> Steps:
    """Fix one pose of the sample, loosen an arm, take it all back."""
    yield from window.open_sidebar("Motion")
    yield from play_page(
        window, PAGE, "Example: un-stagger, fix, re-stagger", extract, unstagger, click_the_punch, fix, restagger
    )
    check_only_the_punch_changed()
    yield from play_page(window, PAGE, "Succession", pick, succession, keep)
    yield from undo_everything(window)
    check_editing_goes_on()


def extract(window: Window) -> Steps:
    """Click **Load Sample Motion**, then **Extract Poses** in the panel **Staggered Poses**. Set **Poses Shown** to
    0.5."""
    yield from press_button(window, "Load Sample Motion")
    kept["original"] = snapshot()
    kept_height.append(highest("hand.R", PUNCH))
    yield from in_panel(window, "Staggered Poses", "Extract Poses")
    found = len(settings().poses)
    yield from set_field(window, "motion_editing_staggered.share", "0.5")
    check(len(settings().poses) < 0.6 * found, f"half of {found} poses should be shown, not {len(settings().poses)}")


def unstagger(window: Window) -> Steps:
    """Click **Un-stagger** in the panel. All poses are edited as long as **All Poses** is on, as it is at first. In the
    strip all lines are now straight: every joint arrives at once. Play it. It looks stiff, but the poses are clear."""
    kept_spreads.extend(spreads())
    yield from press_button(window, "Un-stagger")
    check_equal(max(spreads()), 0.0, "the widest spread of all poses")
    yield from play(window)


def spreads() -> list[float]:
    """Frames from the earliest to the latest joint of each pose."""
    return [round(pose.spread, 2) for pose in settings().poses]


def click_the_punch(window: Window) -> Steps:
    """Click the pose of the punch in the list (frame 182). The playhead goes there."""
    yield from click_pose(window, 182)
    check_equal(bpy.context.scene.frame_current, 182, "frame of the playhead")


def fix(window: Window) -> Steps:
    """Click **Edit Extreme**. The rig goes to pose mode, and the pose before stays behind it as a ghost. Select the
    upper arm that punches, press R and turn it up. Click **Apply Pose**."""
    yield from press_button(window, "Edit Extreme")
    check_equal(bpy.context.object.mode, "POSE", "mode in which a pose is edited")
    yield from click_bone(window, ARM)
    yield from turn_up(window, ARM, 40.0)
    yield from window.screenshot("turned-up")
    save_in_the_middle()
    yield from press_button(window, "Apply Pose")
    check(not bpy.context.object.motion_editing_posing.action, "Apply Pose should end editing")


def restagger(window: Window) -> Steps:
    """Click **Re-stagger**. The lines are as they were before."""
    check_equal(bpy.context.object.mode, "OBJECT", "mode after a pose was edited")
    yield from press_button(window, "Re-stagger")
    check_equal(spreads(), kept_spreads, "spread of the poses")


def check_only_the_punch_changed() -> None:
    """What the page says below the list: the punch is higher, only the upper arm has changed, and only around it."""
    changed, frames = kept["original"].changed(snapshot(), by_more_than=ROUNDING)
    check_equal(changed, {ARM}, "bones that have other keys than before")
    check(min(frames) >= 156 and max(frames) <= 202, f"keys should change around the punch, not at {sorted(frames)}")
    higher = highest("hand.R", PUNCH) - kept_height[0]
    check(higher > 0.1, f"the hand should be higher in the punch, it is by {higher:.2f} m")


def pick(window: Window) -> Steps:
    """In pose mode make the upper arm active and select the arm."""
    yield from switch_mode(window, "POSE")
    yield from click_bone(window, "hand.L")
    yield from click_bone(window, "forearm.L", shift=True)
    yield from click_bone(window, "upper_arm.L", shift=True)
    check_equal({bone.name for bone in bpy.context.selected_pose_bones}, set(LEFT_ARM), "selected bones")


def succession(window: Window) -> Steps:
    """Click **Succession** and move the mouse. The bright line is the new way of the hand, the grey line the old
    one."""
    kept["before"] = snapshot()
    yield from press_button(window, "Succession", follows_mouse=True)
    for _step in range(8):
        yield from window.glide(window.mouse.x - 12, window.mouse.y)
        yield EVENT_PAUSE
    check(kept["before"].is_same(snapshot()), "no key may change while the mouse moves")


def keep(window: Window) -> Steps:
    """Click to keep it. For one pose alone press F9 and turn off **All Poses**."""
    yield from window.press("LEFTMOUSE")
    yield REDRAW_PAUSE
    check_only_the_arm_changed(200, 284)
    yield from switch_after(window, "All Poses")
    check_only_the_arm_changed(5, 60)


def check_only_the_arm_changed(fewest: int, most: int) -> None:
    """Succession is about what hangs below the upper arm, at so many frames."""
    changed, frames = kept["before"].changed(snapshot(), by_more_than=ROUNDING)
    check(changed and changed <= {*LEFT_ARM, "fingers.L"}, f"the left arm should change, not {changed}")
    check(fewest <= len(frames) <= most, f"{fewest} to {most} frames should change, not {len(frames)}")


def undo_everything(window: Window) -> Steps:
    """Ctrl+Z until every key is back."""
    yield from window.hover(window.region("VIEW_3D"))
    for _step in range(25):
        yield from window.undo()
        if bpy.context.object.mode == "OBJECT" and kept["original"].is_same(snapshot()) and not settings().poses:
            break
    check(kept["original"].is_same(snapshot()), "undoing everything should bring back every key")
    check_equal(len(settings().poses), 0, "poses after undoing everything")
    yield from window.screenshot("undone")


def save_in_the_middle() -> None:
    """Save while a pose is edited: nothing changes."""
    armature = bpy.context.object
    posed = tuple(armature.pose.bones[ARM].rotation_quaternion)
    bpy.ops.wm.save_as_mainfile(filepath=in_the_middle(), copy=True)
    check(armature.motion_editing_posing.action, "saving should not end editing")
    check_equal(tuple(armature.pose.bones[ARM].rotation_quaternion), posed, "the pose after saving")


def in_the_middle() -> str:
    """The file that is saved while a pose is edited."""
    return str(Path(bpy.app.tempdir) / "in_the_middle.blend")


def check_editing_goes_on() -> None:
    """Open the file that was saved in the middle: the last step, since other files end all timers."""
    bpy.ops.wm.open_mainfile(filepath=in_the_middle())
    armature = bpy.data.objects["Sample"]
    check(armature.motion_editing_posing.action, "editing should go on when the file is opened")
    check(armature.animation_data.action != armature.motion_editing_posing.action, "the action should wait")
