"""Contacts, and all else that has frames of its own, go with the motion through edits of time and Mirror Motion."""

import bpy
import numpy as np
import pytest
from batch_calls import CALLS, WINDOW, Call, call
from batch_scenes import BY_HAND, open_scene
from motion_editing.core.analysis.contacts import ContactSpans
from motion_editing.core.solve.contact_lock import foot_slide
from motion_editing.motion_editing_addon.border import action_io, compatibility
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.contacts.saved_contacts import contacts_of, save_contacts
from rigs import chain_armature, key_bones, mark_leg, reaching_leg

RATE = 24.0
HIDDEN = ("hand.L", "toe.R")  # of the sample, as fingers and twist bones often are; both have keys
TIMED = {
    "warp_time": {"length": 0.7},
    "reverse_time": {},
    "shift_time": {"offset": 0.8},
    "mirror_motion": {},
    "stretch_windows": {"factor": 1.4},
    "move_pose": {"frame": 26.0, "to_frame": 28.5},
    "align_windows": {},
    "snap_to_beats": {},
}


@pytest.fixture
def sample(empty_scene):
    open_scene()
    return bpy.context.object


def hide(armature, *names):
    for name in names:
        compatibility._flags(armature.pose.bones[name]).hide = True


def prepared(name):
    """The sample with some bones hidden and its contacts found, ready for an operator."""
    wanted = CALLS.get(name, Call())
    if wanted.by_hand:
        BY_HAND[wanted.by_hand]()
    hide(bpy.context.object, *HIDDEN)
    call("find_contacts")
    for earlier, properties in wanted.before:
        call(earlier, properties)
    return bpy.context.object


def contacts_now(armature):
    return contacts_of(scope.read_clip(bpy.context, armature))


def listed(armature):
    """Start and end, in frames, of the contacts of each bone."""
    found = {}
    for _number, item in scope.action_of(armature).motion_editing_contacts.of(armature):
        found.setdefault(item.bone, []).append((round(item.start, 2), round(item.end, 2)))
    return {bone: sorted(spans) for bone, spans in found.items()}


def count(contacts):
    return sum(map(len, contacts.values()))


def largest_slide(armature, contacts):
    slides = foot_slide(scope.read_clip(bpy.context, armature).motion, contacts)
    return max(slide for own in slides.values() for slide in own)


@pytest.mark.parametrize("name", TIMED)
def test_feet_stand_in_the_listed_contacts_after_edits_of_time_and_mirroring(sample, name):
    armature = prepared(name)
    before, contacts = largest_slide(armature, contacts_now(armature)), listed(armature)
    assert call(name, TIMED[name]) == {"FINISHED"}
    assert listed(armature) != contacts
    assert count(listed(armature)) == count(contacts)
    assert largest_slide(armature, contacts_now(armature)) < before + 0.02


def test_contacts_go_with_staggered_poses(sample):
    """Feet slide a little where joints pass their poses at times of their own; contacts that stayed would tear them."""
    armature = prepared("retime_pose")
    stayed = contacts_now(armature)
    assert call("retime_pose", {"pose": 7, "frame": 93.0}) == {"FINISHED"}
    assert largest_slide(armature, contacts_now(armature)) < 0.1 * largest_slide(armature, stayed)


def test_contacts_that_leave_at_one_end_of_a_cycle_come_in_at_the_other(sample):
    armature = prepared("shift_time")
    clip, contacts = scope.read_clip(bpy.context, armature), contacts_now(armature)
    assert call("shift_time", {"offset": 2.0, "ends": "CYCLE"}) == {"FINISHED"}
    start, end = clip.motion.times[[0, -1]]
    old = start + np.mod(clip.motion.times - 2.0 - start, end - start)
    now = contacts_now(armature)
    for joint in contacts.joints:
        assert np.mean(now.active(joint, clip.motion.times) == contacts.active(joint, old)) > 0.97


def test_lock_feet_finds_little_to_do_after_a_warp_of_what_is_seen(sample):
    armature = prepared("warp_time")
    call("lock_feet")
    call("warp_time", {"length": 0.8})
    locked = action_io.read(armature, rate=15.0)
    call("lock_feet")
    again = action_io.read(armature, rate=15.0)
    assert np.abs(again.motion.poses.positions - locked.motion.poses.positions).max() < 0.05


def test_contacts_of_other_characters_follow_a_kept_map(sample):
    BY_HAND["second figure"]()
    first, other = bpy.data.objects["Sample"], bpy.data.objects["Sample.001"]
    for each in (other, first):
        bpy.context.view_layer.objects.active = each
        hide(each, *HIDDEN)
        call("find_contacts")
    call("warp_time", {"length": 0.8, "keep_as": "Mine", "along": False})
    other.select_set(True)
    assert call("apply_time_map", {"map_name": "Mine"}) == {"FINISHED"}
    for bone, spans in listed(first).items():
        np.testing.assert_allclose(listed(other)[bone], spans, atol=0.05)


def test_arms_alone_leave_the_contacts_of_feet_where_they_are(sample):
    armature = prepared("shift_time")
    contacts = listed(armature)
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        compatibility.select(bone, "arm" in bone.name)
    assert call("shift_time", {"offset": 1.0}) == {"FINISHED"}
    assert listed(armature) == contacts


def test_hidden_legs_keep_their_contacts(sample):
    armature = prepared("shift_time")
    hide(armature, "thigh.L")
    contacts = listed(armature)
    assert call("shift_time", {"offset": 1.0}) == {"FINISHED"}
    assert listed(armature)["foot.L"] == contacts["foot.L"]
    assert listed(armature)["foot.R"] == [(start + 15, end + 15) for start, end in contacts["foot.R"]]


def test_a_painted_foot_takes_its_contacts_along(sample):
    armature = prepared("paint_bones")
    contacts = listed(armature)
    for name, properties in (*WINDOW, ("paint_bones", {"bone": "foot.L"})):
        call(name, properties)
    assert call("move_pose", {"frame": 26.0, "to_frame": 28.0}) == {"FINISHED"}
    assert listed(armature)["foot.R"] == contacts["foot.R"]
    assert listed(armature)["foot.L"] != contacts["foot.L"]


def test_a_part_of_the_motion_takes_its_part_of_the_contacts_along(sample):
    armature = bpy.context.object
    save_contacts(armature, ContactSpans({"foot.L": ((10 / 15, 40 / 15), (60 / 15, 70 / 15))}), 15.0)
    BY_HAND["preview range"]()
    assert call("reverse_time", {"range": "PREVIEW"}) == {"FINISHED"}
    assert listed(armature) == {"foot.L": [(10, 40), (60, 70)]}
    save_contacts(armature, ContactSpans({"foot.L": ((10 / 15, 24 / 15), (60 / 15, 70 / 15))}), 15.0)
    assert call("reverse_time", {"range": "PREVIEW"}) == {"FINISHED"}
    assert listed(armature) == {"foot.L": [(10, 20), (28, 32), (60, 70)]}


def test_contacts_of_a_control_rig_follow_though_mechanism_bones_are_hidden(empty_scene):
    armature = reaching_leg()
    for frame in (1, 20, 40):
        for name in ("hips", "foot_ik.L"):
            armature.pose.bones[name].keyframe_insert("location", frame=frame)
    mark_leg(armature)
    hide(armature, "thigh.L", "shin.L")
    assert call("shift_time", {"offset": 0.5}) == {"FINISHED"}
    assert listed(armature) == {"foot_ik.L": [(13, 48)]}


def test_other_slots_keep_their_contacts(empty_scene):
    one, other = chain_armature(2, name="One"), chain_armature(2, name="Other")
    key_bones(one, [1, 20, 40])
    action = scope.action_of(one)
    other.animation_data_create().action = action
    other.animation_data.action_slot = action.slots.new("OBJECT", "Other")
    key_bones(other, [1, 20, 40])
    for each in (one, other):
        save_contacts(each, ContactSpans({"bone1": ((10 / RATE, 20 / RATE),)}), RATE)
    bpy.context.view_layer.objects.active = one
    assert call("shift_time", {"offset": 0.5}) == {"FINISHED"}
    assert (listed(one), listed(other)) == ({"bone1": [(22, 32)]}, {"bone1": [(10, 20)]})


@pytest.mark.parametrize(("name", "properties"), [("warp_time", {"length": 0.7}), ("mirror_motion", {})])
def test_the_original_has_the_contacts_from_before(sample, name, properties):
    armature = prepared(name)
    contacts = listed(armature)
    call(name, properties)
    assert call("restore_original") == {"FINISHED"}
    assert listed(armature) == contacts


def test_contacts_that_were_marked_in_the_same_timing_survive_the_original(sample):
    armature = bpy.context.object
    call("smooth")
    call("find_contacts")
    contacts = listed(armature)
    assert call("restore_original") == {"FINISHED"}
    assert listed(armature) == contacts


@pytest.fixture
def chain(empty_scene):
    armature = chain_armature(2)
    key_bones(armature, [1, 11, 21, 41])
    return armature


def test_the_manual_range_and_the_markers_of_an_action_follow(chain):
    action = scope.action_of(chain)
    action.use_frame_range, action.frame_start, action.frame_end = True, 1, 41
    marker = action.pose_markers.new("Step")
    marker.frame = 21
    call("shift_time", {"offset": 1.0})
    assert (action.frame_start, action.frame_end, marker.frame) == (25, 65, 45)
    call("reverse_time")
    assert (action.frame_start, action.frame_end, marker.frame) == (25, 65, 45)
    call("warp_time", {"length": 0.5, "influence": 0.0})
    assert (action.frame_start, action.frame_end, marker.frame) == (25, 45, 35)
    call("restore_original")
    assert (action.frame_start, action.frame_end, marker.frame) == (1, 41, 21)


def test_constraints_hold_when_their_bones_do_what_they_did(chain):
    call("add_constraint", {"bone": "bone1", "start": 5.0, "end": 9.0})
    call("shift_time", {"offset": 1.0})
    item = scope.action_of(chain).motion_editing_constraints.listed[0]
    assert (item.start, item.end) == (29, 33)


def test_keytimes_hold_the_same_moments_after_other_edits_of_time(chain):
    call("add_keytime", {"frame": 21.0})
    call("move_keytime", {"keytime": 1, "frame": 25.0})
    call("shift_time", {"offset": 1.0})
    items = scope.action_of(chain).motion_editing_time.keytimes
    assert [(item.old, item.new) for item in items] == [(25, 25), (45, 49), (65, 65)]
    assert call("warp_time", {"influence": 0.0}) == {"FINISHED"}
    call("add_keytime", {"frame": 45.0})
    call("move_keytime", {"keytime": 1, "frame": 47.0})
    first, last = (items[place].old for place in (0, 2))
    call("reverse_time")
    expected = [(first, first), (first + last - 45, first + last - 47), (last, last)]
    assert [(item.old, item.new) for item in items] == [pytest.approx(pair, abs=1e-3) for pair in expected]


def test_constraints_hold_on_the_other_side_after_mirroring(sample):
    bpy.context.scene.frame_set(61)
    call("add_constraint", {"bone": "hand.L", "start": 61.0, "end": 65.0})
    item = scope.action_of(sample).motion_editing_constraints.listed[0]
    before = item.bone, *item.point
    call("mirror_motion", {"about": "REST", "keep_contacts": False})
    motion = scope.read_clip(bpy.context, sample).motion
    assert item.bone == "hand.R"
    np.testing.assert_allclose(item.point, motion.poses.positions[60, motion.skeleton.index["hand.R"]], atol=2e-3)
    call("restore_original")
    assert (item.bone, *item.point) == before
