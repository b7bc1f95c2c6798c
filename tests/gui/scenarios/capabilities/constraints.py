"""A hand is dragged at one frame with the mouse: the whole motion follows, feet stay, a partner comes along."""

from __future__ import annotations

import gc
from hashlib import blake2b

import bpy
from harness import Window, check, check_equal, wait_until
from window_input import REDRAW_PAUSE, Steps

FRAME = 70
HAND, FOOT, OTHER_HAND = "hand.L", "foot.L", "hand.L"
POSTURE = (HAND, "hips", "head", "shin.L")


def keys(name: str = "") -> str:
    """A digest of every key of an armature's action, the active one's by default."""
    import numpy as np

    action = (bpy.data.objects[name] if name else bpy.context.object).animation_data.action
    curves = [c for layer in action.layers for strip in layer.strips for bag in strip.channelbags for c in bag.fcurves]
    digest = blake2b(digest_size=8)
    for curve in curves:
        values = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", values)
        digest.update(values)
    return digest.hexdigest()


def place(bone: str, name: str = "") -> tuple[float, ...]:
    """Where the head of a bone is in the scene; of the active armature by default."""
    armature = bpy.data.objects[name] if name else bpy.context.object
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return tuple(posed.matrix_world @ posed.pose.bones[bone].head)


def places(bone: str, frames: tuple[int, ...]) -> list[tuple[float, ...]]:
    """The same at several frames; the current frame is restored."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found.append(place(bone))
    bpy.context.scene.frame_set(FRAME)
    return found


def away(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Distance between two places."""
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5


def scenario(window: Window) -> Steps:
    """Footplants, a drag that is given up, a drag that is kept, undo; then two that shake hands."""
    yield from window.open_sidebar("Motion")
    yield from window.click_operator("motion_editing.load_sample_motion")
    yield from pose_hand(window)
    yield from window.call("Add Footplants")
    listed = bpy.context.object.animation_data.action.motion_editing_constraints.listed
    check(len(listed) > 4, f"footplants should be listed, there are {len(listed)}")
    yield from esc_restores(window)
    yield from a_click_keeps(window)
    yield from who_shares_is_asked(window)
    yield from show_panel(window)
    yield from two_shake_hands(window)


def pose_hand(window: Window) -> Steps:
    """Make the hand the active bone at the frame."""
    yield from window.hover(window.region("VIEW_3D"))
    bpy.context.scene.frame_set(FRAME)
    bpy.data.objects.remove(bpy.data.objects["Cube"])
    bpy.ops.object.mode_set(mode="POSE")
    bones = bpy.context.object.pose.bones
    for bone in bones:
        bone.select = bone.name == HAND
    bpy.context.object.data.bones.active = bones[HAND].bone
    bpy.ops.ed.undo_push(message="Hand chosen")
    yield REDRAW_PAUSE


def start(window: Window) -> Steps:
    """Call the tool by its name, with the mouse in the view."""
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.call("Drag Bone")
    running = [operator.bl_idname for operator in window.blender.modal_operators]
    check_equal(running, ["MOTION_EDITING_OT_drag_joint"], "running tools")
    yield from window.hover(window.region("VIEW_3D"))


def travel(window: Window, right: int, up: int) -> Steps:
    """Move the mouse from the middle of the viewport."""
    middle = window.middle_of(window.region("VIEW_3D"))
    for part in range(1, 11):
        yield from window.glide(middle.x + right * part / 10, middle.y + up * part / 10)
        yield 0.05
    yield REDRAW_PAUSE


def settle(window: Window, right: int, up: int) -> Steps:
    """Tremble about a place: on a busy machine each move takes one step, the next ones close what it leaves open."""
    middle = window.middle_of(window.region("VIEW_3D"))
    for tremble in (1, 0, 1, 0, 1, 0):
        yield from window.glide(middle.x + right, middle.y + up + tremble)
        yield REDRAW_PAUSE


def is_settled() -> bool:
    """Whether the drag that is running shows what letting go gives."""
    drags = [each for each in gc.get_objects() if type(each).__name__ == "DragGesture"]
    return bool(drags) and all(drag._pull.is_settled for drag in drags)


def esc_restores(window: Window) -> Steps:
    """While the mouse moves the rig follows and no key changes; Esc brings all back."""
    before = keys(), place(HAND)
    yield from start(window)
    yield from travel(window, 60, 90)
    check(away(place(HAND), before[1]) > 0.05, "the hand should follow the mouse")
    check_equal(keys(), before[0], "keys while the mouse moves")
    yield from window.screenshot("dragging")
    yield from window.press("Z", ctrl=True)
    running = [operator.bl_idname for operator in window.blender.modal_operators]
    check_equal(running, ["MOTION_EDITING_OT_drag_joint"], "undo waits for the end of the drag; running tools")
    yield from window.press("ESC")
    yield REDRAW_PAUSE
    check_equal((keys(), place(HAND)), before, "keys and hand after Esc")
    yield from window.screenshot("after-esc")


def a_click_keeps(window: Window) -> Steps:
    """The hand at other frames follows too, standing feet stay; one Ctrl+Z takes it back."""
    contact = next(
        item for item in bpy.context.object.animation_data.action.motion_editing_constraints.listed if item.bone == FOOT
    )
    standing = (int(contact.start) + 2, int(contact.end) - 2)
    before = keys(), places(HAND, (FRAME, FRAME + 5)), places(FOOT, standing)
    bpy.ops.ed.undo_push(message="Looked at")
    yield from start(window)
    yield from travel(window, 60, 90)
    yield from wait_until(is_settled, "while the mouse rests, what letting go gives should be found", timeout=120.0)
    yield REDRAW_PAUSE
    shown = [place(bone) for bone in POSTURE]
    middle = window.middle_of(window.region("VIEW_3D"))
    yield from window.click(middle.x + 60, middle.y + 90)
    yield from wait_until(lambda: keys() != before[0], "a click should write keys")
    yield REDRAW_PAUSE
    after = places(HAND, (FRAME, FRAME + 5))
    for bone, there in zip(POSTURE, shown, strict=True):
        check(
            away(place(bone), there) < 1e-3,
            f"{bone} should be where it was shown, it is {away(place(bone), there)} away",
        )
    check(away(after[1], before[1][1]) > 0.02, "the hand five frames later should follow")
    for now, then in zip(places(FOOT, standing), before[2], strict=True):
        check(away(now, then) < 2e-3, f"a standing foot should stay, it is {away(now, then)} away")
    yield from window.screenshot("kept")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    check_equal(keys(), before[0], "keys after one Ctrl+Z")


def who_shares_is_asked(window: Window) -> Steps:
    """Where another figure plays the same action, a menu asks first; a copy is made when the drag is kept."""
    figure = bpy.context.object
    other = figure.copy()
    bpy.context.scene.collection.objects.link(other)
    bpy.ops.ed.undo_push(message="Shared")
    shared, before = figure.animation_data.action, keys()
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.call("Drag Bone")
    yield from window.screenshot("shared")
    yield from window.press("M")  # Make a Copy
    running = [operator.bl_idname for operator in window.blender.modal_operators]
    check_equal(running, ["MOTION_EDITING_OT_drag_joint"], "tools that run after the choice")
    yield from window.hover(window.region("VIEW_3D"))
    yield from travel(window, 60, 90)
    middle = window.middle_of(window.region("VIEW_3D"))
    yield from window.click(middle.x + 60, middle.y + 90)
    yield from wait_until(lambda: keys() != before, "a click should write keys")
    check(bpy.context.object.animation_data.action != shared, "the dragged figure should play a copy")
    check_equal(keys(other.name), before, "keys of the other figure")
    yield REDRAW_PAUSE
    yield from window.undo()
    check_equal(keys(), before, "keys after one Ctrl+Z")
    bpy.data.objects.remove(bpy.data.objects[other.name])


def show_panel(window: Window) -> Steps:
    """The panel by itself, for a person to look at; in the sidebar it is closed at first."""
    middle = window.middle_of(window.region("VIEW_3D"))
    yield from window.move(middle.x - 200, middle.y + 250)
    with bpy.context.temp_override(window=window.blender, area=window.area("VIEW_3D"), region=window.region("VIEW_3D")):
        bpy.ops.wm.call_panel("INVOKE_DEFAULT", name="MOTIONEDIT_PT_constraints_view3d", keep_open=True)
    yield REDRAW_PAUSE
    yield from window.screenshot("panel")


def two_shake_hands(window: Window) -> Steps:
    """A second figure is tied to the first one by a hand: both follow the mouse, Esc and one undo take both back."""
    yield from window.press("ESC")  # the panel
    first, second = meet_partner()
    view = window.area("VIEW_3D").spaces.active.region_3d
    view.view_location, view.view_distance = place(HAND, first), 4.5
    yield REDRAW_PAUSE
    before = [keys(name) for name in (first, second)]
    stood = [place(bone, name) for name, bone in ((first, HAND), (second, OTHER_HAND))]
    apart = away(*stood)
    yield from start(window)
    yield from travel(window, -60, 60)
    yield from settle(window, -60, 60)
    shown = [place(bone, name) for name, bone in ((first, HAND), (second, OTHER_HAND))]
    check(away(shown[0], stood[0]) > 0.03, "the dragged hand should follow the mouse")
    check(away(shown[1], stood[1]) > 0.01, "the partner's hand should come along")
    check(abs(away(*shown) - apart) < 0.02, f"the hands should stay together, they are {away(*shown)} apart")
    check_equal([keys(name) for name in (first, second)], before, "keys while the mouse moves")
    yield from window.screenshot("two-dragging")
    yield from window.press("ESC")
    yield REDRAW_PAUSE
    check_equal([place(HAND, first), place(OTHER_HAND, second)], stood, "hands after Esc")
    yield from start(window)
    yield from travel(window, -60, 60)
    middle = window.middle_of(window.region("VIEW_3D"))
    yield from window.click(middle.x - 60, middle.y + 60)
    for name, was in zip((first, second), before, strict=True):
        yield from wait_until(lambda name=name, was=was: keys(name) != was, "a click should write the keys of both")
    yield REDRAW_PAUSE
    bpy.context.scene.frame_set(FRAME)
    left = abs(away(place(HAND, first), place(OTHER_HAND, second)) - apart)
    check(left < 5e-3, f"the hands should be together in the keys, they are {left} off")
    yield from window.screenshot("two-kept")
    yield from window.hover(window.region("VIEW_3D"))
    yield from window.undo()
    check_equal([keys(name) for name in (first, second)], before, "keys of both after one Ctrl+Z")


def meet_partner() -> tuple[str, str]:
    """Put a second figure opposite the first one and tie their hands; both are in pose mode. Gives their names."""
    first = bpy.context.object
    first.animation_data.action.motion_editing_constraints.listed.clear()
    bpy.ops.object.mode_set(mode="OBJECT")
    second = first.copy()
    second.data = first.data.copy()
    second.animation_data.action = first.animation_data.action.copy()
    bpy.context.scene.collection.objects.link(second)
    second.rotation_mode = "XYZ"
    second.rotation_euler.z += 3.14159
    bpy.context.scene.frame_set(FRAME)
    near = [a - b for a, b in zip(place(HAND, first.name), place(OTHER_HAND, second.name), strict=True)]
    second.location = [at + by + more for at, by, more in zip(second.location, near, (0.0, -0.03, 0.0), strict=True)]
    second.select_set(True)
    bpy.context.view_layer.update()
    settings = first.animation_data.action.motion_editing_constraints
    item = settings.new(first, "shake")
    item.kind, item.bone, item.start, item.end = "POSITION", HAND, FRAME - 6, FRAME + 6
    item.target, item.target_object, item.target_bone = "BONE", second, OTHER_HAND
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.motion_editing.solve_constraints(keying="EVERY_FRAME", spacing=3)
    bpy.ops.ed.undo_push(message="Hands tied")
    return first.name, second.name
