"""Contacts found, corrected and saved."""

import bpy
import pytest
from motion_editing.core.sample_motion import sample_events
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.contacts.saved_contacts import contacts_of


def spans_of(armature):
    return armature.animation_data.action.motion_editing_contacts


def test_contacts_of_the_sample_are_found_and_listed():
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    assert bpy.ops.motion_editing.find_contacts() == {"FINISHED"}
    listed = [item for item in spans_of(bpy.context.object).spans if item.bone == "foot.L"]
    expected = sample_events().contacts["foot.L"]
    assert len(listed) == len(expected)
    for item, (start, end) in zip(listed, expected, strict=True):
        # Frame 1 is time 0 of the sample.
        assert item.start == pytest.approx(1 + start * 30, abs=3)
        assert item.end == pytest.approx(1 + end * 30, abs=3)


def test_corrections_decide():
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    armature = bpy.context.object
    bpy.ops.motion_editing.find_contacts()
    count = len(spans_of(armature).spans)
    assert bpy.ops.motion_editing.remove_contact(contact=0) == {"FINISHED"}
    assert len(spans_of(armature).spans) == count - 1
    bpy.context.scene.frame_set(200)
    assert bpy.ops.motion_editing.mark_contact(bone="hand.R", duration=0.5) == {"FINISHED"}
    spans = contacts_of(scope.read_clip(bpy.context, armature))
    assert spans.of("hand.R") == ((pytest.approx(200 / 30), pytest.approx(215 / 30)),)


def test_removing_waits_for_contacts():
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    assert not bpy.ops.motion_editing.remove_contact.poll()
    bpy.ops.motion_editing.mark_contact(bone="hand.R")
    assert bpy.ops.motion_editing.remove_contact() == {"FINISHED"}
    assert not bpy.ops.motion_editing.remove_contact.poll()


def test_contacts_survive_saving(tmp_path):
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    bpy.ops.motion_editing.find_contacts()
    count = len(spans_of(bpy.context.object).spans)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "contacts.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "contacts.blend"))
    assert len(spans_of(bpy.data.objects["Sample"]).spans) == count


def test_missing_feet_are_said():
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    bpy.ops.motion_editing.find_character()
    for role in ("left leg", "right leg"):
        bpy.ops.motion_editing.clear_role(role=role)
    with pytest.raises(RuntimeError, match="No feet are set"):
        bpy.ops.motion_editing.find_contacts()


def marked(bone="foot.L", start=11.0, end=41.0):
    """The sample with one contact."""
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    settings = spans_of(bpy.context.object)
    settings.new(bpy.context.object, bone, start, end)
    return bpy.context.object, settings


def frames_of(settings):
    return [(item.bone, pytest.approx(item.start), pytest.approx(item.end)) for item in settings.spans]


def test_a_contact_is_split_at_the_current_frame_and_joined_again():
    _, settings = marked()
    bpy.context.scene.frame_set(26)
    assert bpy.ops.motion_editing.split_contact(gap=0.2) == {"FINISHED"}
    assert frames_of(settings) == [("foot.L", 11.0, 23.0), ("foot.L", 29.0, 41.0)]
    assert settings.active == 0
    assert bpy.ops.motion_editing.join_contacts() == {"FINISHED"}
    assert frames_of(settings) == [("foot.L", 11.0, 41.0)]


def test_splitting_by_number_and_frame_needs_no_current_frame():
    armature, settings = marked()
    settings.new(armature, "foot.R", 50.0, 80.0)
    assert bpy.ops.motion_editing.split_contact(contact=0, frame=26.0, gap=0.2) == {"FINISHED"}
    assert frames_of(settings) == [("foot.L", 11.0, 23.0), ("foot.L", 29.0, 41.0), ("foot.R", 50.0, 80.0)]


def test_splitting_beside_a_contact_is_refused_with_its_frames():
    _, settings = marked()
    bpy.context.scene.frame_set(60)
    with pytest.raises(RuntimeError, match=r"'foot\.L' lasts from frame 11 to 41: go to a frame well inside of it"):
        bpy.ops.motion_editing.split_contact()
    assert frames_of(settings) == [("foot.L", 11.0, 41.0)]


def test_joining_takes_the_next_contact_of_the_same_bone():
    armature, settings = marked()
    settings.new(armature, "foot.R", 45.0, 55.0)
    settings.new(armature, "foot.L", 90.0, 99.0)
    settings.new(armature, "foot.L", 50.0, 60.0)
    assert bpy.ops.motion_editing.join_contacts(contact=0) == {"FINISHED"}
    assert frames_of(settings) == [("foot.L", 11.0, 60.0), ("foot.R", 45.0, 55.0), ("foot.L", 90.0, 99.0)]
    with pytest.raises(RuntimeError, match=r"'foot\.R' has no contact after frame 55"):
        bpy.ops.motion_editing.join_contacts(contact=1)


def test_editing_without_contacts_is_refused_with_the_reason():
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    for operator in (bpy.ops.motion_editing.split_contact, bpy.ops.motion_editing.join_contacts):
        with pytest.raises(RuntimeError, match="There are no contacts yet"):
            operator()


def test_an_end_dragged_past_the_other_takes_it_along():
    armature, settings = marked()
    item = settings.spans[0]
    item.start = 50.0
    assert (item.start, item.end) == (50.0, 51.0)
    item.end = 20.0
    assert (item.start, item.end) == (19.0, 20.0)
    assert contacts_of(scope.read_clip(bpy.context, armature)).of("foot.L")


def test_contacts_of_one_bone_that_overlap_count_as_one():
    armature, settings = marked()
    settings.new(armature, "foot.L", 30.0, 60.0)
    assert contacts_of(scope.read_clip(bpy.context, armature)).of("foot.L") == (
        (pytest.approx(11 / 30), pytest.approx(60 / 30)),
    )


def test_slots_of_one_action_have_contacts_of_their_own():
    armature, settings = marked()
    action = armature.animation_data.action
    other = bpy.data.objects.new("Other", armature.data)
    bpy.context.scene.collection.objects.link(other)
    other.animation_data_create().action = action
    other.animation_data.action_slot = action.slots.new("OBJECT", "Other")
    assert settings.is_known(armature)
    assert not settings.is_known(other)
    assert settings.of(other) == []
    settings.new(other, "foot.R", 5.0, 9.0)
    assert [item.bone for _, item in settings.of(other)] == ["foot.R"]
    assert [item.bone for _, item in settings.of(armature)] == ["foot.L"]
    assert contacts_of(scope.read_clip(bpy.context, armature)).joints == ("foot.L",)
    assert bpy.ops.motion_editing.find_contacts() == {"FINISHED"}
    assert [item.bone for _, item in settings.of(other)] == ["foot.R"]
    with pytest.raises(RuntimeError, match="with number 0"):
        bpy.ops.motion_editing.remove_contact(contact=0)


def test_lists_from_before_slots_counted_are_about_every_slot():
    armature, settings = marked()
    settings.known_slots.clear()
    settings.spans[0].slot = 0
    assert settings.is_known(armature)
    assert contacts_of(scope.read_clip(bpy.context, armature)).joints == ("foot.L",)
