"""What is animated along with an armature, in an action of its own, is part of the stack."""

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document.stack.parameters import group_of
from test_stack import call, sample, stack_of

LAST = 284


@pytest.fixture
def face():
    armature = sample()
    mesh = bpy.data.meshes.new("face")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    head = bpy.data.objects.new("face", mesh)
    bpy.context.collection.objects.link(head)
    head.parent = armature
    head.shape_key_add(name="Basis")
    smile = head.shape_key_add(name="Smile")
    for frame in range(1, LAST + 1):
        smile.value = (frame % 20) / 20.0
        smile.keyframe_insert("value", frame=frame)
    bpy.context.view_layer.objects.active = armature
    assert curve(mesh).id_data != armature.animation_data.action
    return armature, mesh


def curve(mesh):
    action = mesh.shape_keys.animation_data.action
    return action.layers[0].strips[0].channelbags[0].fcurves[0]


def keys(mesh):
    points = curve(mesh).keyframe_points
    values = np.empty(2 * len(points), dtype=np.float32)
    points.foreach_get("co", values)
    return values.reshape(-1, 2)


def test_shape_keys_are_retimed_from_the_beginning_each_time(face):
    armature, mesh = face
    call("warp_time", use_keytimes=False, length=0.9)
    once = keys(mesh)
    assert once[-1, 0] == pytest.approx(action_io.key_ends(armature)[1])
    group_of(stack_of(armature).entries[0]).length = 0.8
    assert keys(mesh)[-1, 0] == pytest.approx(action_io.key_ends(armature)[1]) != once[-1, 0]
    group_of(stack_of(armature).entries[0]).length = 0.9
    np.testing.assert_array_equal(keys(mesh), once)


def test_muting_gives_shape_keys_back(face):
    armature, mesh = face
    before = keys(mesh)
    call("warp_time", use_keytimes=False, length=0.9)
    stack_of(armature).entries[0].is_muted = True
    np.testing.assert_array_equal(keys(mesh), before)


def test_shape_keys_changed_by_hand_stay_changed(face):
    armature, mesh = face
    call("shift_time", offset=0.5)
    curve(mesh).keyframe_points[30].co.y += 0.4
    curve(mesh).update()
    mesh.shape_keys.animation_data.action.update_tag()
    by_hand = keys(mesh)
    group_of(stack_of(armature).entries[0]).offset = 1.0
    assert [entry.name for entry in stack_of(armature).entries] == ["Shift Time", "Keys by Hand"]
    assert keys(mesh)[30, 1] == pytest.approx(by_hand[30, 1], abs=1e-5)
    assert keys(mesh)[30, 0] > by_hand[30, 0]
    group_of(stack_of(armature).entries[0]).offset = 0.5
    np.testing.assert_array_equal(keys(mesh), by_hand)


def test_restoring_and_baking_forget_the_keys_of_before(face):
    _armature, mesh = face
    call("shift_time", offset=0.5)
    shape_action = mesh.shape_keys.animation_data.action
    assert shape_action.motion_editing_stack.base is not None
    call("bake_stack")
    assert shape_action.motion_editing_stack.base is None
    call("shift_time", offset=0.5)
    call("restore_original")
    assert shape_action.motion_editing_stack.base is None
