"""What people do between two uses of tools."""

from __future__ import annotations

import bpy
from workshop import checkout_as_extension

from .world import World


def mute_channel(world: World) -> None:
    """Mute a curve, or unmute it."""
    for curve in _some_curve(world):
        curve.mute = not curve.mute


def lock_channel(world: World) -> None:
    """Lock a curve, or unlock it."""
    for curve in _some_curve(world):
        curve.lock = not curve.lock


def delete_channel(world: World) -> None:
    """Delete the keys of a curve, and the curve with them."""
    for curve in _some_curve(world):
        bag = next(
            bag
            for each in world.action.layers
            for strip in each.strips
            for bag in strip.channelbags
            if any(other == curve for other in bag.fcurves)
        )
        bag.fcurves.remove(curve)


def _some_curve(world: World) -> list[bpy.types.FCurve]:
    return [world.pick(world.curves)] if world.curves else []


def rename_bone(world: World) -> None:
    """Give a bone another name."""
    bone = world.pick(world.armature.data.bones)
    bone.name = f"{bone.name} renamed"


def delete_bone(world: World) -> None:
    """Delete a bone that carries no others; some bones stay."""
    armature, mode = world.armature, world.armature.mode
    ends = [bone.name for bone in armature.data.bones if not bone.children]
    if len(armature.data.bones) > 12:
        name = world.pick(ends)
        world.mode("EDIT")
        armature.data.edit_bones.remove(armature.data.edit_bones[name])
        world.mode(mode)


def set_frame_range(world: World) -> None:
    """Give the action a manual range, or take it away."""
    if world.action:
        world.action.use_frame_range = not world.action.use_frame_range
        world.action.frame_start, world.action.frame_end = sorted((world.frame(), world.frame() + 5))


def set_preview_range(world: World) -> None:
    """Choose frames, or no frames."""
    scene = bpy.context.scene
    scene.use_preview_range = not scene.use_preview_range
    scene.frame_preview_start, scene.frame_preview_end = sorted((world.frame(), world.frame() + 5))


def add_slot(world: World) -> None:
    """Add a slot to the action."""
    if world.action:
        world.action.slots.new(id_type="OBJECT", name="Further")


def choose_slot(world: World) -> None:
    """Play another slot of the action."""
    if world.action:
        world.armature.animation_data.action_slot = world.pick(world.action.slots)


def duplicate_linked(world: World) -> None:
    """Another object of the same armature with the same action."""
    copy = world.armature.copy()
    bpy.context.scene.collection.objects.link(copy)
    world.activate(copy)


def duplicate_whole(world: World) -> None:
    """Another character with an armature and an action of its own."""
    copy = world.armature.copy()
    copy.data = copy.data.copy()
    bpy.context.scene.collection.objects.link(copy)
    if copy.animation_data and copy.animation_data.action:
        copy.animation_data.action = copy.animation_data.action.copy()
    world.activate(copy)


def other_character(world: World) -> None:
    """Go on with another one."""
    world.activate(world.pick(world.armatures))


def delete_character(world: World) -> None:
    """Delete one that is not the last."""
    if len(world.armatures) > 1:
        world.mode("OBJECT")
        bpy.data.objects.remove(world.armature)
        world.activate(world.armatures[0])


def switch_action(world: World) -> None:
    """Play another action."""
    world.armature.animation_data_create()
    world.armature.animation_data.action = world.pick(bpy.data.actions) if bpy.data.actions else None


def copy_action(world: World) -> None:
    """Go on with a copy of the action."""
    if world.action:
        world.armature.animation_data.action = world.action.copy()


def delete_action(world: World) -> None:
    """Delete an action that this armature does not play, such as one that a tool has kept."""
    others = [action for action in bpy.data.actions if action != world.action]
    if others:
        bpy.data.actions.remove(world.pick(others))


def forget_saved(world: World) -> None:
    """Delete something that a tool has saved: a custom property, or a text."""
    owners = [world.armature, world.armature.data, bpy.context.scene, *([world.action] if world.action else [])]
    places = [(owner, name) for owner in owners for name in owner.keys()]  # noqa: SIM118
    if bpy.data.texts and world.chance(0.5):
        bpy.data.texts.remove(world.pick(bpy.data.texts))
    elif places:
        owner, name = world.pick(places)
        del owner[name]


def go_to_frame(world: World) -> None:
    """Look at another frame."""
    bpy.context.scene.frame_set(world.frame())


def change_mode(world: World) -> None:
    """Go into another mode."""
    world.mode(world.pick(("OBJECT", "POSE", "POSE", "EDIT")))


def select_bones(world: World) -> None:
    """Choose some bones in pose mode."""
    world.mode("POSE")
    for bone in world.armature.pose.bones:
        owner = bone if hasattr(bone, "select") else bone.bone
        owner.select = world.chance(0.2)


def pose_bone(world: World) -> None:
    """Turn a bone and key it."""
    bone = world.pick(world.armature.pose.bones)
    bone.rotation_quaternion = world.random.normal(size=4)
    bone.location = 0.1 * world.random.normal(size=3)
    if world.chance(0.5):
        bone.keyframe_insert("location")
    bpy.context.view_layer.update()


def undo(_world: World) -> None:
    """Take back the last step."""
    if bpy.ops.ed.undo.poll():
        bpy.ops.ed.undo()


def redo(_world: World) -> None:
    """Do it again."""
    if bpy.ops.ed.redo.poll():
        bpy.ops.ed.redo()


def save_and_reload(world: World) -> None:
    """Save the file and open it."""
    path = str(world.folder / "chaos.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)


def disable_and_enable(_world: World) -> None:
    """Switch the extension off and on."""
    extension = checkout_as_extension.load()
    extension.unregister()
    extension.register()


HAPPENINGS = (
    *(mute_channel, lock_channel, delete_channel, rename_bone, delete_bone, set_frame_range, set_preview_range),
    *(add_slot, choose_slot, duplicate_linked, duplicate_whole, other_character, delete_character),
    *(switch_action, copy_action, delete_action, forget_saved, go_to_frame, change_mode, select_bones, pose_bone),
    *(undo, redo, save_and_reload, disable_and_enable),
)
