"""The sample motion and its mirror image, and how motions of actions are read and compared."""

import bpy
import numpy as np
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document.character.saved_body import body_of

# Nothing but the edit itself.
PLAIN = {"keep_contacts": False, "keep_floor": False}


def sample():
    bpy.ops.motion_editing.load_sample_motion()
    return bpy.context.object


def with_mirrored_action():
    """The sample motion, and the name of an action with its mirror image."""
    armature = sample()
    data = armature.animation_data
    own, slot = data.action, data.action_slot.identifier
    other = own.copy()
    other.name = "Mirrored"
    data.action = other
    data.action_slot = other.slots[slot]
    bpy.ops.motion_editing.mirror_motion()
    data.action = own
    data.action_slot = own.slots[slot]
    return armature, other


def read(armature, action=None):
    """The motion of the armature's action, or of another one that it plays for a moment."""
    rate = armature.animation_data.action.motion_editing.source_rate or 24.0
    if action is None:
        return action_io.read(armature, rate=rate).motion
    data = armature.animation_data
    own, slot = data.action, data.action_slot.identifier
    data.action = action
    data.action_slot = action.slots[slot]
    try:
        return action_io.read(armature, rate=rate).motion
    finally:
        data.action = own
        data.action_slot = own.slots[slot]


def assert_same(found, expected, *, within=3e-6):
    assert quaternion.angle_between(found.rotations, expected.rotations).max() < within
    np.testing.assert_allclose(found.locations, expected.locations, atol=within)
    np.testing.assert_allclose(found.scales, expected.scales, atol=within)


def body(armature):
    return body_of(armature, action_io.read(armature, rate=read(armature).rate))


def curves(armature):
    return action_io.channelbag(armature).fcurves


def preview(first, last):
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, first, last
