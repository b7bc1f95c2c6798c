"""What an action's settings point to is deleted: they are empty then, and no tool crashes."""

import bpy
import pytest

POINTERS = {
    "motion_editing.original": bpy.types.Action,
    "motion_editing_time.reference_action": bpy.types.Action,
    "motion_editing_timeline.reference_action": bpy.types.Action,
    "motion_editing_timeline.reference_object": bpy.types.Object,
    "motion_editing_timeline.second": bpy.types.Object,
    "motion_editing_constraints.listed[0].target_object": bpy.types.Object,
}


@pytest.mark.parametrize("path", POINTERS)
def test_settings_let_go_of_what_is_deleted(path):
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    action = bpy.context.object.animation_data.action
    action.motion_editing_constraints.listed.add()
    holder, _dot, name = path.rpartition(".")
    if POINTERS[path] is bpy.types.Action:
        target, things = bpy.data.actions.new("target"), bpy.data.actions
    else:
        target, things = bpy.data.objects.new("target", bpy.context.object.data), bpy.data.objects
    setattr(action.path_resolve(holder), name, target)
    things.remove(target)
    assert action.path_resolve(path) is None


def test_deleting_the_original_leaves_nothing_to_compare_with():
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    bpy.ops.motion_editing.smooth()
    assert bpy.ops.motion_editing.compare_original.poll()
    bpy.data.actions.remove(bpy.context.object.animation_data.action.motion_editing.original)
    assert not bpy.ops.motion_editing.compare_original.poll()
