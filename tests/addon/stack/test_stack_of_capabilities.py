"""Entries that need more than keys: poses, windows, keytimes, constraints and contacts are there in time."""

import bpy
import pytest
from mathutils import Quaternion
from motion_editing.core.numerics import quaternion
from motion_editing.core.solve.contact_lock import foot_slide
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.contacts.saved_contacts import contacts_of
from motion_editing.motion_editing_addon.document.stack import last_edit, results, snapshots
from motion_editing.motion_editing_addon.document.stack.parameters import group_of
from test_stack import assert_same, call, keys_of, sample, stack_of

# What is done before, the edit of the stack, and a parameter of the edit before all that is changed afterwards.
SEQUENCES = {
    "staggered": ((("extract_poses", {"share": 0.5}),), "succession", {"offset": 0.05, "all_poses": True}),
    "posed": ((("extract_poses", {"share": 0.5}),), "exaggerate_pose", {"weight": 0.3}),
    "warped": ((("set_length", {"value": 80.0}),), "warp_time", {}),
    "locked": ((), "lock_feet", {}),
    "solved": (
        (("add_constraint", {"bone": "hand.L", "start": 60.0, "end": 64.0}),),
        "solve_constraints",
        {},
    ),
    "mirrored": ((), "mirror_motion", {}),
    "looped": ((), "in_place", {}),
    "reduced": ((), "reduce_keys", {}),
}


# Poses that were found stay, whatever comes before them; found anew they would be others.
KEPT = {"staggered", "posed"}


@pytest.mark.parametrize("name", SEQUENCES)
def test_an_earlier_edit_can_be_changed(name):
    before, tool, values = SEQUENCES[name]
    armature = sample()
    armature.data.bones.active = armature.data.bones["upper_arm.L"]
    call("low_pass", cutoff=4.0)
    for each, own in before:
        call(each, **own)
    call(tool, **values)
    done = action_io.fingerprint(armature)
    stack = stack_of(armature)
    armature.data.bones.active = None
    assert [entry.tool for entry in stack.entries] == ["low_pass", tool]
    group_of(stack.entries[0]).cutoff = 3.0
    assert [entry.message for entry in stack.entries] == ["", ""]
    found = keys_of(armature)
    group_of(stack.entries[0]).cutoff = 4.0
    assert action_io.fingerprint(armature) == done
    if name in KEPT:
        return
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = sample()
    call("low_pass", cutoff=3.0)
    for each, own in before:
        call(each, **own)
    call(tool, **values)
    assert_same(found, keys_of(armature))


@pytest.mark.parametrize("when", ["at once", "while a state is taken", "in an opened file"])
def test_what_is_marked_goes_with_the_next_edit_whether_the_state_before_is_known_or_not(when):
    armature = sample()
    call("low_pass", cutoff=4.0)
    if when == "in an opened file":
        snapshots.forget_all()
    else:  # in a window, keys are taken when there is time
        snapshots.keep(stack_of(armature).slot_of(armature).state, None)
    call("extract_poses", share=0.5)
    if when == "while a state is taken":
        assert last_edit.remember(armature)
    call("exaggerate_pose", weight=0.3)
    done, stack = action_io.fingerprint(armature), stack_of(armature)
    group_of(stack.entries[0]).cutoff = 3.0
    assert [(entry.tool, entry.message) for entry in stack.entries] == [("low_pass", ""), ("exaggerate_pose", "")]
    group_of(stack.entries[0]).cutoff = 4.0
    assert action_io.fingerprint(armature) == done


def test_warp_pose_propagate_and_lock_follow_another_length():
    """What an animator does in a natural order, and then a shorter warp: all later edits are done at their moments."""
    armature = sample()
    call("warp_time", use_keytimes=False, length=0.9)
    call("extract_poses", share=0.5)
    call("exaggerate_pose", weight=0.3)
    call("find_similar", start=20.0, end=32.0, tick_up_to=0.3, show_up_to=0.5)
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 20, 32
    call("exaggerate_motion", amount=1.2, range="PREVIEW")
    scene.use_preview_range = False
    call("propagate_edit")
    call("lock_feet")
    stack = stack_of(armature)
    tools = ["warp_time", "exaggerate_pose", "exaggerate_motion", "propagate_edit", "lock_feet"]
    assert [entry.tool for entry in stack.entries] == tools
    done, first, last = action_io.fingerprint(armature), *action_io.key_ends(armature)
    group_of(stack.entries[0]).length = 0.8
    assert [entry.message for entry in stack.entries] == [""] * 5
    shorter = action_io.key_ends(armature)
    assert shorter[1] - shorter[0] == pytest.approx((last - first) * 0.8 / 0.9, abs=1.0)
    assert largest_slide(armature) < 1e-4
    group_of(stack.entries[0]).length = 0.9
    assert [entry.message for entry in stack.entries] == [""] * 5
    assert action_io.fingerprint(armature) == done


def largest_slide(armature):
    clip = scope.read_clip(bpy.context, armature)
    return max(slide for own in foot_slide(clip.motion, contacts_of(clip)).values() for slide in own)


def pose_the_arm(armature):
    """Edit a pose as an animator does: show it, turn a bone, apply."""
    call("edit_staggered_pose", pose=1)
    bone = armature.pose.bones["upper_arm.L"]
    bone.rotation_quaternion = bone.rotation_quaternion @ Quaternion((1.0, 0.0, 0.0), 0.4)
    call("apply_staggered_pose")


def test_a_posed_pose_is_an_edit_that_is_done_again():
    armature = sample()
    call("low_pass", cutoff=4.0)
    call("extract_poses", share=0.5)
    pose_the_arm(armature)
    stack = stack_of(armature)
    assert [entry.tool for entry in stack.entries] == ["low_pass", "change_staggered_pose"]
    assert group_of(stack.entries[1]).pose == 1
    done = action_io.fingerprint(armature)
    stack.entries[1].is_muted = True
    without = scope.read_clip(bpy.context, armature).motion
    stack.entries[1].is_muted = False
    assert action_io.fingerprint(armature) == done
    turned = largest_turn(without, armature, "upper_arm.L")
    group_of(stack.entries[0]).cutoff = 3.0
    assert [entry.message for entry in stack.entries] == ["", ""]
    changed = scope.read_clip(bpy.context, armature).motion
    stack.entries[1].is_muted = True
    assert largest_turn(changed, armature, "upper_arm.L") == pytest.approx(turned, rel=0.1)
    stack.entries[1].is_muted = False
    group_of(stack.entries[0]).cutoff = 4.0
    assert action_io.fingerprint(armature) == done


def test_a_posed_pose_follows_another_timing():
    armature = sample()
    call("shift_time", offset=0.5)
    call("extract_poses", share=0.5)
    pose_the_arm(armature)
    stack = stack_of(armature)
    before = where_turned(armature, stack.entries[1])
    group_of(stack.entries[0]).offset = 1.0
    assert [entry.message for entry in stack.entries] == ["", ""]
    later = 0.5 * scope.source_rate(bpy.context, armature)
    assert where_turned(armature, stack.entries[1]) == pytest.approx(before + later, abs=1.0)


def largest_turn(motion, armature, bone):
    now = scope.read_clip(bpy.context, armature).motion
    joint = now.skeleton.index[bone]
    return float(quaternion.angle_between(motion.rotations[:, joint], now.rotations[:, joint]).max())


def where_turned(armature, entry):
    """Frame at which an entry turns the arm farthest."""
    turned = scope.read_clip(bpy.context, armature)
    entry.is_muted = True
    clip = scope.read_clip(bpy.context, armature)
    entry.is_muted = False
    joint = clip.motion.skeleton.index["upper_arm.L"]
    angles = quaternion.angle_between(turned.motion.rotations[:, joint], clip.motion.rotations[:, joint])
    return float(clip.frames[angles.argmax()])


def test_a_propagated_edit_follows_the_edit_of_its_window():
    armature = sample()
    call("find_similar", start=20.0, end=32.0, tick_up_to=0.3, show_up_to=0.5)
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 20, 32
    call("exaggerate_motion", amount=1.2, range="PREVIEW")
    scene.use_preview_range = False
    call("propagate_edit")
    stack = stack_of(armature)
    assert [entry.tool for entry in stack.entries] == ["exaggerate_motion", "propagate_edit"]
    stack.entries[1].is_muted = True
    alone = scope.read_clip(bpy.context, armature).motion
    stack.entries[1].is_muted = False
    little = turned_elsewhere(armature, alone)
    group_of(stack.entries[0]).amount = 1.6
    assert [entry.message for entry in stack.entries] == ["", ""]
    assert turned_elsewhere(armature, alone) > 2.0 * little > 0.01


def turned_elsewhere(armature, before):
    now = scope.read_clip(bpy.context, armature).motion
    rows = before.times * before.rate > 45.0
    return float(quaternion.angle_between(now.rotations[rows], before.rotations[rows]).max())


def test_lock_feet_that_is_kept_last_holds_feet_whatever_comes():
    armature = sample()
    call("low_pass", cutoff=4.0)
    call("lock_feet")
    stack_of(armature).entries[1].stays_last = True
    call("exaggerate_motion", amount=1.4)
    call("low_pass", cutoff=2.0)
    tools = ["low_pass", "exaggerate_motion", "low_pass", "lock_feet"]
    assert [entry.tool for entry in stack_of(armature).entries] == tools
    assert largest_slide(armature) < 1e-4
    group_of(stack_of(armature).entries[1]).amount = 1.7
    assert largest_slide(armature) < 1e-4


def test_an_edit_that_is_to_be_last_goes_to_the_end():
    armature = sample()
    call("lock_feet")
    call("exaggerate_motion", amount=1.4, keep_contacts=False, keep_floor=False)
    assert largest_slide(armature) > 1e-3
    stack_of(armature).entries[0].stays_last = True
    assert [entry.tool for entry in stack_of(armature).entries] == ["exaggerate_motion", "lock_feet"]
    assert largest_slide(armature) < 1e-4


def test_what_each_edit_did_is_told():
    armature = sample()
    call("low_pass", cutoff=3.0)
    call("warp_time", use_keytimes=False, length=0.9)
    call("lock_feet")
    results.measure_all(armature)
    low_pass, warp, lock = (entry.result for entry in stack_of(armature).entries)
    assert low_pass.startswith("28116 keys; ")
    assert "° (" in low_pass
    assert "; feet slide 3 mm before" in low_pass
    assert "28116 keys became 25344" in warp
    assert "284 frames became 256" in warp
    assert lock.endswith("0 mm after")
    group_of(stack_of(armature).entries[0]).cutoff = 2.0
    results.measure_all(armature)
    assert stack_of(armature).entries[0].result != low_pass


def test_a_warp_keeps_its_keytimes_to_be_made_again():
    armature = sample()
    call("low_pass", cutoff=4.0)
    call("set_length", value=80.0)
    action = armature.animation_data.action
    marked = [(each.old, each.new) for each in action.motion_editing_time.keytimes]
    call("warp_time")
    call("exaggerate_motion", amount=1.2)
    stack = stack_of(armature)
    tools = [entry.tool for entry in stack.entries]
    assert tools == ["low_pass", "warp_time", "exaggerate_motion"]
    first, last = action_io.key_ends(armature)
    assert not action.motion_editing_time.keytimes
    stack.active = 1
    call("reopen_edit")
    assert stack.entries[1].is_muted
    assert [(each.old, each.new) for each in action.motion_editing_time.keytimes] == marked
    ends = action.motion_editing_time.keytimes[-1]
    ends.new = 0.5 * (ends.new + ends.old)
    call("warp_time")
    stack = stack_of(armature)
    assert [entry.tool for entry in stack.entries] == tools
    assert [entry.is_muted for entry in stack.entries] == [False] * 3
    assert [entry.message for entry in stack.entries] == [""] * 3
    assert action_io.key_ends(armature)[1] > last + 10.0
    assert not action.motion_editing_time.keytimes
    group_of(stack.entries[0]).cutoff = 3.0
    assert action_io.key_ends(armature)[1] > last + 10.0 > first


def test_a_posed_pose_can_be_opened_again():
    armature = sample()
    call("extract_poses", share=0.5)
    pose_the_arm(armature)
    call("exaggerate_motion", amount=1.2)
    stack = stack_of(armature)
    done = action_io.fingerprint(armature)
    stack.active = 0
    call("reopen_edit")
    assert armature.motion_editing_posing.action is not None
    bone = armature.pose.bones["upper_arm.L"]
    bone.rotation_quaternion = bone.rotation_quaternion @ Quaternion((1.0, 0.0, 0.0), 0.3)
    call("apply_staggered_pose")
    stack = stack_of(armature)
    assert [entry.tool for entry in stack.entries] == ["change_staggered_pose", "exaggerate_motion"]
    assert [entry.message for entry in stack.entries] == ["", ""]
    more = scope.read_clip(bpy.context, armature).motion
    stack.entries[0].is_muted = True
    assert largest_turn(more, armature, "upper_arm.L") > 0.6
    assert action_io.fingerprint(armature) != done


def test_repaired_flaws_follow_an_earlier_edit_and_come_back_with_the_original():
    armature = sample()
    call("low_pass", cutoff=6.0)
    flaws = armature.animation_data.action.motion_editing_flaws
    call("find_flaws", threshold=1.5, tolerance=0.0)
    count = len(flaws.found)
    assert count
    call("smooth", radius=0.05)
    call("repair_flaws")
    stack = stack_of(armature)
    assert [entry.tool for entry in stack.entries] == ["low_pass", "smooth", "repair_flaws"]
    group_of(stack.entries[0]).cutoff = 5.0
    assert [entry.message for entry in stack.entries] == ["", "", ""]
