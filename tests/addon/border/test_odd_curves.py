"""Curves that most files do not have: without keys, with samples for keys, or with keys closer than a frame."""

import re
from collections.abc import Callable

import bpy
import numpy as np
import pytest
from batch_calls import do, prepare, working_operators
from batch_scenes import scenes_changed
from motion_editing.core.motion.time_maps.time_map import TimeMap
from motion_editing.motion_editing_addon.batch.formats.blender_errors import reason_of
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.action_io.curves.keys import read_keys
from rigs import all_keys, chain_armature, key_bones

RATE = 24.0
# What a tool may say to so few keys; anything else is a mistake of its own.
SHORT = (
    "needs? .*frames",
    "No window is enabled",
    "No other window",
    "no window with number",
    "has changed since",
    "hold the ends of the motion",
)


def figures() -> list[bpy.types.Object]:
    return [each for each in bpy.data.objects if each.type == "ARMATURE"]


def with_empty_curves() -> None:
    """A scale, a custom property and a place without keys, as importers leave them."""
    for figure in figures():
        figure.pose.bones["hand.L"]["mood"] = 0.5
        bag = action_io.channelbag(figure)
        for path, index in (('pose.bones["hand.L"].scale', 1), ('pose.bones["hand.L"]["mood"]', 0), ("location", 2)):
            bag.fcurves.new(path, index=index)


def sampled(curve: bpy.types.FCurve) -> None:
    """What Keys to Samples makes of a curve."""
    first, last = curve.range()
    curve.convert_to_samples(int(first), int(last) + 1)


def with_samples() -> None:
    """A third of the curves has samples in the place of keys, others have neither."""
    for figure in figures():
        for curve in list(action_io.channelbag(figure).fcurves)[::3]:
            sampled(curve)
    with_empty_curves()


def with_close_keys() -> None:
    """Few keys, two of them a third of a frame apart."""
    frames = np.array([1, 20, 20.3, 60, 120, 177.7])
    for figure in figures():
        for curve in action_io.channelbag(figure).fcurves:
            values = [curve.evaluate(frame) for frame in frames]
            curve.keyframe_points.clear()
            curve.keyframe_points.add(len(frames))
            curve.keyframe_points.foreach_set("co", np.stack([frames, values], axis=1).ravel())
            curve.update()


def results(name: str) -> dict[tuple[str, str, int], np.ndarray] | str:
    """Frames and values of all keys after an operator, curves without any left out; or why it did nothing."""
    try:
        prepare(name)
        do(name)
    except (RuntimeError, TypeError) as error:
        return str(error) if "Traceback" in str(error) else reason_of(error)
    return {
        (action.name, curve.data_path, curve.array_index): keys
        for action in bpy.data.actions
        for layer in action.layers
        for strip in layer.strips
        for bag in strip.channelbags
        for curve in bag.fcurves
        if len(keys := read_keys(curve, "co")["co"])
    }


def differences(change: Callable[[], None]) -> list[str]:
    """Operators that do something else in changed scenes."""
    found = []
    for name in working_operators():
        expected = results(name)
        with scenes_changed(change):
            got = results(name)
        if isinstance(got, str) or got.keys() != expected.keys():
            found.append(f"{name}: {got if isinstance(got, str) else got.keys() ^ expected.keys()}")
        elif not all(np.array_equal(got[key], expected[key]) for key in expected):
            found.append(f"{name}: other keys")
    return found


def test_every_operator_takes_samples_for_keys_and_passes_over_empty_curves():
    assert not differences(with_samples)


def test_every_operator_copes_with_keys_closer_than_a_frame():
    with scenes_changed(with_close_keys):
        refused = {name: got for name in working_operators() if isinstance(got := results(name), str)}
    assert not {name: reason for name, reason in refused.items() if not re.search("|".join(SHORT), reason)}


@pytest.fixture
def chain(empty_scene):
    armature = chain_armature(2)
    key_bones(armature, [1, 11, 21])
    return armature


def everything(clip):
    return np.ones(len(clip.motion.skeleton), dtype=bool)


def emptied(armature, path, index):
    curve = action_io.channelbag(armature).fcurves.find(f'pose.bones["bone0"].{path}', index=index)
    curve.keyframe_points.clear()
    return curve


def all_sampled(armature):
    for curve in action_io.channelbag(armature).fcurves:
        sampled(curve)


def test_an_action_of_samples_alone_is_edited_like_one_of_keys(empty_scene):
    expected = {}
    for prepare_curves in (lambda _armature: None, all_sampled):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        armature = chain_armature(3)
        action = key_bones(armature, list(range(1, 31)))
        prepare_curves(armature)
        assert bpy.ops.motion_editing.warp_time(length=0.7, use_keytimes=False) == {"FINISHED"}
        assert bpy.ops.motion_editing.smooth() == {"FINISHED"}
        got = {key: keys["co"] for key, keys in all_keys(action).items()}
        assert got == (expected or got)
        expected = got


def test_samples_are_read_as_blender_shows_them_also_below_modifiers(chain):
    curve = action_io.channelbag(chain).fcurves[0]
    curve.modifiers.new("NOISE")
    curve.extrapolation = "LINEAR"
    sampled(curve)
    action_io.channelbag(chain).fcurves[1].keyframe_points.insert(41, 1.0)  # beyond the samples
    clip = action_io.read(chain, rate=RATE)
    shown = [curve.evaluate(frame) for frame in clip.frames]
    np.testing.assert_array_equal(clip.raw[clip.channels.joints[1][0]][:, 0], np.float32(shown))


def test_samples_that_are_not_edited_stay_samples(chain):
    all_sampled(chain)
    clip = action_io.read(chain, rate=RATE)
    moved = np.array(clip.motion.locations)
    moved[5:8, 1] += 1.0
    action_io.write(clip, clip.motion.with_locations(moved))
    keyed = [curve for curve in action_io.channelbag(chain).fcurves if len(curve.keyframe_points)]
    assert {(curve.data_path, curve.array_index) for curve in keyed} == {
        ('pose.bones["bone0"].location', index) for index in range(3)
    }
    np.testing.assert_array_equal(action_io.read(chain, rate=RATE).motion.locations, moved.astype(np.float32))


def test_curves_show_the_same_outside_of_samples_that_became_keys(chain):
    curve = action_io.channelbag(chain).fcurves[0]
    curve.extrapolation = "LINEAR"
    sampled(curve)
    shown = curve.evaluate(1), curve.evaluate(90)
    clip = action_io.read(chain, rate=RATE)
    moved = np.array(clip.motion.locations)
    moved[5:8, 1] += 1.0
    action_io.write(clip, clip.motion.with_locations(moved))
    assert (curve.evaluate(-9), curve.evaluate(90)) == shown


def test_the_original_of_samples_is_samples(chain):
    all_sampled(chain)
    curves = action_io.channelbag(chain).fcurves
    before = [[tuple(point.co) for point in curve.sampled_points] for curve in curves]
    assert bpy.ops.motion_editing.shift_time(offset=1.0) == {"FINISHED"}
    assert all(len(curve.keyframe_points) for curve in curves)
    assert bpy.ops.motion_editing.restore_original() == {"FINISHED"}
    assert [[tuple(point.co) for point in curve.sampled_points] for curve in curves] == before


def test_a_channel_with_an_empty_curve_has_the_value_that_is_seen(chain):
    emptied(chain, "scale", 1)
    chain.pose.bones["bone0"].scale[1] = 1.5
    clip = action_io.read(chain, rate=RATE)
    np.testing.assert_array_equal(clip.motion.scales[:, 1, 1], 1.5)


def test_an_empty_curve_is_filled_where_the_channel_changes(chain):
    curve = emptied(chain, "location", 0)
    chain.pose.bones["bone0"].location[0] = 0.0
    clip = action_io.read(chain, rate=RATE)
    moved = np.array(clip.motion.locations)
    moved[10:, 1, 0] += 1.0
    action_io.write(clip, clip.motion.with_locations(moved))
    assert [curve.evaluate(frame) for frame in (1, 10, 11, 21)] == [0, 0, 1, 1]


@pytest.mark.parametrize("time_map", [TimeMap.shift(1.0), TimeMap.reverse(1 / RATE, 21 / RATE)])
def test_time_edits_leave_curves_that_only_modifiers_shape(chain, time_map):
    curve = emptied(chain, "location", 0)
    curve.modifiers.new("GENERATOR")
    clip = action_io.read(chain, rate=RATE)
    report = action_io.retime(clip, time_map, everything(clip))
    assert report.bones
    assert not len(curve.keyframe_points)
    assert len(curve.modifiers) == 1


def test_new_keys_of_a_baked_curve_leave_room_for_what_modifiers_add(empty_scene):
    armature = chain_armature(1)
    key_bones(armature, [float(frame) for frame in range(1, 31)])
    curve = action_io.channelbag(armature).fcurves.find('pose.bones["bone0"].location', index=0)
    for number in (20, 10):
        curve.keyframe_points.remove(curve.keyframe_points[number])
    generator = curve.modifiers.new("GENERATOR")
    generator.use_additive, generator.coefficients = True, (2.0, 0.1)
    clip = action_io.read(armature, rate=RATE)
    wanted = clip.motion.with_locations(clip.motion.locations + 0.5)
    action_io.write(clip, wanted)
    assert len(curve.keyframe_points) == 30
    np.testing.assert_allclose(action_io.read(armature, rate=RATE).motion.locations, wanted.locations, atol=1e-5)


@pytest.mark.parametrize("name", ["bridge_gap", "smooth", "reverse_time", "lock_feet"])
def test_a_range_without_a_whole_frame_is_refused_in_plain_words(empty_scene, name):
    armature = chain_armature(2)
    action = key_bones(armature, [1.2, 1.4])
    before = all_keys(action)
    with pytest.raises(RuntimeError, match="The range is shorter than a frame: choose a longer one"):
        getattr(bpy.ops.motion_editing, name)(range="KEYS")
    assert all_keys(action) == before
