"""An edit that breaks off leaves nothing behind: no changed key, no new curve, no new action."""

import bpy
import numpy as np
import pytest
from bpy.types import Operator
from motion_editing.core.motion.time_maps.time_map import TimeMap
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.action_io.curves.modifiers import modifier_settings
from motion_editing.motion_editing_addon.border.action_io.mirrored_keys import MirroredKeys
from motion_editing.motion_editing_addon.border.action_io.new_part import write_part
from motion_editing.motion_editing_addon.document.action_users import original_kept
from motion_editing.motion_editing_addon.document.transaction import edit
from motion_editing.motion_editing_addon.interface.operators.operator import MotionEditOperator
from motion_editing.motion_editing_addon.interface.operators.take_run import TakeRun
from rigs import all_keys, chain_armature, key_bones

RATE = 24.0


class CannotBeWritten:
    """A curve like another one, which Blender does not let anybody change."""

    def __init__(self, curve):
        self._curve = curve

    def __getattr__(self, name):
        return self if name == "keyframe_points" else getattr(self._curve, name)

    def __len__(self):
        return len(self._curve.keyframe_points)

    def __iter__(self):
        return iter(self._curve.keyframe_points)

    def foreach_get(self, name, values):
        self._curve.keyframe_points.foreach_get(name, values)

    def foreach_set(self, *_given):
        raise RuntimeError("internal error setting the array")

    clear = add = foreach_set


@pytest.fixture
def chain(empty_scene):
    armature = chain_armature(3, connected=False)
    key_bones(armature, list(range(1, 22)))
    return armature


def action_of(armature):
    return armature.animation_data.action


def shown(armature):
    """All that a curve is: keys, modifiers, groups."""
    bag = action_io.channelbag(armature)
    groups = {(c.data_path, c.array_index): c.group.name if c.group else "" for c in bag.fcurves}
    curves = [(c.data_path, c.array_index, c.extrapolation, modifier_settings(c)) for c in bag.fcurves]
    return all_keys(action_of(armature)), groups, sorted(curves), sorted(group.name for group in bag.groups)


def everything(clip):
    return np.ones(len(clip.motion.skeleton), dtype=bool)


def moved(clip):
    return clip.motion.with_locations(clip.motion.locations + 0.1)


def longer(clip):
    start, end = clip.motion.times[[0, -1]]
    return TimeMap.through([start, end + 1.0], [start, end], smooth=False).apply(moved(clip))


def broken_off(change, *given):
    change(*given)
    raise ZeroDivisionError


WRITERS = {
    "retime": lambda clip: action_io.retime(clip, TimeMap.shift(1.0), everything(clip)),
    "write": lambda clip: action_io.write(clip, moved(clip)),
    "every frame": lambda clip: action_io.write(clip, moved(clip), action_io.KeyOptions(keys="EVERY_FRAME")),
    "reduced": lambda clip: action_io.write(clip, moved(clip), action_io.KeyOptions(keys="REDUCED")),
    "other frames": lambda clip: action_io.write_other_frames(clip, longer(clip)),
    "part": lambda clip: write_part(clip, longer(clip)),
    "mirrored": lambda clip: MirroredKeys(
        clip, {key: clip_keys(curve) for key, curve in clip.channels.curves.items()}, frozenset()
    ).carry_out(),
}


def clip_keys(curve):
    from motion_editing.motion_editing_addon.border.action_io.curves.keys import generated_keys

    keys = [key.co[0] for key in curve.keyframe_points]
    return generated_keys(keys, np.zeros(len(keys)))


def with_a_protected_curve(armature):
    """What is read from an armature, the place of its last bone being one of the last curves that are written."""
    clip = action_io.read(armature, rate=RATE)
    key = clip.channels.joints[3][0], 1
    clip.channels.curves[key] = CannotBeWritten(clip.channels.curves[key])
    return clip


@pytest.mark.parametrize("writer", WRITERS)
def test_a_curve_that_cannot_be_written_leaves_all_as_they_were(chain, writer):
    curve = action_io.channelbag(chain).fcurves[0]
    curve.modifiers.new("NOISE").strength = 0.3
    before = shown(chain)
    clip = with_a_protected_curve(chain)
    with pytest.raises(RuntimeError, match="internal error"), original_kept(bpy.context, chain):
        WRITERS[writer](clip)
    assert shown(chain) == before
    assert action_of(chain).motion_editing.original is None
    assert len(bpy.data.actions) == 1


@pytest.mark.parametrize("writer", WRITERS)
def test_without_the_transaction_a_part_would_be_written(chain, writer):
    """The cases above are real ones: some curves have changed when the error comes."""
    before = all_keys(action_of(chain))
    clip = with_a_protected_curve(chain)
    with pytest.raises(RuntimeError, match="internal error"):
        WRITERS[writer](clip)
    assert all_keys(action_of(chain)) != before


def test_curves_that_were_made_or_deleted_and_modifiers_come_back(chain):
    bag = action_io.channelbag(chain)
    for number, kind in enumerate(("GENERATOR", "FNGENERATOR", "ENVELOPE", "CYCLES", "NOISE", "LIMITS", "STEPPED")):
        modifier = bag.fcurves[number].modifiers.new(kind)
        modifier.use_restricted_range, modifier.frame_end, modifier.frame_start = True, 90.0, 30.0
        if kind == "GENERATOR":
            modifier.poly_order, modifier.coefficients = 3, (1.0, 2.0, 3.0, 4.0)
        if kind == "ENVELOPE":
            modifier.control_points.add(4.0)
            modifier.control_points.foreach_set("max", [3.0])  # one by one Blender may crash
    curve = bag.fcurves[8]
    curve.extrapolation = "LINEAR"
    curve.convert_to_samples(1, 22)
    before = shown(chain)

    def change():
        for each in bag.fcurves:
            each.modifiers.new("LIMITS")
        chain.keyframe_insert("location", frame=5, group="New")
        bag.fcurves.remove(bag.fcurves[9])
        bag.fcurves[3].keyframe_points.clear()
        write_part(clip := action_io.read(chain, rate=RATE), longer(clip))

    with pytest.raises(ZeroDivisionError), edit(chain):
        broken_off(change)
    assert shown(chain) == before
    assert len(action_io.channelbag(chain).fcurves[8].sampled_points) == 21


def test_an_object_without_an_action_has_none_afterwards(empty_scene):
    armature = chain_armature(2)
    with pytest.raises(ZeroDivisionError), edit(armature):
        broken_off(key_bones, armature, [1, 10])
    assert action_of(armature) is None
    assert not len(bpy.data.actions)


def test_an_edit_that_comes_to_its_end_stays(chain):
    before = all_keys(action_of(chain))
    with edit(chain):
        action_io.write(clip := action_io.read(chain, rate=RATE), moved(clip))
    assert all_keys(action_of(chain)) != before
    assert len(bpy.data.actions) == 1


class BreakingRun(TakeRun):
    """Writes, and then fails on the armature of a name."""

    def plan(self, take):
        def carry_out():
            report = action_io.write(take.clip, moved(take.clip))
            if take.clip.armature.name == "Second":
                raise IndexError("something unforeseen")
            return report

        yield 0.0
        return carry_out

    def remarks(self, _reports):
        return ""


class MOTIONEDIT_OT_breaks_off(MotionEditOperator, Operator):
    """Writes, and then fails on the armature of a name."""

    bl_idname = "motion_editing.breaks_off"
    bl_label = "Breaks Off"

    def run(self):
        return BreakingRun(self)


@pytest.fixture
def failing_operator():
    bpy.utils.register_class(MOTIONEDIT_OT_breaks_off)
    yield bpy.ops.motion_editing.breaks_off
    bpy.utils.unregister_class(MOTIONEDIT_OT_breaks_off)


def test_of_several_armatures_none_is_changed_when_one_fails(chain, failing_operator):
    second = chain_armature(2, name="Second")
    key_bones(second, list(range(1, 22)))
    for each in (second, chain):
        each.select_set(True)
        bpy.context.view_layer.objects.active = each
    bpy.ops.object.mode_set(mode="POSE")
    before = shown(chain), shown(second)
    with pytest.raises(RuntimeError, match="something unforeseen"):
        failing_operator()
    assert (shown(chain), shown(second)) == before
    assert action_of(chain).motion_editing.original is None
    assert len(bpy.data.actions) == 2
    bpy.ops.object.mode_set(mode="OBJECT")
    assert failing_operator() == {"FINISHED"}
    assert shown(chain) != before[0]


def test_an_object_that_was_to_get_a_copy_plays_the_shared_action_again(chain, failing_operator):
    twin = chain_armature(3, name="Second", connected=False)
    twin.animation_data_create().action = action_of(chain)
    twin.animation_data.action_slot = chain.animation_data.action_slot
    before = shown(twin)
    with pytest.raises(RuntimeError, match="something unforeseen"):
        failing_operator(if_shared="COPY")
    assert action_of(twin) == action_of(chain)
    assert shown(twin) == before
    assert len(bpy.data.actions) == 1


def test_an_original_that_was_there_before_a_failure_stays(chain):
    before = shown(chain)
    assert bpy.ops.motion_editing.smooth() == {"FINISHED"}
    smoothed = shown(chain)
    clip = action_io.read(chain, rate=RATE)
    with pytest.raises(ZeroDivisionError), original_kept(bpy.context, chain):
        broken_off(action_io.write, clip, moved(clip))
    assert shown(chain) == smoothed
    assert bpy.ops.motion_editing.restore_original() == {"FINISHED"}
    assert shown(chain) == before


def test_the_original_has_the_modifiers_that_a_tool_took_away(chain):
    action_io.channelbag(chain).fcurves[0].modifiers.new("NOISE").strength = 0.3
    before = shown(chain)
    assert bpy.ops.motion_editing.make_loop(automatic=False, cycles=True) == {"FINISHED"}
    assert bpy.ops.motion_editing.restore_original() == {"FINISHED"}
    assert shown(chain) == before


def test_the_original_of_shape_keys_in_the_same_action_comes_back(chain):
    mesh = bpy.data.objects.new("Face", bpy.data.meshes.new("Face"))
    bpy.context.scene.collection.objects.link(mesh)
    mesh.parent = chain
    mesh.data.from_pydata([(0, 0, 0)], [], [])
    mesh.shape_key_add(name="Basis")
    smile, keys = mesh.shape_key_add(name="Smile"), mesh.data.shape_keys
    keys.animation_data_create().action = action_of(chain)
    keys.animation_data.action_slot = action_of(chain).slots.new("KEY", "Face")
    for frame in (1, 10, 21):
        smile.value = frame / 21
        smile.keyframe_insert("value", frame=frame)
    before = shown(chain)
    assert bpy.ops.motion_editing.reverse_time() == {"FINISHED"}
    assert bpy.ops.motion_editing.restore_original() == {"FINISHED"}
    assert shown(chain) == before


def test_handles_that_blender_would_align_anew_come_back_as_they_were(chain):
    curve = action_io.channelbag(chain).fcurves[0]
    for key in curve.keyframe_points:
        key.interpolation, key.handle_left_type, key.handle_right_type = "BEZIER", "ALIGNED", "ALIGNED"
    crooked = np.random.default_rng(1).normal(size=2 * len(curve.keyframe_points)).astype(np.float32)
    curve.keyframe_points.foreach_set("handle_left", crooked)
    before = all_keys(action_of(chain))
    with pytest.raises(ZeroDivisionError), edit(chain):
        broken_off(lambda: None)
    assert all_keys(action_of(chain)) == before


def test_an_action_by_itself_comes_back_with_all_its_slots(chain):
    action = action_of(chain)
    other = chain_armature(2, name="Other")
    other.animation_data_create().action = action
    other.animation_data.action_slot = action.slots.new("OBJECT", "Other")
    key_bones(other, [1, 5, 9])
    before = all_keys(action)

    def change():
        for each in (chain, other):
            action_io.write(clip := action_io.read(each, rate=RATE), moved(clip))

    with pytest.raises(ZeroDivisionError), edit(action):
        broken_off(change)
    assert all_keys(action) == before
    with edit(action):
        change()
    assert all_keys(action) != before
    assert len(bpy.data.actions) == 1


def test_transactions_within_each_other_bring_back_what_each_began_with(chain):
    before, clip = shown(chain), action_io.read(chain, rate=RATE)

    def change():
        action_io.write(clip, moved(clip))
        with edit(chain):
            broken_off(action_io.retime, clip, TimeMap.shift(1.0), everything(clip))

    with pytest.raises(ZeroDivisionError), edit(chain):
        change()
    assert shown(chain) == before


# Operators that meet what cannot be written in the middle of their work


def test_key_pose_keys_no_bone_where_one_is_locked(empty_scene):
    armature = chain_armature(3, connected=False)
    key_bones(armature, [1, 11, 21])
    assert bpy.ops.motion_editing.poses_from_keys() == {"FINISHED"}
    bpy.context.scene.frame_set(16)
    for curve in action_io.channelbag(armature).fcurves:
        curve.lock = '"bone2"' in curve.data_path
    before = shown(armature)
    with pytest.raises(RuntimeError, match="The channels of 'bone2' are locked or sampled: unlock them first"):
        bpy.ops.motion_editing.key_staggered_pose()
    assert shown(armature) == before
