"""The equalizer: what it writes, its board, its picture; and the original shown beside an edit."""

import bpy
import numpy as np
import pytest
from motion_editing.core.filters import equalized, equalizer_bands, limb_spectrum, octaves, spectrum
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.filters.equalizer.equalizer_board import Board, BoardDrag
from motion_editing.motion_editing_addon.filters.equalizer.equalizer_picture import board_picture, level
from motion_editing.motion_editing_addon.interface.drawing import viewport
from motion_editing.motion_editing_addon.interface.drawing.theme import palette
from motion_editing.motion_editing_addon.interface.operators.value_drag import Outcome
from motion_editing.motion_editing_addon.stack.comparison import comparison
from rigs import all_keys, evaluated_matrices


def sample():
    bpy.ops.motion_editing.load_sample_motion()
    return bpy.context.object


def motion_of(armature):
    return action_io.read(armature, rate=24.0).motion


def gains(*first):
    """The first gains as given, all others 1."""
    return (*first, *([1.0] * (10 - len(first))))


@pytest.mark.parametrize("call", ["EXEC_DEFAULT", "INVOKE_DEFAULT"])
def test_gains_are_slowest_first_and_give_what_core_gives(call):
    armature = sample()
    motion = motion_of(armature)
    cutoffs = octaves(motion, count=len(equalizer_bands.cutoffs_of(motion)) + 1)
    wanted = [1.0] * (len(cutoffs) - 1) + [1.3, 0.8]
    expected = equalized(motion, wanted, cutoffs=cutoffs)
    bpy.ops.motion_editing.equalize(call, gains=gains(0.8, 1.3), keep_contacts=False, keep_floor=False)
    found = motion_of(armature)
    assert quaternion.angle_between(found.rotations, expected.rotations).max() < 3e-6
    np.testing.assert_allclose(found.locations, expected.locations, atol=5e-6)


def test_gains_of_one_change_no_key():
    armature = sample()
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.equalize()
    assert all_keys(armature.animation_data.action) == before


@pytest.mark.parametrize(("rate", "bands"), [(24.0, 6), (60.0, 7), (120.0, 8), (480.0, 10), (4.0, 3)])
def test_the_slowest_band_reaches_a_step_at_every_rate(rate, bands):
    motion = motion_of(sample())
    other = type(motion).build(motion.skeleton, motion.rotations, rate=rate)
    cutoffs = equalizer_bands.cutoffs_of(other)
    assert len(cutoffs) == bands - 1
    assert cutoffs == sorted(cutoffs)
    assert len(equalizer_bands.band_names(cutoffs)) == bands


def test_limbs_have_the_mean_square_of_their_joints():
    motion = motion_of(sample())
    joints = np.ones(len(motion.skeleton), dtype=bool)
    rows = np.full(len(joints), -1)
    rows[[3, 4]], rows[[5, 6, 7]] = 0, 2
    found = limb_spectrum(motion, rows, ["Arm", "Nobody", "Leg"], joints)
    assert found.names == ("Arm", "Leg")
    turns = np.degrees(spectrum(motion, cutoffs=found.cutoffs[::-1])[0])
    np.testing.assert_allclose(found.sizes[0, 0], np.sqrt((turns[-1, [3, 4]] ** 2).mean()))
    np.testing.assert_allclose(found.sizes[-1, 1], np.sqrt((turns[0, [5, 6, 7]] ** 2).mean()))


# The board


def test_a_slider_follows_the_mouse_and_is_let_go():
    drag = BoardDrag(6)
    x = drag.board.middle_of(2)
    assert drag.take("LEFTMOUSE", "PRESS", x=x, y=drag.board.height_of(1.0)) is Outcome.NOTHING
    assert drag.take("MOUSEMOVE", "NOTHING", x=x + 300, y=drag.board.height_of(1.5)) is Outcome.NOTHING
    assert drag.gains == pytest.approx([1.0, 1.0, 1.5, 1.0, 1.0, 1.0])
    drag.take("MOUSEMOVE", "NOTHING", x=x, y=drag.board.height_of(0.52), ctrl=True)
    assert drag.gains[2] == pytest.approx(0.5)
    drag.take("MOUSEMOVE", "NOTHING", x=x, y=-500.0)
    assert drag.gains[2] == 0.0
    drag.take("LEFTMOUSE", "RELEASE", x=x, y=-500.0)
    assert drag.take("MOUSEMOVE", "NOTHING", x=x, y=drag.board.height_of(2.0)) is Outcome.PASSED_ON
    assert drag.gains[2] == 0.0
    drag.take("LEFTMOUSE", "DOUBLE_CLICK", x=x, y=drag.board.height_of(0.3))
    assert drag.gains == [1.0] * 6


def test_shift_moves_a_tenth_as_far_from_where_the_slider_was():
    drag = BoardDrag(6)
    x = drag.board.middle_of(0)
    drag.take("LEFTMOUSE", "PRESS", x=x, y=drag.board.height_of(1.0))
    drag.take("MOUSEMOVE", "NOTHING", x=x, y=drag.board.height_of(2.0), shift=True)
    assert drag.gains[0] == pytest.approx(1.1)


@pytest.mark.parametrize(
    ("kind", "value", "answer"),
    [
        ("ESC", "PRESS", Outcome.CANCELLED),
        ("RET", "PRESS", Outcome.CONFIRMED),
        ("RET", "RELEASE", Outcome.NOTHING),
        ("Z", "PRESS", Outcome.NOTHING),
        ("TIMER", "NOTHING", Outcome.PASSED_ON),
        ("RIGHT_ARROW", "PRESS", Outcome.PASSED_ON),
        ("MIDDLEMOUSE", "PRESS", Outcome.PASSED_ON),
        ("LEFTMOUSE", "PRESS", Outcome.PASSED_ON),
    ],
)
def test_events_beside_the_board(kind, value, answer):
    assert BoardDrag(6).take(kind, value, x=-10.0, y=-10.0) is answer


def test_the_wheel_changes_what_is_under_the_mouse_and_clicks_never_fall_through():
    drag = BoardDrag(6)
    drag.take("WHEELDOWNMOUSE", "PRESS", x=drag.board.middle_of(5), y=80.0)
    assert drag.gains[5] == pytest.approx(0.95)
    assert drag.take("LEFTMOUSE", "PRESS", x=drag.board.size[0] - 2.0, y=80.0) is Outcome.NOTHING
    assert drag.grabbed is None


def test_gains_and_heights_are_inverse():
    board = Board(4)
    for gain in (0.0, 0.3, 1.0, 2.0):
        assert board.gain_at(board.height_of(gain)) == pytest.approx(gain)
    assert [board.band_at(board.middle_of(band), 60.0) for band in range(4)] == [0, 1, 2, 3]


def test_the_picture_has_a_label_for_every_band_and_limb_and_stays_on_the_board():
    motion = motion_of(sample())
    joints = np.ones(len(motion.skeleton), dtype=bool)
    rows = np.arange(len(joints)) % 3
    shown = limb_spectrum(motion, rows, ["Arm", "Leg", "Torso"], joints)
    colour = (0.2, 0.4, 0.6, 1.0)
    picture = board_picture(shown, [colour] * 3, [0.5] * 6, palette(bpy.context), hovered=1)
    texts = [label.text for label in picture.labels]
    assert texts.count("50%") == 6
    assert {"Arm", "Leg", "Torso", *equalizer_bands.band_names(shown.cutoffs)} <= set(texts)
    width, height = Board(6).size
    for shape in picture.shapes:
        assert (shape.places >= 0.0).all()
        assert (shape.places <= (width, height)).all()


def test_levels_grow_with_the_logarithm():
    found = level(np.array([0.0, 0.01, 0.1, 1.0, 100.0, 1000.0]))
    np.testing.assert_allclose(found, [0.0, 0.0, 0.25, 0.5, 1.0, 1.0])


# The original


def test_the_original_is_shown_and_the_edit_is_kept():
    armature = sample()
    first = evaluated_matrices(armature, 60)
    with pytest.raises(RuntimeError, match="has not been edited"):
        bpy.ops.motion_editing.compare_original()
    bpy.ops.motion_editing.low_pass(cutoff=0.5)
    edited, keys = evaluated_matrices(armature, 60), all_keys(armature.animation_data.action)
    assert np.abs(edited - first).max() > 0.01

    bpy.ops.motion_editing.compare_original(mode="ORIGINAL")
    bpy.context.view_layer.update()
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    shown = np.array([posed.matrix_world @ bone.matrix for bone in posed.pose.bones])
    np.testing.assert_allclose(shown, first, atol=1e-5)
    assert all_keys(armature.animation_data.action) == keys
    assert "Original" in viewport.shown_modes()["compare"]

    bpy.ops.motion_editing.compare_original(mode="ORIGINAL")
    np.testing.assert_allclose(evaluated_matrices(armature, 60), edited, atol=1e-6)
    assert viewport.shown_modes() == {}
    assert comparison.mode_of(armature) == "OFF"


def test_the_ghost_follows_the_frame_and_goes():
    armature = sample()
    bpy.ops.motion_editing.low_pass(cutoff=0.5)
    bpy.context.scene.frame_set(60)
    bpy.ops.motion_editing.compare_original(mode="GHOST")
    before = viewport.shown()[f"original of {armature.name}"]
    bpy.context.scene.frame_set(70)
    after = viewport.shown()[f"original of {armature.name}"]
    assert not np.array_equal(before.lines.shapes[0].places, after.lines.shapes[0].places)
    bpy.ops.motion_editing.compare_original(mode="OFF")
    assert viewport.shown() == {}
    assert all(not each.__module__.endswith("original_ghost") for each in bpy.app.handlers.frame_change_post)


def test_disabling_ends_a_comparison(registered_addon):
    sample()
    bpy.ops.motion_editing.smooth()
    bpy.ops.motion_editing.compare_original(mode="GHOST")
    count = len(bpy.app.handlers.depsgraph_update_post)
    registered_addon.unregister()
    try:
        assert viewport.shown() == {}
        assert len(bpy.app.handlers.depsgraph_update_post) < count
    finally:
        registered_addon.register()


def without_a_bone(armature):
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones.remove(armature.data.edit_bones["toe.R"])
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.motion_editing.reverse_time()


def without_keys(armature):
    action_io.channelbag(armature).fcurves.clear()
    armature.animation_data.action.update_tag()


@pytest.mark.parametrize("mode", ["ORIGINAL", "GHOST"])
@pytest.mark.parametrize("change", [without_a_bone, without_keys])
def test_what_cannot_be_compared_any_more_ends_a_comparison(change, mode, capsys):
    armature = sample()
    bpy.ops.motion_editing.smooth()
    bpy.ops.motion_editing.compare_original(mode=mode)
    change(armature)
    bpy.context.view_layer.update()
    assert "Traceback" not in capsys.readouterr().err
    assert comparison.mode_of(armature) == comparison.OFF
    assert viewport.shown() == {}
