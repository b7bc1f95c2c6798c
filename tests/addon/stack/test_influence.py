"""Edits that count by a share."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.stack.parameters import group_of, offers_influence
from test_stack import call, fingerprint, sample, stack_of


def motion_of(armature):
    return scope.read_clip(bpy.context, armature).motion


@pytest.mark.parametrize("tool", ["low_pass", "exaggerate_motion", "lock_feet", "in_place"])
def test_rotations_turn_a_part_of_the_way(tool):
    armature = sample()
    before = motion_of(armature)
    call(tool)
    after = motion_of(armature)
    stack_of(armature).entries[0].influence = 0.25
    found = motion_of(armature)
    expected = quaternion.slerp(before.rotations, after.rotations, 0.25)
    assert quaternion.angle_between(found.rotations, expected).max() < 1e-5
    np.testing.assert_allclose(
        found.locations, before.locations + 0.25 * (after.locations - before.locations), atol=1e-6
    )


def test_without_influence_every_bit_is_as_before_and_back():
    armature = sample()
    before = fingerprint(armature)
    call("low_pass", cutoff=2.0)
    after = fingerprint(armature)
    entry = stack_of(armature).entries[0]
    entry.influence = 0.0
    assert fingerprint(armature) == before
    entry.influence = 0.5
    assert fingerprint(armature) not in (before, after)
    entry.influence = 1.0
    assert fingerprint(armature) == after


def test_later_edits_are_done_on_top_of_a_share():
    armature = sample()
    call("exaggerate_motion", amount=1.5)
    call("low_pass", cutoff=3.0)
    stack_of(armature).entries[0].influence = 0.5
    found = motion_of(armature)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = sample()
    clip = scope.read_clip(bpy.context, armature)
    call("exaggerate_motion", amount=1.5)
    half = scope.read_clip(bpy.context, armature)
    action_io.write(half, clip.motion.mixed(half.motion, 0.5))
    call("low_pass", cutoff=3.0)
    assert quaternion.angle_between(found.rotations, motion_of(armature).rotations).max() < 1e-5


def test_time_moves_a_part_of_the_way():
    armature = sample()
    first, last = action_io.key_ends(armature)
    call("shift_time", offset=1.0)
    rate = scope.source_rate(bpy.context, armature)
    stack_of(armature).entries[0].influence = 0.5
    assert not stack_of(armature).entries[0].message
    assert action_io.key_ends(armature) == pytest.approx((first + 0.5 * rate, last + 0.5 * rate), abs=1.0)


def test_contacts_follow_a_share_of_a_timing():
    armature = sample()
    call("find_contacts")
    spans = [each.start for each in armature.animation_data.action.motion_editing_contacts.spans]
    call("shift_time", offset=1.0)
    stack_of(armature).entries[0].influence = 0.5
    moved = [each.start for each in armature.animation_data.action.motion_editing_contacts.spans]
    rate = scope.source_rate(bpy.context, armature)
    np.testing.assert_allclose(moved, np.array(spans) + 0.5 * rate, atol=0.51)


def test_edits_that_are_done_or_not_offer_none():
    armature = sample()
    call("low_pass")
    call("mirror_motion")
    call("reduce_keys")
    assert [offers_influence(entry) for entry in stack_of(armature).entries] == [True, False, False]


def test_influence_goes_with_a_parameter():
    armature = sample()
    call("low_pass", cutoff=3.0)
    entry = stack_of(armature).entries[0]
    entry.influence = 0.5
    half = motion_of(armature)
    group_of(entry).cutoff = 1.0
    assert quaternion.angle_between(half.rotations, motion_of(armature).rotations).max() > 1e-3
    group_of(entry).cutoff = 3.0
    assert quaternion.angle_between(half.rotations, motion_of(armature).rotations).max() < 1e-6
