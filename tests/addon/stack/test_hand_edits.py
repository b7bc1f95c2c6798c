"""Keys changed by hand between two tools: an entry of the stack, which stays and goes along."""

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.document.stack import snapshots
from motion_editing.motion_editing_addon.document.stack.parameters import group_of
from rigs import chain_armature, key_bones
from test_stack import call, change_key, fingerprint, keys_of, sample, stack_of


def test_keys_changed_by_hand_are_an_entry_that_stays_bit_for_bit():
    armature = sample()
    call("low_pass", cutoff=3.0)
    change_key(armature, 20, 0.2)
    by_hand = fingerprint(armature)
    call("exaggerate_motion")
    stack = stack_of(armature)
    assert [entry.name for entry in stack.entries] == ["Low Pass", "Keys by Hand", "Exaggerate Motion"]
    stack.entries[2].is_muted = True
    assert fingerprint(armature) == by_hand
    snapshots.forget_all()
    stack.entries[2].is_muted = False
    stack.entries[2].is_muted = True
    assert fingerprint(armature) == by_hand


def test_keys_changed_by_hand_go_along_when_an_earlier_edit_changes():
    armature = sample()
    call("low_pass", cutoff=3.0)
    before = keys_of(armature)
    change_key(armature, 20, 0.2)
    after = keys_of(armature)
    group_of(stack_of(armature).entries[0]).cutoff = 1.0
    assert [entry.name for entry in stack_of(armature).entries] == ["Low Pass", "Keys by Hand"]
    found = keys_of(armature)
    stack_of(armature).entries[1].is_muted = True
    smooth = keys_of(armature)
    turned = [key for key in found if not np.array_equal(found[key], smooth[key])]
    assert {name for name, _index in turned} == {'pose.bones["hips"].rotation_quaternion'}
    assert all(np.flatnonzero(found[key][:, 1] != smooth[key][:, 1]).tolist() == [20] for key in turned)
    assert not np.array_equal(smooth[turned[0]], before[turned[0]])
    assert _turn(found, smooth) == pytest.approx(_turn(after, before), abs=1e-5)


def _turn(one, other):
    """Angle between the hips of two sets of keys at the changed key."""
    path = 'pose.bones["hips"].rotation_quaternion'
    a, b = (np.array([each[path, index][20, 1] for index in range(4)], dtype=float) for each in (one, other))
    return 2.0 * np.arccos(min(1.0, abs(a @ b) / np.linalg.norm(a) / np.linalg.norm(b)))


def test_keys_changed_by_hand_go_along_with_another_timing():
    armature = chain_armature(3, connected=False)
    key_bones(armature, [1, 11, 21, 31])
    call("shift_time", offset=0.5)
    curve = next(iter(armature.animation_data.action.layers[0].strips[0].channelbags[0].fcurves))
    path, index, frame = curve.data_path, curve.array_index, curve.keyframe_points[1].co.x
    curve.keyframe_points[1].co.y += 0.3
    curve.update()
    armature.animation_data.action.update_tag()
    group_of(stack_of(armature).entries[0]).offset = 1.0
    rate = bpy.context.scene.render.fps
    keys = keys_of(armature)[path, index]
    stack_of(armature).entries[-1].is_muted = True
    difference = keys - keys_of(armature)[path, index]
    assert keys[1, 0] == pytest.approx(frame + 0.5 * rate)
    assert difference[1, 1] == pytest.approx(0.3, abs=1e-5)
    assert not difference[[0, 2, 3]].any()


def test_keys_deleted_by_hand_stay_deleted():
    armature = chain_armature(3, connected=False)
    key_bones(armature, [1, 11, 21, 31])
    call("exaggerate_motion", amount=1.2)
    curve = next(iter(armature.animation_data.action.layers[0].strips[0].channelbags[0].fcurves))
    path, index = curve.data_path, curve.array_index
    curve.keyframe_points.remove(curve.keyframe_points[2])
    armature.animation_data.action.update_tag()
    group_of(stack_of(armature).entries[0]).amount = 1.4
    assert [entry.name for entry in stack_of(armature).entries] == ["Exaggerate Motion", "Keys by Hand"]
    assert keys_of(armature)[path, index][:, 0].tolist() == [1.0, 11.0, 31.0]


def test_one_hand_edit_is_not_taken_for_another():
    armature = sample()
    call("low_pass", cutoff=3.0)
    change_key(armature, 20, 0.2)
    call("exaggerate_motion")
    stack_of(armature).active = 2
    call("remove_edit")
    stack_of(armature).active = 1
    call("remove_edit")
    change_key(armature, 40, -0.3)
    second = fingerprint(armature)
    call("exaggerate_motion")
    stack_of(armature).entries[2].is_muted = True
    assert fingerprint(armature) == second


def test_keys_changed_while_no_edit_is_left_stay():
    armature = sample()
    call("low_pass", cutoff=3.0)
    call("remove_edit")
    change_key(armature, 20, 0.2)
    by_hand = fingerprint(armature)
    call("exaggerate_motion")
    assert [entry.name for entry in stack_of(armature).entries] == ["Keys by Hand", "Exaggerate Motion"]
    stack_of(armature).entries[1].is_muted = True
    assert fingerprint(armature) == by_hand


def test_contacts_marked_while_no_edit_is_left_stay():
    armature = sample()
    call("low_pass", cutoff=3.0)
    call("remove_edit")
    call("find_contacts")
    count = len(armature.animation_data.action.motion_editing_contacts.spans)
    call("exaggerate_motion")
    stack_of(armature).entries[0].is_muted = True
    assert len(armature.animation_data.action.motion_editing_contacts.spans) == count > 0


def two_in_one_action():
    """Two armatures that are animated by two slots of one action."""
    first, second = chain_armature(3, name="First", connected=False), chain_armature(3, name="Second", connected=False)
    key_bones(first, list(range(1, 31)))
    key_bones(second, list(range(1, 31)), seed=2)
    action, other = first.animation_data.action, second.animation_data.action
    slot = action.slots.new(id_type="OBJECT", name="Second")
    strip = action.layers[0].strips[0]
    bag = strip.channelbag(slot, ensure=True)
    for curve in other.layers[0].strips[0].channelbags[0].fcurves:
        new = bag.fcurves.new(curve.data_path, index=curve.array_index)
        for key in curve.keyframe_points:
            new.keyframe_points.insert(*key.co)
    second.animation_data.action, second.animation_data.action_slot = action, slot
    return first, second


def use(armature, tool, **values):
    bpy.context.view_layer.objects.active = armature
    call(tool, **values)


def test_each_slot_of_an_action_has_its_own_hand_edits():
    first, second = two_in_one_action()
    use(first, "low_pass", cutoff=3.0)
    use(second, "low_pass", cutoff=4.0)
    key = second.animation_data.action.layers[0].strips[0].channelbags[1].fcurves[0].keyframe_points[9]
    key.co.y += 0.3
    second.animation_data.action.update_tag()
    by_hand, others = fingerprint(second), fingerprint(first)
    use(first, "exaggerate_motion")
    use(second, "exaggerate_motion")
    names = [(entry.name, entry.slot == second.animation_data.action_slot.handle) for entry in stack_of(first).entries]
    assert names == [
        ("Low Pass", False),
        ("Low Pass", True),
        ("Exaggerate Motion", False),
        ("Keys by Hand", True),
        ("Exaggerate Motion", True),
    ]
    stack_of(first).entries[4].is_muted = True
    stack_of(first).entries[2].is_muted = True
    assert fingerprint(second) == by_hand
    assert fingerprint(first) == others


def test_a_hand_edit_before_the_first_tool_of_a_second_slot_stays():
    first, second = two_in_one_action()
    use(first, "low_pass", cutoff=3.0)
    key = second.animation_data.action.layers[0].strips[0].channelbags[1].fcurves[0].keyframe_points[9]
    key.co.y += 0.3
    second.animation_data.action.update_tag()
    by_hand = fingerprint(second)
    use(second, "exaggerate_motion")
    stack_of(second).entries[-1].is_muted = True
    assert fingerprint(second) == by_hand


def test_a_recipe_that_fails_leaves_no_trace_in_the_stack(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text('[[step]]\nedit = "low_pass"\n\n[[step]]\nedit = "bridge_gap"\n', encoding="utf-8")
    armature = sample()
    call("exaggerate_motion", amount=1.2)
    with pytest.raises(RuntimeError, match="step 2"):
        call("run_recipe", filepath=str(path))
    before = fingerprint(armature)
    call("exaggerate_motion", amount=1.1)
    assert [entry.name for entry in stack_of(armature).entries] == ["Exaggerate Motion"] * 2
    stack_of(armature).entries[1].is_muted = True
    assert fingerprint(armature) == before


def test_a_tool_that_refuses_does_not_count_a_hand_edit_twice():
    armature = sample()
    call("low_pass", cutoff=3.0)
    change_key(armature, 20, 0.2)
    by_hand = fingerprint(armature)
    with pytest.raises(RuntimeError, match="Choose a Range"):
        call("bridge_gap", range="ACTION")
    call("exaggerate_motion")
    stack = stack_of(armature)
    assert [entry.name for entry in stack.entries] == ["Low Pass", "Keys by Hand", "Exaggerate Motion"]
    stack.entries[2].is_muted = True
    assert fingerprint(armature) == by_hand


def test_the_chosen_edit_is_removed_and_not_what_was_just_noticed():
    armature = sample()
    call("low_pass", cutoff=3.0)
    call("exaggerate_motion")
    change_key(armature, 20, 0.2)
    stack_of(armature).active = 0
    call("remove_edit")
    assert [entry.name for entry in stack_of(armature).entries] == ["Exaggerate Motion", "Keys by Hand"]


def test_an_edit_can_be_opened_again_after_keys_were_changed_by_hand():
    armature = sample()
    call("low_pass", cutoff=3.0)
    change_key(armature, 20, 0.2)
    call("reopen_edit")
    stack = stack_of(armature)
    assert [(entry.name, entry.is_open) for entry in stack.entries] == [("Low Pass", True), ("Keys by Hand", False)]
