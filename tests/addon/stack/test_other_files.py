"""Stacks that come from elsewhere: appended, copied, overridden, and from before there were stacks."""

import bpy
import pytest
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.stack import parameters, snapshots
from motion_editing.motion_editing_addon.document.stack.parameters import group_of
from retarget_figures import figure_like, load_walker, make_active, retargeted
from test_stack import assert_same, call, fingerprint, keys_of, sample, stack_of
from workshop import checkout_as_extension


@pytest.fixture
def edited_file(tmp_path):
    """A file with an edited action, and what its keys would be with another value."""
    armature = sample()
    call("low_pass", cutoff=3.0)
    call("exaggerate_motion", amount=1.3)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "edited.blend"))
    group_of(stack_of(armature).entries[0]).cutoff = 2.0
    expected = keys_of(armature)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    snapshots.forget_all()
    parameters.forget()
    return tmp_path / "edited.blend", expected


def loaded(path, *, link):
    with bpy.data.libraries.load(str(path), link=link) as (source, target):
        target.objects = [name for name in source.objects if name.startswith("Sample")][:1]
    (armature,) = target.objects
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()
    return armature


def test_appended_actions_have_their_stacks(edited_file):
    path, expected = edited_file
    armature = loaded(path, link=False)
    assert [entry.name for entry in stack_of(armature).entries] == ["Low Pass", "Exaggerate Motion"]
    group_of(stack_of(armature).entries[0]).cutoff = 2.0
    assert [entry.message for entry in stack_of(armature).entries] == ["", ""]
    assert_same(keys_of(armature), expected)


def test_a_library_override_with_an_action_of_its_own_has_its_stack(edited_file):
    path, expected = edited_file
    linked = loaded(path, link=True)
    armature = linked.override_create(remap_local_usages=True)
    bpy.context.view_layer.objects.active = armature
    armature.animation_data.action = armature.animation_data.action.copy()
    armature.animation_data.action_slot = armature.animation_data.action.slots[0]
    parameters.ensure_all()
    stack = stack_of(armature)
    assert [entry.name for entry in stack.entries] == ["Low Pass", "Exaggerate Motion"]
    group_of(stack.entries[0]).cutoff = 2.0
    assert [entry.message for entry in stack.entries] == ["", ""]
    assert_same(keys_of(armature), expected)


def test_two_copies_of_an_action_change_apart():
    armature = sample()
    call("low_pass", cutoff=3.0)
    first = scope.own_action(armature)
    kept = fingerprint(armature)
    armature.animation_data.action = second = first.copy()
    armature.animation_data.action_slot = second.slots[0]
    group_of(second.motion_editing_stack.entries[0]).cutoff = 1.0
    changed = fingerprint(armature)
    armature.animation_data.action = first
    armature.animation_data.action_slot = first.slots[0]
    assert fingerprint(armature) == kept != changed
    call("bake_stack")
    armature.animation_data.action = second
    armature.animation_data.action_slot = second.slots[0]
    second.motion_editing_stack.entries[0].is_muted = True
    assert not second.motion_editing_stack.entries[0].message
    assert fingerprint(armature) not in (kept, changed)


def test_a_copy_of_a_retargeted_action_does_not_change_with_its_source():
    walker = load_walker()
    small = figure_like(walker, 0.6)
    retargeted(source=walker.name)
    call("low_pass", cutoff=2.0)
    first = scope.own_action(small)
    second = first.copy()
    kept = fingerprint(small)
    make_active(walker)
    call("exaggerate_motion", amount=1.5)
    make_active(small)
    call("update_source")
    assert fingerprint(small) != kept
    small.animation_data.action = second
    small.animation_data.action_slot = second.slots[0]
    group_of(second.motion_editing_stack.entries[1]).cutoff = 1.0
    group_of(second.motion_editing_stack.entries[1]).cutoff = 2.0
    assert fingerprint(small) == kept


def test_an_action_that_an_earlier_version_has_edited_begins_with_its_present_keys():
    armature = sample()
    call("low_pass", cutoff=3.0)
    stack_of(armature).forget()  # as files have it from before
    edited = fingerprint(armature)
    call("exaggerate_motion", amount=1.3)
    stack_of(armature).entries[0].is_muted = True
    assert fingerprint(armature) == edited


def test_edits_stay_editable_after_the_extension_was_disabled_and_enabled():
    armature = sample()
    call("low_pass", cutoff=3.0)
    call("exaggerate_motion")
    done = keys_of(armature)
    extension = checkout_as_extension.load()
    extension.unregister()
    extension.register()
    stack = stack_of(armature)
    for is_muted in (True, False):
        stack.entries[1].is_muted = is_muted
        assert [entry.message for entry in stack.entries] == ["", ""]
    assert group_of(stack.entries[0]).cutoff == 3.0
    assert_same(keys_of(armature), done)
