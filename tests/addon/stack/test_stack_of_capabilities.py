"""Entries that need more than keys: poses, windows, keytimes, constraints and contacts are there in time."""

import bpy
import pytest
from motion_editing.core.solve.contact_lock import foot_slide
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.contacts.saved_contacts import contacts_of
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
