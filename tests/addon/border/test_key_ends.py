"""Where a motion begins and ends: its own keys tell, not the action's manual frame range nor its other slots."""

import ast
from pathlib import Path

import bpy
import numpy as np
import pytest
from motion_editing.core.contacts import LockFeet
from motion_editing.motion_editing_addon.batch.formats.clips import ClipOfFile, fit_scene
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.recipes.steps import apply_steps
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.action_io import key_ends
from motion_editing.motion_editing_addon.contacts.foot_lock import FeetLock
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.take.clip_take import ClipTake
from motion_editing.motion_editing_addon.guided_warp.keytimes import clip_ends
from motion_editing.motion_editing_addon.pose_tree.poses.capture import read_action
from rigs import all_keys, chain_armature, key_bones
from timed_sample import load_timed_sample

ROOT = Path(__file__).parents[3]
SHORTEN = ROOT / "recipes" / "shorten_keep_jumps.toml"


@pytest.fixture
def sample(empty_scene):
    return load_timed_sample()


@pytest.fixture
def chain(empty_scene):
    """Keys from 1 to 41; the action says that it reaches from 50 to 200."""
    armature = chain_armature(2)
    set_manual_range(key_bones(armature, [1, 11, 21, 41]))
    return armature


def set_manual_range(action, first=50, last=200):
    action.use_frame_range = True
    action.frame_start, action.frame_end = first, last


def with_a_longer_slot(armature):
    """Another armature whose keys, from -60 to 300, are in another slot of the same action."""
    other = chain_armature(2, name="Other")
    data, action = other.animation_data_create(), scope.action_of(armature)
    data.action = action
    data.action_slot = action.slots.new("OBJECT", "Other")
    key_bones(other, [-60, 1, 300], seed=2)
    bpy.context.view_layer.objects.active = armature
    return other


def keys_of(armature):
    return {key: values for key, values in all_keys(scope.action_of(armature)).items() if armature.name in key[0]}


def first_curve(armature):
    return [key.co[0] for key in action_io.channelbag(armature).fcurves[0].keyframe_points]


def test_ends_are_those_of_the_slots_own_keys(chain):
    other = with_a_longer_slot(chain)
    assert key_ends(chain) == (1, 41)
    assert key_ends(other) == (-60, 300)


def test_curves_without_keys_and_muted_ones_have_no_ends(chain):
    bag = action_io.channelbag(chain)
    bag.fcurves.new("location", index=0)
    muted = bag.fcurves.new("location", index=1)
    muted.keyframe_points.insert(500, 1.0)
    muted.mute = True
    assert key_ends(chain) == (1, 41)
    bag.fcurves.clear()
    assert key_ends(chain) is None


@pytest.mark.parametrize("manual", [(50, 200), (-500, 900), (20, 30)])
def test_a_warp_is_the_same_whatever_range_the_action_is_given(sample, manual):
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False)
    expected = all_keys(scope.action_of(sample))
    bpy.ops.motion_editing.restore_original()
    set_manual_range(scope.action_of(sample), *manual)
    assert bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False) == {"FINISHED"}
    assert all_keys(scope.action_of(sample)) == expected


def test_a_warp_minds_its_own_slot_alone(chain):
    other = with_a_longer_slot(chain)
    before = keys_of(other)
    assert bpy.ops.motion_editing.warp_time(length=0.5, use_keytimes=False, along=False) == {"FINISHED"}
    assert first_curve(chain)[0] == 1
    assert first_curve(chain)[-1] == 21
    assert keys_of(other) == before


def test_the_recipe_that_shortens_does_its_work_in_such_an_action(sample):
    set_manual_range(scope.action_of(sample))
    _first, last = key_ends(sample)
    apply_steps(sample, read_recipe(SHORTEN).steps)
    assert key_ends(sample)[1] == pytest.approx(0.8 * last, abs=2)


def test_reference_frames_are_counted_from_the_first_key(chain):
    with_a_longer_slot(chain)
    scope.action_of(chain).motion_editing.skipped_frames = 2
    assert scope.frame_range(bpy.context, chain, "ACTION") == (3, None)
    assert clip_ends(chain) == (3, 41)


def test_keytimes_reach_to_the_ends_of_the_keys(chain):
    assert bpy.ops.motion_editing.set_length(value=80.0) == {"FINISHED"}
    items = scope.action_of(chain).motion_editing_time.keytimes
    assert [round(item.old) for item in items] == [1, 41]
    assert [round(item.new) for item in items] == [1, 33]


def test_keys_that_came_after_the_keytimes_are_warped_with_the_others(chain):
    """Keytimes that were set before do not reach to the end of a motion that was keyed on since."""
    bpy.ops.motion_editing.set_length(value=80.0)
    key_bones(chain, [float(frame) for frame in range(42, 62)], seed=3)
    assert bpy.ops.motion_editing.warp_time(influence=0.0) == {"FINISHED"}
    assert (first_curve(chain)[0], first_curve(chain)[-1]) == (1, 53)


def test_a_constraint_of_the_whole_motion_is_as_long_as_the_motion(sample):
    first, last = key_ends(sample)
    set_manual_range(scope.action_of(sample))
    assert bpy.ops.motion_editing.add_constraint(kind="JOINT_RANGE", bone="shin.L") == {"FINISHED"}
    item = sample.animation_data.action.motion_editing_constraints.listed[-1]
    assert (item.start, item.end) == (first, last)


def test_lock_feet_knows_which_frames_lie_beyond_its_own(sample):
    _first, last = key_ends(sample)
    set_manual_range(scope.action_of(sample), 50, 900)

    def ends_stay(start, end):
        clip = action_io.read(sample, rate=30.0, start=start, end=end)
        return FeetLock(ClipTake(clip), LockFeet(lowering=0.0))._ends_stay

    assert ends_stay(None, None) == (False, False)
    assert ends_stay(60, last) == (True, False)
    assert ends_stay(None, 100) == (False, True)


def test_poses_of_an_action_are_those_of_its_keys(chain):
    with_a_longer_slot(chain)
    clip = read_action(bpy.context, chain, scope.action_of(chain).name, first=None, last=None)
    assert clip.frames[[0, -1]].tolist() == [1, 41]


def test_the_scene_reaches_over_the_keys_of_all_clips(chain):
    other = with_a_longer_slot(chain)
    name = scope.action_of(chain).name
    fit_scene([ClipOfFile(chain.name, name)])
    assert (bpy.context.scene.frame_start, bpy.context.scene.frame_end) == (1, 41)
    fit_scene([ClipOfFile(chain.name, name), ClipOfFile(other.name, name)])
    assert (bpy.context.scene.frame_start, bpy.context.scene.frame_end) == (0, 300), "scenes begin at 0"


def test_seconds_of_a_step_are_counted_from_the_first_key(chain, tmp_path):
    with_a_longer_slot(chain)
    bpy.context.scene.render.fps = 10
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('[[step]]\nedit = "reverse_time"\nseconds = [0, 2]\n')
    before = np.array([key.co[:] for key in action_io.channelbag(chain).fcurves[0].keyframe_points])
    apply_steps(chain, read_recipe(recipe).steps)
    after = np.array([key.co[:] for key in action_io.channelbag(chain).fcurves[0].keyframe_points])
    np.testing.assert_allclose(after[:, 1], before[[2, 1, 0, 3], 1], atol=1e-6)


def test_one_module_alone_asks_where_actions_end():
    """All others would again take a manual range, or another slot's keys, for the ends of a motion."""
    asking = set()
    for path in (ROOT / "motion_editing_addon").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ("frame_range", "curve_frame_range"):
                own = isinstance(node.value, ast.Name) and node.value.id == "scope"  # a function of the add-on
                asking |= set() if own else {path.name}
    assert not asking
