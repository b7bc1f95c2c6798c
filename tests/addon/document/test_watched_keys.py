"""Whether keys have changed since a model was saved."""

import time

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.saved_state import remove
from motion_editing.motion_editing_addon.document import watched_keys
from motion_editing.motion_editing_addon.document.watched_keys import State, state
from rigs import chain_armature
from saved_arrays import MODEL, keyed_armature, place_of, save_on


@pytest.fixture
def armature():
    return keyed_armature()


def edit_key(armature, by=0.5):
    curve = action_io.channelbag(armature).fcurves[0]
    curve.keyframe_points[1].co[1] += by
    curve.update()
    bpy.context.view_layer.update()


def becomes(expected, armature, kind=MODEL):
    """Whether panels show this state before long: on a busy machine there is more time between two looks."""
    end = time.monotonic() + 30.0
    while state(armature, kind) is not expected and time.monotonic() < end:
        time.sleep(0.05)
    return state(armature, kind) is expected


def test_state_follows_the_keys(armature):
    assert state(armature, MODEL) is State.NONE
    save_on(armature)
    assert state(armature, MODEL) is State.CURRENT
    edit_key(armature)
    assert state(armature, MODEL, exact=True) is State.CHANGED
    save_on(armature)
    assert state(armature, MODEL) is State.CURRENT
    remove(*place_of(armature), MODEL)
    assert state(armature, MODEL) is State.NONE


def test_panels_learn_of_changes_by_themselves(armature):
    save_on(armature)
    assert state(armature, MODEL) is State.CURRENT
    edit_key(armature)
    assert becomes(State.CHANGED, armature)


def test_an_edit_that_is_undone_is_noticed(armature):
    bpy.ops.ed.undo_push(message="before")
    edit_key(armature)
    save_on(armature)
    bpy.ops.ed.undo_push(message="edited and saved")
    edit_key(armature)
    bpy.ops.ed.undo_push(message="edited by hand")
    armature = bpy.data.objects["Rig"]
    assert state(armature, MODEL, exact=True) is State.CHANGED
    bpy.ops.ed.undo()
    assert state(bpy.data.objects["Rig"], MODEL) is State.CURRENT


def test_an_armature_without_an_action_has_no_model():
    assert state(chain_armature(1), MODEL) is State.NONE


def test_while_keys_are_edited_the_answer_may_be_a_moment_old(armature, monkeypatch):
    monkeypatch.setattr(watched_keys, "_LEAST_WAIT", 2.0)  # long enough for a busy machine
    save_on(armature)
    assert state(armature, MODEL) is State.CURRENT
    edit_key(armature)
    assert state(armature, MODEL) is State.CURRENT, "the second look within a moment is spared"
    assert becomes(State.CHANGED, armature)


def test_moving_bones_and_frames_asks_for_no_new_look(armature):
    save_on(armature)
    assert state(armature, MODEL) is State.CURRENT
    points = action_io.channelbag(armature).fcurves[0].keyframe_points
    values = np.empty(2 * len(points), dtype=np.float32)
    points.foreach_get("co", values)
    points.foreach_set("co", values + 1.0)  # which Blender does not notice
    time.sleep(0.25)
    for frame in (3, 7):
        bpy.context.scene.frame_set(frame)
        armature.location.x += 1.0
        bpy.context.view_layer.update()
        assert state(armature, MODEL) is State.CURRENT
    assert state(armature, MODEL, exact=True) is State.CHANGED


def test_handlers_are_added_once_and_removed():
    def count():
        places = (bpy.app.handlers.depsgraph_update_post, bpy.app.handlers.undo_post, bpy.app.handlers.load_post)
        return [sum(each.__module__ == watched_keys.__name__ for each in place) for place in places]

    assert count() == [1, 1, 1]
    watched_keys.unregister()
    assert count() == [0, 0, 0]
    watched_keys.register()
    assert count() == [1, 1, 1]
