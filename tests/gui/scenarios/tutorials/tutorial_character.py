"""The walk-through of correcting a body part, word for word, on a character with many legs."""

from __future__ import annotations

import json

import bpy
from figure_in_view import click_bone
from harness import Window, check, check_equal
from manual_pictures import open_panel
from newcomer import messages, press_button, switch_mode
from walkthrough import play as play_page
from window_input import Steps

PAGE, HEADING = "docs/character.md", "Set Body Part"
LEGS = 3  # on each side
LEFT_FEET = [f"foot{number}.L" for number in range(1, LEGS + 1)]


def scenario(window: Window) -> Steps:
    """Say which bones are the left feet of a beetle."""
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    add_beetle()
    bpy.ops.ed.undo_push(message="Beetle")
    yield from window.open_sidebar("Motion")
    yield from open_panel(window, "Character")
    yield from press_button(window, "Find Body Parts")
    yield from window.screenshot("found")
    yield from play_page(window, PAGE, HEADING, select, click_eyedropper)


def add_beetle() -> None:
    """A body with a head and three legs on each side."""
    data = bpy.data.armatures.new("Beetle")
    armature = bpy.data.objects.new("Beetle", data)
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    body = bone(data, "body", (0, 1, 1), (0, 0, 1), None)
    bone(data, "head", (0, -0.0, 1), (0, -0.5, 1.1), body)
    for side, way in (("L", 1.0), ("R", -1.0)):
        for number in range(1, LEGS + 1):
            y = 0.5 * number - 0.75
            thigh = bone(data, f"thigh{number}.{side}", (0.2 * way, y, 1), (0.8 * way, y, 1.2), body)
            shin = bone(data, f"shin{number}.{side}", (0.8 * way, y, 1.2), (1.2 * way, y, 0.1), thigh)
            bone(data, f"foot{number}.{side}", (1.2 * way, y, 0.1), (1.5 * way, y, 0.0), shin)
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.pose.bones["head"].keyframe_insert("location", frame=1)  # some panels need an action


def bone(
    data: bpy.types.Armature, name: str, head: tuple[float, ...], tail: tuple[float, ...], parent: object
) -> bpy.types.EditBone:
    """One bone of the beetle."""
    made = data.edit_bones.new(name)
    made.head, made.tail, made.parent = head, tail, parent
    return made


def select(window: Window) -> Steps:
    """Go to pose mode and select the bones of this part. For an arm select all bones from the upper arm to the hand;
    for a hand, a foot, the head or the root select one bone. A character with many legs has a row for each:
    **Left Leg**, **Left Leg 2** and so on. Select all left feet at once and click the eyedropper of **Left Foot**, and
    every one of them becomes a foot with its leg; all bones of several legs do the same in the row **Left Leg**."""
    yield from switch_mode(window, "POSE")
    yield from click_bone(window, LEFT_FEET[0])
    for name in LEFT_FEET[1:]:
        yield from click_bone(window, name, shift=True)
    check_equal(len(bpy.context.selected_pose_bones), LEGS, "selected bones")


def click_eyedropper(window: Window) -> Steps:
    """Click the eyedropper in the row of that part."""
    point = yield from window.find_operator_button("motion_editing.set_role", having='"left foot"')
    yield from window.click(point.x, point.y)
    check_equal(messages(window)[-1], f"Left foot: {', '.join(LEFT_FEET)}", "message")
    limbs = json.loads(bpy.context.object.motion_editing.body)["limbs"]
    chains = {limb["end"]: limb["chain"] for limb in limbs if limb["side"] == "left"}
    check_equal(set(chains), set(LEFT_FEET), "left feet")
    check(all(len(chain) > 1 for chain in chains.values()), f"every foot should have its leg: {chains}")
