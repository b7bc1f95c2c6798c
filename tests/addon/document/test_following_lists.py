"""Lists that say frames follow a new timing, and come back with the original keys; the scene follows if wanted."""

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.timeline.windows import memory

OPERATORS = bpy.ops.motion_editing


@pytest.fixture
def sample(empty_scene):
    OPERATORS.load_sample_motion(rate=30)
    return bpy.context.object


def action_of(armature):
    return armature.animation_data.action


def spans_of(items):
    return [(item.start, item.end) for item in items]


def add_flaw(armature, bone, first, last):
    item = action_of(armature).motion_editing_flaws.found.add()
    item.kind, item.bone, item.channel, item.first, item.last = "SPIKE", bone, "rotation", first, last


def flaws_of(armature):
    return [(item.bone, item.first, item.last) for item in action_of(armature).motion_editing_flaws.found]


def add_touch(armature, start, end):
    item = action_of(armature).motion_editing_timeline.collisions.add()
    item.start, item.end, item.bone = start, end, "hand.L"


def test_flaws_and_touches_follow_a_shift_and_a_mirror(sample):
    add_flaw(sample, "hand.L", 40, 44)
    add_touch(sample, 50, 60)
    OPERATORS.shift_time(offset=1.0)
    assert flaws_of(sample) == [("hand.L", 70, 74)]
    assert spans_of(action_of(sample).motion_editing_timeline.collisions) == [(80, 90)]
    OPERATORS.mirror_motion()
    assert flaws_of(sample) == [("hand.R", 70, 74)]
    OPERATORS.reverse_time()
    ((_bone, first, last),) = flaws_of(sample)
    assert last - first == pytest.approx(4.0, abs=1e-3)


def test_everything_comes_back_with_the_original_keys(sample):
    action = action_of(sample)
    OPERATORS.find_similar(start=220, end=236)
    OPERATORS.find_contacts()
    bpy.context.scene.frame_set(100)
    bpy.ops.object.mode_set(mode="POSE")
    sample.data.bones.active = sample.data.bones["hand.L"]
    OPERATORS.add_constraint()
    bpy.ops.object.mode_set(mode="OBJECT")
    add_flaw(sample, "hand.L", 40, 44)
    add_touch(sample, 50, 60)
    for frame in (20, 90):
        action.pose_markers.new("same name").frame = frame
    action.use_frame_range, action.frame_start, action.frame_end = True, 5, 300
    lists = {
        "windows": lambda: spans_of(action.motion_editing_timeline.windows),
        "window": lambda: (action.motion_editing_timeline.start, action.motion_editing_timeline.end),
        "touches": lambda: spans_of(action.motion_editing_timeline.collisions),
        "constraints": lambda: spans_of(action.motion_editing_constraints.listed),
        "contacts": lambda: sorted((each.bone, each.start) for _n, each in action.motion_editing_contacts.of(sample)),
        "flaws": lambda: flaws_of(sample),
        "markers": lambda: [marker.frame for marker in action.pose_markers],
        "range": lambda: (action.frame_start, action.frame_end),
    }
    before = {name: look() for name, look in lists.items()}
    assert all(before.values())
    OPERATORS.warp_time(length=0.5)
    assert {name for name, look in lists.items() if look() == before[name]} == set()
    OPERATORS.add_constraint()
    OPERATORS.restore_original()
    assert {name: look() for name, look in lists.items()} == before
    assert not memory.is_edited(sample)
    assert not action.motion_editing.retimed


def test_keytimes_come_back(sample):
    OPERATORS.shift_time(offset=0.0)
    settings = action_of(sample).motion_editing_time
    for frame in (1, 100, 355):
        item = settings.keytimes.add()
        item.old = item.new = frame
    OPERATORS.shift_time(offset=1.0)
    assert [item.old for item in settings.keytimes] == pytest.approx([31, 130, 385])
    original = action_of(sample).motion_editing.original
    known = [item.old for item in original.motion_editing_time.keytimes]
    OPERATORS.restore_original()
    assert [item.old for item in settings.keytimes] == known


def test_what_was_made_since_stays_while_the_timing_does(sample):
    OPERATORS.low_pass(cutoff=5.0)
    OPERATORS.find_similar(start=220, end=236)
    before = spans_of(action_of(sample).motion_editing_timeline.windows)
    OPERATORS.restore_original()
    assert spans_of(action_of(sample).motion_editing_timeline.windows) == before


@pytest.mark.parametrize("wanted", [False, True])
def test_the_scene_follows_if_that_is_wanted(sample, wanted):
    scene = bpy.context.scene
    scene.motion_editing_scene_follows = wanted
    scene.frame_start, scene.frame_end = 1, 355
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 100, 200
    marker = scene.timeline_markers.new("hit", frame=150)
    OPERATORS.shift_time(offset=1.0)
    later = 30 if wanted else 0
    assert (scene.frame_start, scene.frame_end) == (1 + later, 355 + later)
    assert (scene.frame_preview_start, scene.frame_preview_end) == (100 + later, 200 + later)
    assert marker.frame == 150 + later
    OPERATORS.warp_time(length=0.5)
    end = round(float(scope.read_clip(bpy.context, sample).frames[-1]))
    assert scene.frame_end == (end if wanted else 355)
    assert np.isin(marker.frame, range(scene.frame_preview_start, scene.frame_preview_end + 1))


def test_the_scene_does_not_follow_some_bones(sample):
    from motion_editing.motion_editing_addon.border.compatibility import select

    bpy.context.scene.motion_editing_scene_follows = True
    bpy.context.scene.frame_end = 355
    bpy.ops.object.mode_set(mode="POSE")
    for bone in sample.pose.bones:
        select(bone, bone.name == "head")
    OPERATORS.shift_time(offset=1.0)
    assert bpy.context.scene.frame_end == 355
