"""A hand-keyed walk of a skinned Rigify character goes through twelve tools, each clicked with the mouse."""

from __future__ import annotations

import bpy
from curve_snapshot import snapshot
from hand_keyed_walk import add_walker, hidden_keyed_bones, largest_step
from harness import Window, check, check_equal
from newcomer import in_panel, messages, press_button, work_done
from window_input import EVENT_PAUSE, REDRAW_PAUSE, Steps

HAND = "hand_fk.L"
# How many times as far as at first something may go in one frame: tools may hurry it, none may make it jump.
FASTER = 2.5


def scenario(window: Window) -> Steps:
    """Contacts, filters, poses, time, a drag, IK and FK, a mirror, few keys."""
    view, region = window.area("VIEW_3D"), window.region("VIEW_3D")
    with bpy.context.temp_override(window=window.blender, area=view, region=region):
        rig = add_walker()
        bpy.ops.object.mode_set(mode="POSE")
        bpy.ops.view3d.view_axis(type="LEFT")
        bpy.ops.view3d.view_all()
        bpy.ops.ed.undo_push(message="Walk")
    yield REDRAW_PAUSE
    yield from window.open_sidebar("Motion")
    walk = Walk(window, largest_step(rig))
    yield from walk.clicked("Contacts", "Find Contacts", changes=False)
    yield from walk.clicked("", "Lock Feet", changes=False)
    yield from walk.slid("Clean & Filter", "Low Pass", undone=True)
    yield from walk.slid("", "Exaggerate")
    yield from walk.clicked("Staggered Poses", "Extract Poses", changes=False)
    yield from walk.clicked("", "Un-stagger")
    yield from walk.clicked("", "Re-stagger", undone=True)
    choose("torso")
    yield from walk.slid("", "Succession", undone=True)
    yield from walk.slid("Time", "Warp Time", undone=True)
    choose(HAND, selected=True)
    yield from walk.slid("Constraints", "Drag Bone", up=40)
    choose("")
    yield from walk.clicked("Blend & Loop", "Mirror Motion", undone=True)
    yield from walk.clicked("Keys", "Switch IK/FK")
    yield from walk.clicked("Reduce Keys", "Reduce Keys")
    yield from window.screenshot("walked")
    check_equal(len(walk.tools), 13, "tools that were clicked")


def choose(name: str, *, selected: bool = False) -> None:
    """Make a control active, and select it alone or nothing."""
    rig = bpy.context.object
    for bone in rig.pose.bones:
        bone.select = selected and bone.name == name
    rig.data.bones.active = rig.data.bones.get(name)
    bpy.ops.ed.undo_push(message="Chosen")


class Walk:
    """What is clicked, and what every tool has to leave as it is."""

    def __init__(self, window: Window, step: float) -> None:
        """Starts from the largest step of a figure's bone in a frame."""
        self.window, self._step = window, step
        self.tools: list[str] = []

    def clicked(self, panel: str, label: str, *, changes: bool = True, undone: bool = False) -> Steps:
        """A tool that works at once."""
        before = snapshot()
        yield from self._pressed(panel, label, follows_mouse=False)
        yield from self._looked_at(label, before, changes=changes, undone=undone)

    def slid(self, panel: str, label: str, *, up: int = 0, undone: bool = False) -> Steps:
        """A tool that follows the mouse until a click."""
        before = snapshot()
        yield from self._pressed(panel, label, follows_mouse=True)
        start = self.window.mouse
        for part in range(1, 6):
            yield from self.window.glide(start.x - 8 * part, start.y + up * part / 5)
            yield EVENT_PAUSE
        yield REDRAW_PAUSE
        yield from self.window.press("LEFTMOUSE")
        yield from work_done(self.window)
        yield from self._looked_at(label, before, changes=True, undone=undone)

    def _pressed(self, panel: str, label: str, *, follows_mouse: bool) -> Steps:
        self._told = len(messages(self.window))
        if panel:
            yield from in_panel(self.window, panel, label, follows_mouse=follows_mouse)
        else:
            yield from press_button(self.window, label, follows_mouse=follows_mouse)

    def _looked_at(self, label: str, before: object, *, changes: bool, undone: bool) -> Steps:
        """No error, keys on visible controls alone, no jump; Ctrl+Z brings the keys back, Shift+Ctrl+Z the edit."""
        yield REDRAW_PAUSE
        self.tools.append(label)
        said = messages(self.window)[self._told :]
        check(not any("ERROR" in line or "Traceback" in line for line in said), f"{label} should work, not say {said}")
        rig, after = bpy.context.object, snapshot()
        check_equal(before.is_same(after), not changes, f"keys as before {label}")
        check_equal(hidden_keyed_bones(rig), set(), f"hidden bones with keys after {label}")
        step, first = largest_step(rig), self._step
        check(step < FASTER * first, f"after {label} a bone goes {step:.3f} m in a frame, {first:.3f} m at first")
        if undone:
            yield from self.window.hover(self.window.region("VIEW_3D"))
            yield from self.window.undo()
            check(before.is_same(snapshot()), f"Ctrl+Z after {label} should bring back every key")
            yield from self.window.redo()
            check(after.is_same(snapshot()), f"Shift+Ctrl+Z should bring back {label}")
