"""A motion that was read before is the same object, with all found in it; whatever changes makes another."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import bpy
import numpy as np
import pytest
from motion_editing.core.motion.motion import Motion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.action_io import clip as clips
from motion_editing.motion_editing_addon.border.action_io.any_frames import read_frames
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.character.joint_positions import positions_of
from motion_editing.motion_editing_addon.document.character.saved_body import body_of, save_body
from motion_editing.motion_editing_addon.document.contacts.saved_contacts import contacts_of
from rigs import chain_armature, key_bones

Object = bpy.types.Object


@pytest.fixture(params=["dense", "sparse"])
def armature(request) -> Object:
    made = chain_armature()
    key_bones(made, [float(frame) for frame in (range(1, 31) if request.param == "dense" else (1, 9, 30))])
    return made


def read(armature: Object) -> action_io.Clip:
    return scope.read_clip(bpy.context, armature)


def same(one: Motion, other: Motion) -> bool:
    names = ("times", "rotations", "locations", "scales", "scalars")
    alike = all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)
    return alike and one.skeleton.content == other.skeleton.content and one.rate == other.rate


def curve_of(armature: Object, number: int = 0) -> bpy.types.FCurve:
    return list(action_io.channels_of(armature).curves.values())[number]


def test_what_is_read_twice_is_one_motion(armature):
    one, other = read(armature), read(armature)
    assert other.motion is one.motion
    assert read_frames(armature, one.frames, rate=one.motion.rate).motion is one.motion
    assert all(other.raw[prop] is one.raw[prop] for prop in one.raw)
    assert body_of(armature, other) is body_of(armature, one)
    assert positions_of(bpy.context, other) is positions_of(bpy.context, one)


def move_a_key(armature: Object) -> None:
    curve_of(armature).keyframe_points[1].co[1] += 0.25


def move_keys_without_telling(armature: Object) -> None:
    points = curve_of(armature).keyframe_points
    values = np.empty(2 * len(points), dtype=np.float32)
    points.foreach_get("co", values)
    values[3] += 0.25
    points.foreach_set("co", values)


def turn_a_handle(armature: Object) -> None:
    point = curve_of(armature).keyframe_points[0]
    point.interpolation, point.handle_right_type = "BEZIER", "FREE"
    point.handle_right[1] += 3.0


def step_a_key(armature: Object) -> None:
    curve_of(armature).keyframe_points[0].interpolation = "CONSTANT"


def bounce(armature: Object) -> None:
    for point in curve_of(armature).keyframe_points:
        point.interpolation, point.easing = "ELASTIC", "EASE_IN"
    read(armature)
    for point in curve_of(armature).keyframe_points:
        point.amplitude, point.period = 0.7, 3.0


def add_a_modifier(armature: Object) -> None:
    curve_of(armature).modifiers.new("GENERATOR")


def change_an_array_of_a_modifier(armature: Object) -> None:
    modifier = curve_of(armature).modifiers.new("GENERATOR")
    read(armature)
    modifier.coefficients[0] = 0.5


def remove_a_key(armature: Object) -> None:
    points = curve_of(armature).keyframe_points
    points.remove(points[1])


def mute_a_curve(armature: Object) -> None:
    curve_of(armature).mute = True


def move_what_has_no_keys(armature: Object) -> None:
    armature.location = (1.0, 2.0, 3.0)


def change_the_rotation_mode(armature: Object) -> None:
    for bone in armature.pose.bones:
        bone.rotation_mode = "ZYX" if bone.rotation_mode != "ZYX" else "XYZ"


def move_a_rest_bone(armature: Object) -> None:
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones[-1].tail.x += 0.5
    bpy.ops.object.mode_set(mode="OBJECT")


def carry_it(armature: Object) -> None:
    armature.parent = bpy.data.objects.new("Cart", None)
    bpy.context.scene.collection.objects.link(armature.parent)
    armature.parent.location.x = 4.0
    bpy.context.view_layer.update()


def state_another_rate(armature: Object) -> None:
    scope.action_of(armature).motion_editing.source_rate = 48.0


def play_another_action(armature: Object) -> None:
    other = scope.action_of(armature).copy()
    armature.animation_data.action = other
    move_a_key(armature)


CHANGES = [
    move_a_key,
    move_keys_without_telling,
    turn_a_handle,
    step_a_key,
    bounce,
    add_a_modifier,
    change_an_array_of_a_modifier,
    remove_a_key,
    mute_a_curve,
    move_what_has_no_keys,
    change_the_rotation_mode,
    move_a_rest_bone,
    carry_it,
    state_another_rate,
    play_another_action,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_every_change_is_seen_at_once(armature, change: Callable[[Object], None]):
    read(armature)
    change(armature)
    seen = read(armature).motion
    clips._known.clear()
    assert same(seen, read(armature).motion)


@pytest.mark.parametrize("change", [move_a_key, move_what_has_no_keys, move_a_rest_bone, state_another_rate])
def test_undo_brings_back_what_was_read(armature, change):
    name = armature.name
    bpy.ops.ed.undo_push(message="before")
    before = read(armature).motion
    change(armature)
    bpy.ops.ed.undo_push(message="changed")
    assert not same(read(armature).motion, before)
    bpy.ops.ed.undo()
    again = read(bpy.data.objects[name])
    assert same(again.motion, before)
    # Curves are those of now: others are gone with what was undone.
    assert {curve.id_data for curve in again.channels.curves.values()} == {scope.action_of(bpy.data.objects[name])}


def test_another_file_is_read_anew(armature, tmp_path):
    name, path = armature.name, str(tmp_path / "saved.blend")
    before = read(armature).motion
    bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
    move_a_key(armature)
    read(armature)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert same(read(bpy.data.objects[name]).motion, before)


def test_another_frame_is_no_other_motion(armature):
    before = read(armature).motion
    bpy.context.scene.frame_set(17)
    assert read(armature).motion is before


def test_changed_roles_are_the_body(armature):
    clip = read(armature)
    body = body_of(armature, clip)
    save_body(armature, body.with_role("head", armature.pose.bones[-1].name))
    assert body_of(armature, read(armature)).head == len(armature.pose.bones)
    armature.motion_editing.body = ""
    assert body_of(armature, read(armature)) is body


def test_listed_contacts_are_taken_from_the_list(armature):
    clip = read(armature)
    save_body(armature, body_of(armature, clip))
    listed = scope.action_of(armature).motion_editing_contacts
    listed.mark_known(armature)
    assert not contacts_of(clip).joints
    listed.new(armature, armature.pose.bones[-1].name, 2.0, 6.0)
    assert contacts_of(read(armature)).joints == (armature.pose.bones[-1].name,)


def test_only_a_few_are_kept():
    armature = chain_armature()
    key_bones(armature, [1.0, 5.0])
    seen = []
    for number in range(12):
        curve_of(armature).keyframe_points[0].co[1] = float(number)
        seen.append(weakref.ref(read(armature).motion))
    gc.collect()
    assert sum(each() is not None for each in seen) <= 3
