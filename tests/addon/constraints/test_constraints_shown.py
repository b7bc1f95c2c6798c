"""What a drag shows while the mouse moves, on odd rigs and at the ends of the motion."""

from __future__ import annotations

import re

import bpy
import numpy as np
import pytest
from gentle_chain import FRAME, MOVE, TIP, chain, refused, shown
from motion_editing.motion_editing_addon.document import scope


def picture_of(armature, frame=FRAME, *, contacts=False):
    """What a drag shows of the tip."""
    from motion_editing.core.constraints import SolveConstraints
    from motion_editing.motion_editing_addon.constraints.drag.drag_picture import DragPicture
    from motion_editing.motion_editing_addon.constraints.solve.spacetime_solve import Constrained
    from motion_editing.motion_editing_addon.constraints.solve.together import Member

    clip = scope.read_clip(bpy.context, armature)
    constrained = Constrained([Member.alone(clip, [])], SolveConstraints(keep_contacts=contacts))
    handle = constrained.handle(TIP, frame, (0.0, 0.0, 0.0))
    return DragPicture(constrained, handle)


def test_esc_restores_a_pose_that_was_not_keyed():
    """The preview takes back what it showed, and only that."""
    armature = chain()
    armature.pose.bones["bone1"].rotation_quaternion = (0.9, 0.3, 0.1, 0.0)
    before = [tuple(bone.rotation_quaternion) for bone in armature.pose.bones]
    picture = picture_of(armature)
    for share in (0.3, 0.6, 1.0):
        picture.show(bpy.context, tuple(share * MOVE))
    assert [tuple(bone.rotation_quaternion) for bone in armature.pose.bones] != before
    picture.restore()
    assert [tuple(bone.rotation_quaternion) for bone in armature.pose.bones] == before


def test_contacts_of_what_has_no_feet_are_refused_before_the_mouse_moves():
    from motion_editing.core.errors import MotionEditError

    armature = chain()
    with pytest.raises(MotionEditError) as reason:
        picture_of(armature, contacts=True)
    refused(armature, re.escape(str(reason.value)), keep_contacts=True)


def test_a_drag_near_the_ends_of_the_motion_is_shown():
    for frames, frame in (([FRAME], FRAME), (range(1, 41), 1), (range(1, 41), 40)):
        armature = chain(frames)
        before = shown(armature, frame)
        picture = picture_of(armature, frame)
        for share in (0.5, 0.8, 1.0, 1.0):
            picture.show(bpy.context, tuple(share * MOVE))
        bpy.context.view_layer.update()
        posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        place = np.array(posed.matrix_world @ posed.pose.bones[TIP].head)
        np.testing.assert_allclose(place - before, MOVE, atol=5e-3)
        picture.restore()
        bpy.data.objects.remove(armature)
