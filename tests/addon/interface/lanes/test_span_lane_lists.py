"""Constraints and contacts as spans on the strip: lists are read, dragged, added to and deleted from."""

from __future__ import annotations

from itertools import combinations

import bpy
import pytest
from motion_editing.motion_editing_addon.constraints.kinds import KINDS
from motion_editing.motion_editing_addon.constraints.lane import ConstraintsOnStrip
from motion_editing.motion_editing_addon.contacts.lane import ContactsOnStrip
from motion_editing.motion_editing_addon.interface.drawing.theme import palette
from motion_editing.motion_editing_addon.interface.strip import SpanLane, all_lanes
from motion_editing.motion_editing_addon.interface.strip.spans.span_data import SpanItem, SpanPart
from rigs import chain_armature, key_bones


@pytest.fixture
def armature(empty_scene):
    rig = chain_armature(4)
    key_bones(rig, [1, 40, 90])
    return rig


def constraints(armature):
    return armature.animation_data.action.motion_editing_constraints


def contacts(armature):
    return armature.animation_data.action.motion_editing_contacts


def constrain(bone, start, end, kind="KEEP", **options):
    assert bpy.ops.motion_editing.add_constraint(kind=kind, bone=bone, start=start, end=end, **options) == {"FINISHED"}


def mark(armature, bone, start, end):
    item = contacts(armature).spans.add()
    item.bone, item.start, item.end = bone, start, end
    contacts(armature).known = True


def frames(item):
    return item.start, item.end


def shown(provider):
    return [(span.number, span.row, span.start, span.end) for span in provider.data(bpy.context).spans]


def test_both_lanes_are_there_and_hidden_without_spans(armature):
    lanes = {lane.name: lane for lane in all_lanes() if lane.name in ("constraints", "contacts")}
    assert len(lanes) == 2
    colours = palette(bpy.context)
    assert [lane.update(bpy.context, colours) for lane in lanes.values()] == [False, False]
    constrain("bone2", 10, 20)
    mark(armature, "bone1", 5, 15)
    assert [lane.update(bpy.context, colours) for lane in lanes.values()] == [True, True]


def test_constraints_are_shown_with_bone_type_target_and_state(armature):
    ball = bpy.data.objects.new("Ball", None)
    bpy.context.scene.collection.objects.link(ball)
    constrain("bone3", 10, 20)
    constrain("bone1", 30, 30, "POSITION", target_object="Ball")
    constraints(armature).listed[0].enabled = False
    constraints(armature).listed[1].missed = 0.2
    data = ConstraintsOnStrip().data(bpy.context)
    assert data.rows == ("bone1", "bone3")
    assert data.active == 1
    said = [(span.row, span.label, span.tip, span.enabled, span.missed) for span in data.spans]
    assert said == [
        ("bone3", "Keep", "Keep", False, False),
        ("bone1", "Position", "Position Ball", True, True),
    ]


def test_every_type_has_a_colour_that_can_be_told_from_the_others():
    colours = ConstraintsOnStrip().colours(bpy.context)
    assert set(colours) == set(KINDS)
    colours |= ContactsOnStrip().colours(bpy.context)
    for one, other in combinations(colours.values(), 2):
        assert sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5 > 0.25


def test_data_is_kept_until_something_changes(armature):
    constrain("bone3", 10, 20)
    provider = ConstraintsOnStrip()
    first = provider.data(bpy.context)
    assert provider.data(bpy.context) is first
    constraints(armature).listed[0].softness = 0.5
    assert provider.data(bpy.context) is first, "what is not shown does not count"
    constraints(armature).listed[0].end = 22
    assert provider.data(bpy.context).spans[0].end == 22


def test_a_drag_writes_the_list_and_esc_writes_it_back(armature):
    mark(armature, "bone1", 5.25, 15.5)
    provider, item = ContactsOnStrip(), contacts(armature).spans[0]
    assert provider.drag(bpy.context, 0, (8.0, 15.5), final=False)
    assert provider.drag(bpy.context, 0, (11.0, 15.5), final=False)
    assert frames(item) == (11.0, 15.5)
    provider.cancel(bpy.context)
    assert frames(item) == (5.25, 15.5)
    assert provider.drag(bpy.context, 0, (7.0, 15.5), final=True)
    provider.cancel(bpy.context)
    assert frames(item) == (7.0, 15.5), "a drag that is over stays"


def test_a_drag_back_to_where_it_was_changes_nothing(armature):
    constrain("bone3", 10, 20)
    provider = ConstraintsOnStrip()
    assert provider.drag(bpy.context, 0, (10.0, 25.0), final=False)
    assert not provider.drag(bpy.context, 0, (10.0, 20.0), final=True)


def test_a_drag_is_undone(armature):
    constrain("bone3", 10, 20)
    bpy.ops.ed.undo_push(message="before")
    ConstraintsOnStrip().drag(bpy.context, 0, (10.0, 33.0), final=True)
    bpy.ops.ed.undo_push(message="dragged")
    bpy.ops.ed.undo()
    assert frames(constraints(bpy.context.object).listed[0]) == (10.0, 20.0)


@pytest.mark.parametrize(("scale", "reverse"), [(1.0, False), (2.0, False), (2.0, True)])
def test_in_tweak_mode_spans_are_at_their_scene_frames(armature, scale, reverse):
    constrain("bone3", 10, 20)
    data = armature.animation_data
    action, slot = data.action, data.action_slot
    strip = data.nla_tracks.new().strips.new("strip", 101, action)
    strip.action_slot, strip.scale, strip.use_reverse = slot, scale, reverse
    data.action = None
    strip.select, data.nla_tracks[0].select = True, True
    data.nla_tracks.active = data.nla_tracks[0]
    data.use_tweak_mode = True
    provider = ConstraintsOnStrip()
    span = provider.data(bpy.context).spans[0]
    wanted = sorted(data.nla_tweak_strip_time_to_scene(frame) for frame in (10.0, 20.0))
    assert [span.start, span.end] == pytest.approx(wanted)
    assert wanted[0] > 100.0
    provider.drag(bpy.context, 0, (span.start, span.end + 2.0 * scale), final=True)
    moved = (8.0, 20.0) if reverse else (10.0, 22.0)
    assert frames(action.motion_editing_constraints.listed[0]) == pytest.approx(moved, abs=1e-4)


def test_picking_makes_active(armature):
    for start in (10, 30, 50):
        constrain("bone3", start, start + 5)
    ConstraintsOnStrip().pick(bpy.context, 1)
    assert constraints(armature).active == 1


@pytest.mark.parametrize("add", [constrain, lambda bone, start, end: mark(bpy.context.object, bone, start, end)])
def test_a_double_click_on_a_bar_makes_it_active_and_goes_to_its_middle(armature, add):
    for start in (10, 31, 50):
        add("bone3", start, start + 5)
    provider = ConstraintsOnStrip() if add is constrain else ContactsOnStrip()
    bpy.context.scene.frame_set(1)
    lane = SpanLane("spans", "Spans", "Span", provider, order=1)
    assert lane.item_double_clicked(bpy.context, SpanItem(SpanPart.START, 1))
    assert bpy.context.scene.frame_current_final == 34.0
    assert provider.settings(armature).active == 1


def test_a_double_click_adds_what_needs_no_pose(armature):
    constrain("bone3", 10, 20, "NO_SKID")
    constrain("bone1", 10, 10, "POSITION")
    provider = ConstraintsOnStrip()
    provider.add(bpy.context, "bone3", 30.0)
    provider.add(bpy.context, "bone1", 40.0)
    added = [(item.kind, item.bone, *frames(item)) for item in constraints(armature).listed[2:]]
    half = round(0.5 * bpy.context.scene.render.fps)
    assert added == [("NO_SKID", "bone3", 30.0, 30.0 + half), ("KEEP", "bone1", 40.0, 40.0 + half)]
    mark(armature, "bone2", 5, 9)
    ContactsOnStrip().add(bpy.context, "bone2", 50.0)
    item = contacts(armature).spans[1]
    assert (item.bone, item.start, item.end > 51.0, contacts(armature).active) == ("bone2", 50.0, True, 1)


def test_delete_removes_the_one_that_is_meant(armature):
    for start in (10, 30, 50):
        constrain("bone3", start, start + 5)
        mark(armature, "bone1", start, start + 5)
    ConstraintsOnStrip().remove(bpy.context, 1)
    ContactsOnStrip().choose(bpy.context, "DELETE", 0)
    assert [item.start for item in constraints(armature).listed] == [10, 50]
    assert [item.start for item in contacts(armature).spans] == [30, 50]


def test_the_menu_goes_to_frames_and_turns_off(armature):
    constrain("bone3", 10, 25.5)
    provider = ConstraintsOnStrip()
    assert [label for _, label in provider.menu(bpy.context, 0)] == [
        "Turn Off",
        "Go to First Frame",
        "Go to Last Frame",
        "Delete",
    ]
    provider.choose(bpy.context, "END", 0)
    assert bpy.context.scene.frame_current_final == 25.5
    provider.choose(bpy.context, "START", 0)
    assert bpy.context.scene.frame_current_final == 10.0
    provider.choose(bpy.context, "TURN_OVER", 0)
    assert not constraints(armature).listed[0].enabled
    assert provider.menu(bpy.context, 0)[0] == ("TURN_OVER", "Turn On")


def test_the_menu_splits_and_joins_contacts(armature):
    mark(armature, "bone1", 10, 40)
    provider = ContactsOnStrip()
    assert [label for _, label in provider.menu(bpy.context, 0)[:2]] == ["Split at Current Frame", "Join with Next"]
    bpy.context.scene.frame_set(25)
    provider.choose(bpy.context, "split_contact", 0)
    parts = [frames(item) for item in contacts(armature).spans]
    assert (len(parts), parts[0][0], parts[1][1]) == (2, 10.0, 40.0)
    assert parts[0][1] < 25.0 < parts[1][0]
    provider.choose(bpy.context, "join_contacts", 0)
    assert [frames(item) for item in contacts(armature).spans] == [(10.0, 40.0)]


def test_bones_that_are_gone_have_their_row_last(armature):
    mark(armature, "lost", 5, 9)
    mark(armature, "bone2", 5, 9)
    assert ContactsOnStrip().data(bpy.context).rows == ("bone2", "lost")
    assert shown(ContactsOnStrip()) == [(0, "lost", 5.0, 9.0), (1, "bone2", 5.0, 9.0)]
