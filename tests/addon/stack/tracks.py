"""All that goes with a motion, put on the sample: contacts, poses, windows, keytimes, layers, flaws, marks, a strip."""

from __future__ import annotations

from functools import cache
from tempfile import mkdtemp

import bpy
from batch_scenes import open_scene
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.layers import session as layer_session

# Frames of the sample that are marked.
SOME = (35.0, 61.0, 90.0, 130.0)


def open_marked_sample() -> bpy.types.Object:
    """The sample with all that can go with its motion; no tool was used on it yet."""
    bpy.ops.wm.open_mainfile(filepath=_marked_file(), load_ui=False)
    return bpy.context.object


@cache
def _marked_file() -> str:
    open_scene(figures=2)
    bpy.data.objects["Sample.001"].select_set(False)
    armature, call = bpy.context.object, bpy.ops.motion_editing
    _add_layer(armature)
    call.find_contacts()
    call.extract_poses(share=0.5)
    call.find_similar(start=40.0, end=52.0, tick_up_to=0.3, show_up_to=0.5)
    call.add_keytime(frame=SOME[1])
    call.add_constraint(bone="hand.L", start=SOME[1], end=SOME[1] + 4.0)
    _mark(armature, scope.own_action(armature))
    path = f"{mkdtemp()}/marked.blend"
    bpy.ops.wm.save_as_mainfile(filepath=path)
    return path


def _add_layer(armature: bpy.types.Object) -> None:
    """A layer that a file of before there were stacks had: the action has neither edits nor original keys."""
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "hand.L")
    bpy.ops.motion_editing.add_layer(name="Low")
    bpy.ops.motion_editing.key_layer(layer="Low", frame=SOME[1])
    for bone in armature.pose.bones:
        select(bone, False)
    bpy.ops.object.mode_set(mode="OBJECT")
    data, action = armature.animation_data, armature.animation_data.action.copy()
    action.motion_editing.original = None
    action.motion_editing_stack.forget()
    data.action, data.action_slot = action, action.slots[0]


def _mark(armature: bpy.types.Object, action: bpy.types.Action) -> None:
    flaw = action.motion_editing_flaws.found.add()
    flaw.kind, flaw.bone, flaw.channel, flaw.first, flaw.last = "SPIKE", "hand.L", "rotation", SOME[1], SOME[2]
    action.motion_editing_flaws.searched = True
    touch = action.motion_editing_timeline.collisions.add()
    touch.start, touch.end, touch.bone = SOME[1], SOME[2], "hand.L"
    for number, frame in enumerate(SOME):
        action.pose_markers.new(f"mark {number}").frame = round(frame)
    action.use_frame_range, action.frame_start, action.frame_end = True, 35, 130
    action.use_cyclic = True
    for thing in (armature, bpy.data.objects["Sample.001"]):
        strip = thing.animation_data.nla_tracks.new().strips.new(thing.name, 1, action)
        strip.action_slot = armature.animation_data.action_slot
        strip.action_frame_start, strip.action_frame_end = 35.0, 130.0
        strip.id_data.animation_data.nla_tracks[-1].mute = True


def tracks_of(armature: bpy.types.Object) -> dict[str, list[tuple]]:
    """By kind of track what is marked: a name, which may be of a bone, and frames."""
    action = scope.own_action(armature)
    timeline, staggered = action.motion_editing_timeline, action.motion_editing_staggered
    found = {
        "contacts": [(item.bone, item.start, item.end) for _n, item in action.motion_editing_contacts.of(armature)],
        "poses": [("", item.frame) for item in staggered.poses],
        "windows": [("", item.start, item.end) for item in timeline.windows],
        "window": [("", timeline.start, timeline.end)] if timeline.has_window else [],
        "touches": [("", item.start, item.end) for item in timeline.collisions],
        "keytimes": [("", item.old) for item in action.motion_editing_time.keytimes],
        "constraints": [(item.bone, item.start, item.end) for item in action.motion_editing_constraints.listed],
        "flaws": [(item.bone, item.first, item.last) for item in action.motion_editing_flaws.found],
        "layers": _layers(armature),
        "markers": [(item.name, float(item.frame)) for item in action.pose_markers],
        "range": [("", action.frame_start, action.frame_end)],
        "cyclic": [(str(action.use_cyclic),)],
        "strips": _strips(),
    }
    return {kind: sorted(items) for kind, items in found.items()}


def _layers(armature: bpy.types.Object) -> list[tuple]:
    saved = layer_session.load(armature)
    layers, rate = (saved.layers, saved.rate) if saved is not None else ((), 1.0)
    return [(joint, float(time) * rate) for layer in layers for joint in layer.joints for time in layer.times]


def _strips() -> list[tuple]:
    datas = [thing.animation_data for thing in bpy.data.objects if thing.animation_data is not None]
    strips = [strip for data in datas for track in data.nla_tracks for strip in track.strips]
    return [(strip.name, strip.action_frame_start, strip.action_frame_end) for strip in strips]
