"""Models saved with actions: what comes back, what is refused, and wherever the action goes."""

from dataclasses import replace

import bpy
import numpy as np
import pytest
from motion_editing.core.errors import MotionEditError
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.saved_state import load, names, remove, save
from motion_editing.motion_editing_addon.document.watched_keys import State, state
from rigs import chain_armature, key_bones
from saved_arrays import ARRAYS, MODEL, keyed_armature, place_of, save_on


@pytest.fixture
def armature():
    return keyed_armature()


def assert_same(found, expected=ARRAYS):
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        if isinstance(value, np.ndarray):
            assert found[name].dtype == value.dtype, name
            np.testing.assert_array_equal(found[name], value, strict=True, err_msg=name)
        else:
            assert type(found[name]) is type(value), name
            assert found[name] == value, name


# Saving and loading


def test_everything_comes_back_as_it_was(armature):
    save_on(armature)
    arrays, fingerprint = load(*place_of(armature), MODEL)
    assert_same(arrays)
    assert fingerprint == action_io.fingerprint(armature)


def test_single_numpy_numbers_come_back_as_plain_ones(armature):
    save_on(armature, arrays={"share": np.float64(0.1), "count": np.int64(7), "on": np.bool_(True)})
    assert_same(load(*place_of(armature), MODEL).arrays, {"share": 0.1, "count": 7, "on": True})


def test_loaded_arrays_are_the_callers_own(armature):
    save_on(armature)
    load(*place_of(armature), MODEL).arrays["single"][:] = 0.0
    assert_same(load(*place_of(armature), MODEL).arrays)


def test_saving_again_replaces_the_whole_model(armature):
    save_on(armature)
    save_on(armature, arrays={"double": np.zeros(5)})
    assert load(*place_of(armature), MODEL).arrays.keys() == {"double"}


def test_several_models_are_listed_and_removed_one_by_one(armature):
    place, (one, other) = place_of(armature), (replace(MODEL, name=name) for name in "ab")
    assert (names(*place), load(*place, one), remove(*place, one)) == ((), None, False)
    for kind in (other, one):
        save_on(armature, kind)
    assert names(*place) == ("a", "b")
    assert remove(*place, one)
    assert names(*place) == ("b",)
    assert load(*place, one) is None
    assert_same(load(*place, other).arrays)


def test_removing_the_last_model_leaves_nothing(armature):
    before = len(armature.animation_data.action.motion_editing.keys())
    save_on(armature)
    assert len(armature.animation_data.action.motion_editing.keys()) > before
    remove(*place_of(armature), MODEL)
    assert len(armature.animation_data.action.motion_editing.keys()) == before


def test_slots_have_models_of_their_own(armature):
    save_on(armature)
    action, _slot = place_of(armature)
    other = action.slots.new("OBJECT", "Other").identifier
    assert names(action, other) == ()
    save(action, other, MODEL, {"x": 1}, "")
    assert_same(load(*place_of(armature), MODEL).arrays)
    assert load(action, other, MODEL).arrays == {"x": 1}


def test_a_renamed_slot_keeps_its_models(armature):
    save_on(armature)
    action, identifier = place_of(armature)
    action.slots[identifier].name_display = "Someone Else"
    assert place_of(armature)[1] != identifier
    assert_same(load(*place_of(armature), MODEL).arrays)
    assert load(action, identifier, MODEL) is None


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ({"whole": np.full((2, 2), 2**40)}, "'whole' cannot be saved: its integers do not fit into 32 bits"),
        ({"x": 2**40}, "does not fit into 32 bits"),
        ({"double": np.array([1j])}, "arrays of complex128 are not supported"),
        ({"x": [1, 2]}, "list is not an array, text or number"),
        ({"x" * 64: 1}, "must have 1 to 63 bytes"),
        ({"unknown": 1}, "'unknown' is unknown"),
        ({"double": np.zeros(4)}, "'double' is "),
        ({"double": np.zeros(5, dtype=np.float32)}, "'double' is "),
        ({"count": "12"}, "'count' is "),
        ({"compact": np.zeros((60, 4)), "compact whole": np.zeros(59, dtype=np.int32)}, "'compact whole' is "),
    ],
)
def test_what_cannot_be_saved_is_refused_and_the_old_model_stays(armature, arrays, reason):
    save_on(armature)
    with pytest.raises(ValueError, match=reason):
        save_on(armature, arrays={"good": 1.0, **arrays})
    assert_same(load(*place_of(armature), MODEL).arrays)


def test_an_unknown_slot_is_refused(armature):
    with pytest.raises(ValueError, match="has no slot 'OBNobody'"):
        save(armature.animation_data.action, "OBNobody", MODEL, {}, "")


def test_long_slot_names_are_no_hindrance():
    armature = chain_armature(1, name="N" * 60)
    key_bones(armature, [1, 2])
    save_on(armature)
    assert_same(load(*place_of(armature), MODEL).arrays)


# Wherever the action goes


def test_models_survive_saving_and_opening_the_file(armature, tmp_path):
    save_on(armature)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "a.blend"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert not bpy.data.actions
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    armature = bpy.data.objects["Rig"]
    assert_same(load(*place_of(armature), MODEL).arrays)
    assert state(armature, MODEL) is State.CURRENT


def in_another_file(armature, tmp_path, link):
    armature.animation_data.action.use_fake_user = True
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "a.blend"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "a.blend"), link=link) as (_source, target):
        target.objects = ["Rig"]
    bpy.context.scene.collection.objects.link(target.objects[0])
    return target.objects[0]


def test_models_survive_appending(armature, tmp_path):
    save_on(armature)
    armature = in_another_file(armature, tmp_path, link=False)
    assert_same(load(*place_of(armature), MODEL).arrays)
    assert state(armature, MODEL) is State.CURRENT


def test_models_of_linked_actions_can_be_read_but_not_saved(armature, tmp_path):
    save_on(armature)
    armature = in_another_file(armature, tmp_path, link=True)
    assert_same(load(*place_of(armature), MODEL).arrays)
    with pytest.raises(MotionEditError, match="is linked: make it local first"):
        save_on(armature)


def test_models_survive_copying_the_action(armature):
    save_on(armature)
    action, slot = place_of(armature)
    copy = action.copy()
    remove(action, slot, MODEL)
    assert_same(load(copy, slot, MODEL).arrays)


def test_models_follow_undo_and_redo(armature):
    bpy.ops.ed.undo_push(message="before")
    save_on(armature)
    bpy.ops.ed.undo_push(message="saved")
    save_on(armature, arrays={"x": 3})
    bpy.ops.ed.undo_push(message="saved again")
    bpy.ops.ed.undo()
    assert_same(load(*place_of(bpy.data.objects["Rig"]), MODEL).arrays)
    bpy.ops.ed.undo()
    assert load(*place_of(bpy.data.objects["Rig"]), MODEL) is None
    bpy.ops.ed.redo()
    assert_same(load(*place_of(bpy.data.objects["Rig"]), MODEL).arrays)
