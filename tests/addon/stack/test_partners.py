"""A second character that has the timing of the first, and stays in touch with it."""

import json

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.stack.parameters import group_of
from test_stack import call, fingerprint, sample, stack_of


@pytest.fixture
def pair():
    first, second = sample(), sample()
    second.select_set(False)
    bpy.context.view_layer.objects.active = first
    call("low_pass", cutoff=4.0)
    call("warp_time", use_keytimes=False, length=0.9)
    return first, second


def length(armature):
    first, last = action_io.key_ends(armature)
    return last - first


def test_a_second_character_gets_the_same_timing(pair):
    first, second = pair
    whole = length(second)
    stack_of(first).entries[1].second = second
    assert [entry.name for entry in stack_of(second).entries] == [f"Timing of {first.name}"]
    assert not stack_of(second).entries[0].message
    assert length(second) == pytest.approx(0.9 * whole, abs=1.0)
    group_of(stack_of(first).entries[1]).length = 0.7
    assert length(first) == pytest.approx(0.7 * whole, abs=1.0)
    assert length(second) == pytest.approx(0.7 * whole, abs=1.0)


def test_both_are_at_the_same_moments(pair):
    first, second = pair
    before = scope.read_clip(bpy.context, second).motion
    stack_of(first).entries[1].second = second
    now = scope.read_clip(bpy.context, second).motion
    ((new, old),) = json.loads(stack_of(first).entries[1].time_map)
    for place in (len(new) // 3, len(new) // 2):
        seen = now.at(new[place] / now.rate).rotations
        then = before.at(old[place] / before.rate).rotations
        assert abs((seen * then).sum(axis=-1)).min() > 0.999


def test_its_own_edits_stay_and_letting_go_gives_its_timing_back(pair):
    first, second = pair
    original = fingerprint(second)
    stack_of(first).entries[1].second = second
    bpy.context.view_layer.objects.active = second
    call("exaggerate_motion", amount=1.3)
    group_of(stack_of(first).entries[1]).length = 0.7
    assert [entry.message for entry in stack_of(second).entries] == ["", ""]
    stack_of(first).entries[1].second = None
    assert [entry.tool for entry in stack_of(second).entries] == ["exaggerate_motion"]
    stack_of(second).entries[0].is_muted = True
    assert fingerprint(second) == original


def test_a_muted_timing_is_none_for_both(pair):
    first, second = pair
    original = fingerprint(second)
    stack_of(first).entries[1].second = second
    assert fingerprint(second) != original
    stack_of(first).entries[1].is_muted = True
    assert fingerprint(second) == original
    stack_of(first).entries[1].is_muted = False
    assert fingerprint(second) != original


def test_another_second_character_takes_the_place_of_the_first(pair):
    first, second = pair
    third = sample()
    originals = [fingerprint(each) for each in (second, third)]
    stack_of(first).entries[1].second = second
    stack_of(first).entries[1].second = third
    assert fingerprint(second) == originals[0]
    assert fingerprint(third) != originals[1]


@pytest.fixture
def touching():
    """Two that walk side by side, the hand of the first within the chest of the second for a while."""
    first, second = sample(), sample()
    second.select_set(False)
    bpy.context.view_layer.objects.active = first
    hand, chest = (places(first, name)[60] for name in ("hand.L", "chest"))
    second.location = hand - chest
    bpy.context.view_layer.update()
    return first, second


def places(armature, name):
    motion = scope.read_clip(bpy.context, armature).motion
    return motion.poses.positions[:, motion.skeleton.index[name]]


def test_hands_stay_where_they_touch_the_second_character(touching):
    first, second = touching
    before = places(first, "hand.L")
    call("exaggerate_motion", amount=1.3)
    entry, alone = stack_of(first).entries[0], fingerprint(first)
    moved = np.linalg.norm(places(first, "hand.L") - before, axis=1)
    assert moved[58:62].min() > 0.01
    entry.second = second
    assert not entry.message
    assert np.linalg.norm(places(first, "hand.L") - before, axis=1)[58:62].max() < 1e-3
    assert not len(stack_of(second).entries)
    entry.second = None
    assert fingerprint(first) == alone


def test_they_touch_at_the_same_moments_after_a_later_timing_of_both(touching):
    first, second = touching
    apart = places(first, "hand.L") - places(second, "chest")
    call("exaggerate_motion", amount=1.3)
    stack_of(first).entries[0].second = second
    call("warp_time", use_keytimes=False, length=0.8)
    stack_of(first).entries[1].second = second
    group_of(stack_of(first).entries[0]).amount = 1.4
    assert [entry.message for entry in stack_of(first).entries] == ["", ""]
    ((new, old),) = json.loads(stack_of(first).entries[1].time_map)
    row = round(float(np.interp(61.0, old, new))) - 1
    now = places(first, "hand.L")[row] - places(second, "chest")[row]
    assert np.linalg.norm(now - apart[60]) < 0.05
