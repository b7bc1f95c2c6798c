"""Models saved with actions: what comes back, what is refused, and wherever the action goes."""

import bpy
import numpy as np
import pytest
from motion_editing.core.errors import MotionEditError
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.saved_model import State, load, names, remove, save, state
from rigs import chain_armature, key_bones
from saved_arrays import ARRAYS, keyed_armature, place_of, save_on


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
    save_on(armature, version=3)
    arrays, fingerprint, version = load(*place_of(armature), "model")
    assert_same(arrays)
    assert (fingerprint, version) == (action_io.fingerprint(armature), 3)


def test_single_numpy_numbers_come_back_as_plain_ones(armature):
    save_on(armature, arrays={"a": np.float64(0.1), "b": np.int64(7), "c": np.bool_(True)})
    assert_same(load(*place_of(armature), "model").arrays, {"a": 0.1, "b": 7, "c": True})


def test_loaded_arrays_are_the_callers_own(armature):
    save_on(armature)
    load(*place_of(armature), "model").arrays["single"][:] = 0.0
    assert_same(load(*place_of(armature), "model").arrays)


def test_saving_again_replaces_the_whole_model(armature):
    save_on(armature)
    save_on(armature, arrays={"other": np.zeros(2)})
    assert load(*place_of(armature), "model").arrays.keys() == {"other"}


def test_several_models_are_listed_and_removed_one_by_one(armature):
    place = place_of(armature)
    assert (names(*place), load(*place, "a"), remove(*place, "a")) == ((), None, False)
    for name in ("b", "a"):
        save_on(armature, name)
    assert names(*place) == ("a", "b")
    assert remove(*place, "a")
    assert names(*place) == ("b",)
    assert load(*place, "a") is None
    assert_same(load(*place, "b").arrays)


def test_removing_the_last_model_leaves_nothing(armature):
    before = len(armature.animation_data.action.motion_editing.keys())
    save_on(armature)
    assert len(armature.animation_data.action.motion_editing.keys()) > before
    remove(*place_of(armature), "model")
    assert len(armature.animation_data.action.motion_editing.keys()) == before


def test_slots_have_models_of_their_own(armature):
    save_on(armature)
    action, _slot = place_of(armature)
    other = action.slots.new("OBJECT", "Other").identifier
    assert names(action, other) == ()
    save(action, other, "model", {"x": 1}, "")
    assert_same(load(*place_of(armature), "model").arrays)
    assert load(action, other, "model").arrays == {"x": 1}


def test_a_renamed_slot_keeps_its_models(armature):
    save_on(armature)
    action, identifier = place_of(armature)
    action.slots[identifier].name_display = "Someone Else"
    assert place_of(armature)[1] != identifier
    assert_same(load(*place_of(armature), "model").arrays)
    assert load(action, identifier, "model") is None


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ({"x": np.array([2**40])}, "'x' cannot be saved: its integers do not fit into 32 bits"),
        ({"x": 2**40}, "does not fit into 32 bits"),
        ({"x": np.array([1j])}, "arrays of complex128 are not supported"),
        ({"x": [1, 2]}, "list is not an array, text or number"),
        ({"x" * 64: 1}, "must have 1 to 63 bytes"),
    ],
)
def test_what_cannot_be_saved_is_refused_and_the_old_model_stays(armature, arrays, reason):
    save_on(armature)
    with pytest.raises(ValueError, match=reason):
        save_on(armature, arrays={"good": 1, **arrays})
    assert_same(load(*place_of(armature), "model").arrays)


def test_an_unknown_slot_is_refused(armature):
    with pytest.raises(ValueError, match="has no slot 'OBNobody'"):
        save(armature.animation_data.action, "OBNobody", "model", {}, "")


def test_long_slot_names_are_no_hindrance():
    armature = chain_armature(1, name="N" * 60)
    key_bones(armature, [1, 2])
    save_on(armature)
    assert_same(load(*place_of(armature), "model").arrays)


# Wherever the action goes


def test_models_survive_saving_and_opening_the_file(armature, tmp_path):
    save_on(armature)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "a.blend"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert not bpy.data.actions
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    armature = bpy.data.objects["Rig"]
    assert_same(load(*place_of(armature), "model").arrays)
    assert state(armature, "model") is State.CURRENT


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
    assert_same(load(*place_of(armature), "model").arrays)
    assert state(armature, "model") is State.CURRENT


def test_models_of_linked_actions_can_be_read_but_not_saved(armature, tmp_path):
    save_on(armature)
    armature = in_another_file(armature, tmp_path, link=True)
    assert_same(load(*place_of(armature), "model").arrays)
    with pytest.raises(MotionEditError, match="is linked: make it local first"):
        save_on(armature)


def test_models_survive_copying_the_action(armature):
    save_on(armature)
    action, slot = place_of(armature)
    copy = action.copy()
    remove(action, slot, "model")
    assert_same(load(copy, slot, "model").arrays)


def test_models_follow_undo_and_redo(armature):
    bpy.ops.ed.undo_push(message="before")
    save_on(armature)
    bpy.ops.ed.undo_push(message="saved")
    save_on(armature, arrays={"x": np.ones(3)})
    bpy.ops.ed.undo_push(message="saved again")
    bpy.ops.ed.undo()
    assert_same(load(*place_of(bpy.data.objects["Rig"]), "model").arrays)
    bpy.ops.ed.undo()
    assert load(*place_of(bpy.data.objects["Rig"]), "model") is None
    bpy.ops.ed.redo()
    assert_same(load(*place_of(bpy.data.objects["Rig"]), "model").arrays)
