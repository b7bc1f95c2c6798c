"""Contacts found, corrected and saved."""

import bpy
import pytest
from motion_editing.core.sample_motion import sample_events
from motion_editing.motion_editing_addon import scope
from motion_editing.motion_editing_addon.contacts.saved import contacts_of


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
