"""What the rig shows while a value of the stack is dragged is within a centimetre of what is written in the end."""

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.contacts.saved_contacts import contacts_of
from motion_editing.motion_editing_addon.document.stack import replay, settings
from motion_editing.motion_editing_addon.document.stack.parameters import group_of
from test_stack import call, fingerprint, sample, stack_of

# Units by which joints, and feet that stand, may be shown elsewhere than they are in the end.
NEAR, STANDING = 1e-2, 2e-3


@pytest.mark.parametrize("frame", [60, 120])
def test_the_picture_of_a_dragged_value_is_what_is_written(frame):
    armature = sample()
    for tool, values in (
        ("low_pass", {"cutoff": 3.0}),
        ("exaggerate_motion", {"amount": 1.2}),
        ("shift_time", {"offset": 0.5}),
        ("soft_limit", {"softness": 0.4}),
        ("lock_feet", {}),
    ):
        call(tool, **values)
    bpy.context.scene.frame_set(frame)
    before, entry = fingerprint(armature), stack_of(armature).entries[1]
    with settings.resting():
        group_of(entry).amount = 1.4
    shown = replay.shown(armature)
    assert fingerprint(armature) == before
    replay.work_out(armature)
    written = scope.read_clip(bpy.context, armature).motion
    now = frame / written.rate
    apart = np.linalg.norm(shown.at(now).poses.positions - written.at(now).poses.positions, axis=-1)[0]
    assert apart.max() < NEAR
    contacts = contacts_of(scope.read_clip(bpy.context, armature))
    standing = [written.skeleton.index[name] for name in contacts.joints if contacts.at(name, now) is not None]
    assert apart[standing].max(initial=0.0) < STANDING
    assert fingerprint(armature) != before
