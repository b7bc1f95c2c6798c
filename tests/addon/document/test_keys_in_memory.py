"""Several edits of keys in memory: what is written is what it would be one by one, bit for bit."""

from contextlib import nullcontext

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document.keys_in_memory import keys_in_memory
from motion_editing.motion_editing_addon.document.stack import settings
from rigs import all_keys, chain_armature, key_bones

RATE = 24.0
EDITS = bpy.ops.motion_editing
BAKED, SPARSE = list(range(1, 42)), [1, 6, 13, 20, 24, 33, 41]


def smooth_a_part():
    """Over some frames of the action alone."""
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 10, 30
    EDITS.smooth(range="PREVIEW", radius=0.2)


ALL = (
    smooth_a_part,
    lambda: EDITS.exaggerate_motion(amount=1.3),
    lambda: EDITS.shift_time(offset=0.1),
    lambda: EDITS.reverse_time(),
    lambda: EDITS.convert_keys(),
    lambda: EDITS.smooth(radius=0.1, keying="REDUCED"),
)


def chain_with(frames):
    bpy.ops.wm.read_homefile(use_empty=True)
    armature = chain_armature(3, connected=False)
    key_bones(armature, frames)
    return armature


def keys_after(frames, edits, *, in_memory):
    armature = chain_with(frames)
    with settings.resting(), keys_in_memory(bpy.context, armature) if in_memory else nullcontext():
        for edit in edits:
            edit()
    return all_keys(armature.animation_data.action)


@pytest.mark.parametrize("frames", [BAKED, SPARSE])
def test_keys_are_those_of_edits_one_by_one(empty_scene, frames):
    assert keys_after(frames, ALL, in_memory=True) == keys_after(frames, ALL, in_memory=False)


@pytest.mark.parametrize("frames", [BAKED, SPARSE])
def test_what_is_read_is_what_curves_give(empty_scene, frames):
    armature, found = chain_with(frames), []
    with settings.resting(), keys_in_memory(bpy.context, armature):
        for edit in ALL:
            edit()
            found.append([action_io.read(armature, rate=RATE, start=start) for start in (None, 8.0)])
    armature = chain_with(frames)
    with settings.resting():
        for edit, clips in zip(ALL, found, strict=True):
            edit()
            for known, start in zip(clips, (None, 8.0), strict=True):
                clip = action_io.read(armature, rate=RATE, start=start)
                for name in ("times", "rotations", "locations", "scales"):
                    np.testing.assert_array_equal(getattr(known.motion, name), getattr(clip.motion, name))


def test_what_was_written_is_known_without_looking(empty_scene):
    armature = chain_with(BAKED)
    with settings.resting(), keys_in_memory(bpy.context, armature):
        EDITS.smooth(radius=0.2)
        motion = action_io.read(armature, rate=RATE).motion
    assert action_io.read(armature, rate=RATE).motion is motion


def test_a_part_of_what_is_known_has_one_motion(empty_scene):
    armature = chain_with(BAKED)
    whole = action_io.read(armature, rate=RATE)
    parts = [action_io.read(armature, rate=RATE, start=5.0, end=20.0).motion for _ in range(2)]
    assert parts[0] is parts[1]
    np.testing.assert_array_equal(parts[0].locations, whole.motion.locations[4:20])


def break_off(armature):
    with settings.resting(), keys_in_memory(bpy.context, armature):
        EDITS.smooth(radius=0.2)
        bpy.context.scene.frame_set(7)  # Blender shows another frame: it gets the keys
        raise ValueError("broken")


def test_what_breaks_off_leaves_nothing(empty_scene):
    armature = chain_with(BAKED)
    action = armature.animation_data.action
    before = all_keys(action)
    with pytest.raises(ValueError, match="broken"):
        break_off(armature)
    assert all_keys(action) == before
    assert action.motion_editing.original is None


@pytest.mark.parametrize("edits", [(), (lambda: EDITS.smooth(radius=0.2),)])
def test_the_original_is_kept_if_something_changed(empty_scene, edits):
    armature = chain_with(BAKED)
    action = armature.animation_data.action
    before = all_keys(action)
    with settings.resting(), keys_in_memory(bpy.context, armature):
        for edit in edits:
            edit()
    original = action.motion_editing.original
    assert (original is not None) == bool(edits)
    assert original is None or all_keys(original) == before


def test_curves_with_modifiers_are_edited_where_they_are(empty_scene):
    armature = chain_with(BAKED)
    action_io.channelbag(armature).fcurves[0].modifiers.new("CYCLES")
    with settings.resting(), keys_in_memory(bpy.context, armature):
        EDITS.smooth(radius=0.2)
        keys = all_keys(armature.animation_data.action)
    assert all_keys(armature.animation_data.action) == keys
    assert len(action_io.channelbag(armature).fcurves[0].modifiers) == 1
