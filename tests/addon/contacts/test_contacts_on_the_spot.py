"""Loops of animals that walk on the spot: contacts of all feet, and feet locked to the ground that moves."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.core.solve.contact_lock import ground_under, largest_slide
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.character.saved_body import body_of
from motion_editing.motion_editing_addon.document.contacts.saved_contacts import contacts_of

LOOPS = {
    "spider": ("characters/spider-animations.glb", "Walk", 8),
    "bird": ("characters/bird-animations.glb", "Walk", 2),
    "horse": ("gltf/mesh2motion_horse-animations.glb", "Walk", 4),
    "horse with the names of a fox": ("gltf/mesh2motion_horse-animations.glb", "Walk", 4),
}


def walking(path, name):
    bpy.ops.import_scene.gltf(filepath=str(path))
    armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    action = next(each for each in bpy.data.actions if each.name.startswith(name) and "RM" not in each.name)
    armature.animation_data_create().action = action
    armature.animation_data.action_slot = action.slots[0]
    bpy.context.view_layer.objects.active = armature
    for thing in bpy.data.objects:
        thing.select_set(thing == armature)
    return armature


def with_names_of_a_fox(armature):
    for bone in armature.data.bones:
        bone.name = bone.name.title().replace("Front_Humerus", "Front_Leg_Shoulder_1").replace("Leaf", "Tip")


@pytest.mark.clips
@pytest.mark.parametrize("animal", LOOPS)
def test_all_feet_have_contacts_and_can_be_locked(clips_folder, animal):
    path, name, feet = LOOPS[animal]
    armature = walking(clips_folder / path, name)
    if "fox" in animal:
        with_names_of_a_fox(armature)
    assert bpy.ops.motion_editing.find_contacts() == {"FINISHED"}
    clip = scope.read_clip(bpy.context, armature)
    body, contacts = body_of(armature, clip), contacts_of(clip)
    names = clip.motion.skeleton.names
    standing = [leg for leg in body.legs if any(contacts.of(names[joint]) for joint in leg.joints)]
    assert len(standing) == len(body.feet) == feet
    assert ground_under(clip.motion, contacts, body).any()
    before = clip.motion
    assert bpy.ops.motion_editing.lock_feet() == {"FINISHED"}
    after = scope.read_clip(bpy.context, armature).motion
    assert largest_slide(after, contacts, body=body) < 0.2 * largest_slide(before, contacts, body=body)
    ends = quaternion.angle_between(after.rotations[[0, -1]], before.rotations[[0, -1]])
    assert ends.max() < np.radians(0.1), "a loop stays one"


@pytest.mark.clips
def test_a_snake_has_no_contacts(clips_folder):
    walking(clips_folder / "characters" / "snake-animations.glb", "Side winding")
    with pytest.raises(RuntimeError, match="No feet are set: choose them in the Character panel"):
        bpy.ops.motion_editing.find_contacts()
