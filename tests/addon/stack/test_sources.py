"""Retargeted motions: the stack begins with what made them, and changes of the source are pulled in."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.stack.parameters import group_of
from retarget_figures import RATE, figure_like, load_walker, make_active, retargeted
from test_stack import assert_same, call, fingerprint, keys_of, stack_of


@pytest.fixture
def figures():
    walker = load_walker()
    return walker, figure_like(walker, 0.6)


def change_source(walker, small):
    make_active(walker)
    call("exaggerate_motion", amount=1.4)
    make_active(small)


def test_the_stack_of_the_new_action_begins_with_retargeting(figures):
    walker, small = figures
    retargeted(source=walker.name)
    entries = stack_of(small).entries
    assert [entry.tool for entry in entries] == ["retarget_motion"]
    assert group_of(entries[0]).source == walker.name
    assert not stack_of(walker).entries


def test_a_change_of_the_source_is_pulled_in_and_later_edits_done_again(figures):
    walker, small = figures
    retargeted(source=walker.name)
    call("low_pass", cutoff=2.0)
    call("shift_time", offset=0.5)
    before = keys_of(small)
    change_source(walker, small)
    call("update_source")
    assert [entry.message for entry in stack_of(small).entries] == ["", "", ""]
    found = keys_of(small)
    assert any(not np.array_equal(found[key], before[key]) for key in before)
    action = scope.action_of(small)
    retargeted(source=walker.name)
    call("low_pass", cutoff=2.0)
    call("shift_time", offset=0.5)
    assert scope.action_of(small) != action
    assert_same(found, keys_of(small))


def test_without_a_change_of_the_source_nothing_changes(figures):
    walker, small = figures
    retargeted(source=walker.name)
    call("low_pass", cutoff=2.0)
    before = fingerprint(small)
    call("update_source")
    count = len(bpy.data.actions)
    call("update_source")
    assert fingerprint(small) == before
    assert len(bpy.data.actions) == count


def test_another_parameter_of_retargeting_retargets_again(figures):
    walker, small = figures
    retargeted(source=walker.name)
    call("low_pass", cutoff=2.0)
    before = scope.read_clip(bpy.context, small).motion
    group_of(stack_of(small).entries[0]).keying = "REDUCED"
    assert [entry.message for entry in stack_of(small).entries] == ["", ""]
    after = scope.read_clip(bpy.context, small).motion
    assert len(after) == pytest.approx(len(before), abs=1)
    assert quaternion.angle_between(after.rotations, before.rotations[: len(after)]).max() < 0.2
    sparse = [len(keys) for keys in keys_of(small).values()]
    assert min(sparse) < len(before) / 2


def test_a_source_that_is_gone_is_told_and_keys_stay(figures):
    walker, small = figures
    retargeted(source=walker.name)
    call("low_pass", cutoff=2.0)
    before = fingerprint(small)
    bpy.data.objects.remove(walker)
    with pytest.raises(RuntimeError, match="Sample"):
        call("update_source")
    assert fingerprint(small) == before
    group_of(stack_of(small).entries[1]).cutoff = 1.0
    assert [entry.message for entry in stack_of(small).entries] == ["", ""]
    assert fingerprint(small) != before


def test_restoring_leaves_what_made_the_action(figures):
    walker, small = figures
    retargeted(source=walker.name)
    made = fingerprint(small)
    call("low_pass", cutoff=2.0)
    call("restore_original")
    assert fingerprint(small) == made
    assert [entry.tool for entry in stack_of(small).entries] == ["retarget_motion"]
    change_source(walker, small)
    call("update_source")
    assert fingerprint(small) != made


def test_marks_of_the_motion_stay_with_later_edits(figures):
    walker, small = figures
    retargeted(source=walker.name)
    call("shift_time", offset=1.0)
    call("find_contacts")
    contacts = scope.action_of(small).motion_editing_contacts
    marked = [(each.bone, each.start) for each in contacts.spans]
    change_source(walker, small)
    call("update_source")
    found = [(each.bone, each.start) for each in scope.action_of(small).motion_editing_contacts.spans]
    assert [bone for bone, _ in found] == [bone for bone, _ in marked]
    np.testing.assert_allclose([start for _, start in found], [start for _, start in marked], atol=RATE / 15)
