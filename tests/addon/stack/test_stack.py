"""The stack of edits: whatever is changed in it, the keys are those that the same edits give from the start."""

import bpy
import numpy as np
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.action_io.curves.key_arrays import keys_to_arrays, unpack_keys
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.stack import snapshots
from motion_editing.motion_editing_addon.document.stack.parameters import group_of


def sample():
    bpy.ops.motion_editing.load_sample_motion()
    return bpy.context.object


def stack_of(armature):
    return armature.animation_data.action.motion_editing_stack


def call(tool, **values):
    return getattr(bpy.ops.motion_editing, tool)(**values)


def keys_of(armature):
    return {key: values["co"].copy() for key, values in unpack_keys(keys_to_arrays(armature)).items()}


def assert_same(found, expected):
    assert found.keys() == expected.keys()
    for key, values in expected.items():
        assert found[key].shape == values.shape, key
        assert (np.abs(found[key] - values) <= 1e-6 * np.maximum(1.0, np.abs(values))).all(), key


def fingerprint(armature):
    return action_io.fingerprint(armature)


def curve_of(armature, path, index):
    return next(
        each
        for each in armature.animation_data.action.layers[0].strips[0].channelbags[0].fcurves
        if each.data_path.endswith(path) and each.array_index == index
    )


def change_key(armature, row, by, path='["hips"].rotation_quaternion', index=2):
    """Change a key with Blender's own means."""
    curve = curve_of(armature, path, index)
    curve.keyframe_points[row].co.y += by
    curve.update()
    armature.animation_data.action.update_tag()


def test_tools_are_listed_with_their_parameters():
    armature = sample()
    call("low_pass", cutoff=3.0)
    call("shift_time", offset=0.5)
    stack = stack_of(armature)
    assert [entry.name for entry in stack.entries] == ["Low Pass", "Shift Time"]
    assert group_of(stack.entries[0]).cutoff == 3.0
    assert group_of(stack.entries[1]).offset == 0.5
    assert stack.base == armature.animation_data.action.motion_editing.original


def test_a_tool_that_changes_nothing_is_not_listed():
    armature = sample()
    call("low_pass", strength=0.0)
    assert not stack_of(armature).entries


def test_a_changed_parameter_gives_what_the_edits_give_with_it():
    armature = sample()
    call("low_pass", cutoff=3.0)
    call("shift_time", offset=0.5)
    call("exaggerate_motion", amount=1.3)
    group_of(stack_of(armature).entries[0]).cutoff = 2.0
    found = keys_of(armature)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = sample()
    call("low_pass", cutoff=2.0)
    call("shift_time", offset=0.5)
    call("exaggerate_motion", amount=1.3)
    assert_same(found, keys_of(armature))


def test_muting_all_gives_the_original_and_back_the_same_keys():
    armature = sample()
    states = [fingerprint(armature)]
    for tool in ("low_pass", "shift_time", "exaggerate_motion"):
        call(tool)
        states.append(fingerprint(armature))
    entries = stack_of(armature).entries
    for entry in reversed(entries):
        assert fingerprint(armature) == states.pop()
        entry.is_muted = True
    assert fingerprint(armature) == states.pop()


def test_contacts_that_were_marked_follow_an_earlier_timing():
    armature = sample()
    call("shift_time", offset=0.5)
    call("find_contacts")
    spans = [(each.bone, each.start, each.end) for each in armature.animation_data.action.motion_editing_contacts.spans]
    assert spans
    group_of(stack_of(armature).entries[0]).offset = 1.0
    moved = [(each.bone, each.start, each.end) for each in armature.animation_data.action.motion_editing_contacts.spans]
    later = 0.5 * armature.animation_data.action.motion_editing.source_rate or 0.5 * bpy.context.scene.render.fps
    assert [bone for bone, *_ in moved] == [bone for bone, *_ in spans]
    np.testing.assert_allclose([each[1:] for each in moved], np.array([each[1:] for each in spans]) + later, atol=1e-3)


def test_bones_and_frames_of_an_edit_are_kept():
    armature = sample()
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, "arm" in bone.name.lower())
    picked = {bone.name for bone in armature.pose.bones if "arm" in bone.name.lower()}
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 50, 120
    before = keys_of(armature)
    call("low_pass", cutoff=1.0, range="PREVIEW")
    scene.use_preview_range = False
    for bone in armature.pose.bones:
        select(bone, False)
    bpy.ops.object.mode_set(mode="OBJECT")
    group_of(stack_of(armature).entries[0]).cutoff = 0.7
    assert not stack_of(armature).entries[0].message
    after = keys_of(armature)
    changed = {
        name.split('"')[1] for name, index in after if not np.array_equal(after[name, index], before[name, index])
    }
    assert changed
    assert changed <= picked
    rows = {row for key in after for row in np.flatnonzero((after[key] != before[key]).any(axis=1)).tolist()}
    assert min(rows) >= 48
    assert max(rows) <= 121


def test_an_edit_of_a_bone_that_is_gone_is_left_out_with_the_reason():
    armature = sample()
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "head")
    call("low_pass", cutoff=1.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    call("exaggerate_motion")
    armature.data.bones["head"].name = "skull"
    entries = stack_of(armature).entries
    entries[1].is_muted = True
    group_of(entries[0]).cutoff = 2.0
    assert entries[0].message == "There is no bone 'head' any more"
    assert not entries[1].message


def test_stacks_are_saved_and_go_on_in_another_session(tmp_path):
    armature = sample()
    call("low_pass", cutoff=3.0)
    call("exaggerate_motion", amount=1.3)
    name = armature.name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "stack.blend"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    snapshots.forget_all()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "stack.blend"))
    armature = bpy.data.objects[name]
    saved = fingerprint(armature)
    assert not [action.name for action in bpy.data.actions if action.name.startswith(".")]
    change_key(armature, 20, 0.2)
    by_hand = fingerprint(armature)
    group_of(stack_of(armature).entries[1]).amount = 0.9
    assert [entry.name for entry in stack_of(armature).entries] == ["Low Pass", "Exaggerate Motion", "Keys by Hand"]
    group_of(stack_of(armature).entries[1]).amount = 1.3
    assert fingerprint(armature) == by_hand
    stack_of(armature).entries[2].is_muted = True
    assert fingerprint(armature) == saved


def test_a_duplicate_has_a_stack_of_its_own():
    armature = sample()
    call("low_pass", cutoff=3.0)
    other = armature.copy()
    bpy.context.collection.objects.link(other)
    action = armature.animation_data.action
    other.animation_data.action = action.copy()
    other.animation_data.action_slot = other.animation_data.action.slots[0]
    before = fingerprint(armature)
    group_of(stack_of(other).entries[0]).cutoff = 1.0
    assert fingerprint(armature) == before != fingerprint(other)


def test_restoring_the_original_forgets_the_stack():
    armature = sample()
    before = fingerprint(armature)
    call("low_pass", cutoff=3.0)
    call("restore_original")
    assert fingerprint(armature) == before
    assert not stack_of(armature).entries
    call("low_pass", cutoff=3.0)
    stack_of(armature).entries[0].is_muted = True
    assert fingerprint(armature) == before


def test_baking_keeps_the_keys_and_forgets_the_edits():
    armature = sample()
    call("low_pass", cutoff=3.0)
    baked = fingerprint(armature)
    call("bake_stack")
    assert fingerprint(armature) == baked
    assert not stack_of(armature).entries
    call("exaggerate_motion")
    stack_of(armature).entries[0].is_muted = True
    assert fingerprint(armature) == baked


def test_without_the_keys_from_before_nothing_changes_and_the_reason_is_told():
    armature = sample()
    call("low_pass", cutoff=3.0)
    before = fingerprint(armature)
    bpy.data.actions.remove(stack_of(armature).base)
    stack_of(armature).entries[0].is_muted = True
    assert fingerprint(armature) == before
    assert stack_of(armature).entries[0].message


def test_the_scene_follows_once_when_an_earlier_timing_changes():
    armature = sample()
    scene = bpy.context.scene
    scene.motion_editing_scene_follows = True
    call("warp_time", use_keytimes=False, length=0.8)
    shorter = scene.frame_end
    call("low_pass", cutoff=4.0)
    group_of(stack_of(armature).entries[0]).length = 0.9
    longer = scene.frame_end
    assert longer > shorter
    group_of(stack_of(armature).entries[1]).cutoff = 3.0
    assert scene.frame_end == longer
    group_of(stack_of(armature).entries[0]).length = 0.8
    assert scene.frame_end == shorter


def test_frames_of_parameters_are_shown_where_the_moments_are_now():
    armature = sample()
    call("warp_time", use_keytimes=False, length=0.8)
    call("change_heading", start_frame=40, end_frame=80, angle=0.5)
    stack = stack_of(armature)
    turn = group_of(stack.entries[1])
    assert (turn.start_frame, turn.end_frame) == (40, 80)
    done = fingerprint(armature)
    group_of(stack.entries[0]).length = 0.4
    assert turn.start_frame < 25
    assert turn.end_frame < 45
    group_of(stack.entries[0]).length = 0.8
    assert (turn.start_frame, turn.end_frame) == (40, 80)
    assert fingerprint(armature) == done


def test_a_frame_that_is_set_counts_from_the_present_timing():
    armature = sample()
    call("shift_time", offset=0.0)
    call("shift_time", offset=0.5)
    call("change_heading", start_frame=40, end_frame=80, angle=0.5)
    stack = stack_of(armature)
    turn, shift = group_of(stack.entries[-1]), group_of(stack.entries[0])
    rate = scope.source_rate(bpy.context, armature)
    shift.offset = 1.0
    assert turn.end_frame == 80 + round(0.5 * rate)
    turn.end_frame = 100
    shift.offset = 0.5
    assert turn.end_frame == 100 - round(0.5 * rate)
