"""One layer over a motion: what it changes, its influence, and that it can go unseen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_layers import FRAMES, JOINTS, RATE, assert_near, assert_same, base, edited, made_layer
from made_motion import Motion, chain

from core.layers import (
    LayerError,
    LayerStack,
    Scope,
    from_arrays,
    layer_from_edits,
    to_arrays,
    with_key,
    without_key,
)
from core.layers.layer import continuous_turns
from core.motion.offsets.pose_rows import chosen
from core.numerics import quaternion


class TestEdits:
    @pytest.mark.parametrize(
        "scope",
        [Scope(), Scope(reach=0.1), Scope(start=0.2, end=1.8), Scope(start=0.1, end=1.5, ease_in=0.2, ease_out=0.1)],
    )
    def test_edited_poses_are_met_and_all_else_is_left(self, scope):
        motion, frames = base(), [20, 28, 33]
        poses = edited(motion, frames)
        layer = layer_from_edits(motion, frames, poses, scope=scope)
        result = layer.applied(motion)
        assert_near(chosen(result, frames), poses, within=1e-12)
        outside = (motion.times < layer.start) | (motion.times > layer.end)
        assert outside.any()
        assert_same(result, motion, outside)
        untouched = np.array([3, 4])
        assert np.array_equal(result.rotations[:, untouched], motion.rotations[:, untouched])
        assert np.array_equal(result.scalars[:, 1], motion.scalars[:, 1])

    def test_only_edited_joints_are_kept(self):
        assert made_layer().joints == ("joint 0", "joint 1", "joint 2")
        assert made_layer().scalar_names == ("smile",)

    def test_joints_can_be_limited(self):
        motion, frames = base(), [20, 30]
        flags = np.arange(JOINTS) == 1
        layer = layer_from_edits(motion, frames, edited(motion, frames), joints=flags)
        assert layer.joints == ("joint 1",)
        assert layer.scalar_names == ()
        result = layer.applied(motion)
        assert np.array_equal(result.rotations[:, ~flags], motion.rotations[:, ~flags])

    def test_the_change_sets_in_smoothly(self):
        motion = Motion.build(chain(1), np.tile(quaternion.IDENTITY, (FRAMES, 1, 1)), rate=RATE)
        pose = chosen(motion, [30]).with_locations(np.array([[[1.0, 0.0, 0.0]]]))
        layer = layer_from_edits(motion, [30], pose, scope=Scope(reach=0.8))
        fine = motion.at(np.linspace(0.0, motion.times[-1], 4000))
        way = layer.applied(fine).locations[:, 0, 0]
        assert way.max() == pytest.approx(1.0)
        assert np.abs(np.diff(way, n=2)).max() < 1e-5
        assert (np.diff(way[: len(way) // 2]) >= 0.0).all()

    def test_a_key_in_the_first_frame_counts_from_there(self):
        motion = base()
        poses = edited(motion, [0])
        assert_near(chosen(layer_from_edits(motion, [0], poses).applied(motion), [0]), poses, within=1e-12)

    @pytest.mark.parametrize(
        ("scope", "reason"),
        [
            (Scope(start=0.8), "do not fit"),
            (Scope(end=1.0), "do not fit"),
            (Scope(start=0.5, ease_in=0.3), "do not fit"),
        ],
    )
    def test_keys_outside_of_the_scope_are_refused(self, scope, reason):
        motion, frames = base(), [20, 33]
        with pytest.raises(LayerError, match=reason):
            layer_from_edits(motion, frames, edited(motion, frames), scope=scope)

    def test_unchanged_poses_are_refused(self):
        motion = base()
        with pytest.raises(LayerError, match="motion's own"):
            layer_from_edits(motion, [3], chosen(motion, [3]))

    def test_half_rounds_to_both_sides_are_neighbours(self):
        turns = np.array([[3.0, 0.0, 0.0], [-3.0, 0.0, 0.0], [-2.5, 0.0, 0.0]])
        wanted = [3.0, 2.0 * np.pi - 3.0, 2.0 * np.pi - 2.5]
        assert continuous_turns(turns)[:, 0] == pytest.approx(wanted)


class TestInvisible:
    @pytest.mark.parametrize(
        "change",
        [
            lambda layer: replace(layer, muted=True),
            lambda layer: layer.with_influence(0.0),
            lambda layer: layer.with_influence([0.0, 0.0], [0.0, 3.0]),
            lambda layer: layer.moved(100.0),
            lambda layer: replace(layer, weights=np.zeros(3), changes=0.0 * layer.changes),
        ],
    )
    def test_a_layer_that_does_not_count_changes_no_bit(self, change):
        motion = base()
        assert_same(LayerStack(motion, (change(made_layer()),)).evaluate(), motion)

    def test_solo_hides_the_others(self):
        motion, one, two = base(), made_layer("one"), made_layer("two", seed=5)
        both = LayerStack(motion, (one, replace(two, solo=True)))
        assert_same(both.evaluate(), two.applied(motion))
        quiet = LayerStack(motion, (one, replace(two, solo=True, muted=True)))
        assert_same(quiet.evaluate(), motion)


def test_influence_scales_the_angle():
    motion, layer = base(), made_layer()
    half = layer.with_influence(0.5).applied(motion)
    angles = quaternion.angle_between(layer.applied(motion).rotations, motion.rotations)
    assert np.abs(quaternion.angle_between(half.rotations, motion.rotations) - 0.5 * angles).max() < 1e-9


def test_influence_can_change_over_time():
    motion, layer = base(), made_layer(reach=0.6)
    fading = layer.with_influence([1.0, 0.0], [0.7, 1.0])
    result, whole = fading.applied(motion), layer.applied(motion)
    assert_same(result, motion, motion.times >= 1.0)
    assert_same(result, whole, motion.times <= 0.7)


def test_agrees_with_the_plain_loop():
    motion, layer = base(), made_layer(ease_in=0.1)
    layer = replace(layer, weights=np.array([1.0, 0.5, 0.2])).with_influence([0.2, 0.9], [0.5, 1.2])
    result = layer.applied(motion)
    for frame in range(0, FRAMES, 5):
        time = motion.times[frame]
        share = float(np.interp(time, [0.5, 1.2], [0.2, 0.9])) if layer.start <= time <= layer.end else 0.0
        for way, seconds in ((time - layer.start, layer.ease_in), (layer.end - time, layer.ease_out)):
            rise = min(1.0, max(0.0, way / seconds))
            share *= rise**2 * (3.0 - 2.0 * rise)
        for joint, weight in enumerate((1.0, 0.5, 0.2)):
            held = replace(layer, start=-9.0, end=9.0, ease_in=0.0, ease_out=0.0, weights=np.ones(3)).with_influence(
                1.0
            )
            turn = held.offsets(motion).turns[frame, joint]
            wanted = quaternion.multiply(motion.rotations[frame, joint], quaternion.exp(share * weight * turn))
            assert quaternion.angle_between(result.rotations[frame, joint], wanted) < 1e-9


class TestTime:
    def test_a_moved_layer_does_the_same_later(self):
        motion, layer = base(), made_layer()
        early, late = layer.offsets(motion), layer.moved(10 / RATE).offsets(motion)
        assert np.abs(late.turns[10:] - early.turns[:-10]).max() < 1e-9

    def test_a_stretched_layer_takes_its_time(self):
        motion, layer = base(), made_layer(reach=0.2)
        longer = layer.stretched(2.0, pivot=0.5).with_influence(1.0)
        at = replace(motion, times=0.5 + 2.0 * (motion.times - 0.5))
        assert np.abs(longer.offsets(at).turns - layer.offsets(motion).turns).max() < 1e-9
        assert longer.end - longer.start == pytest.approx(2.0 * (layer.end - layer.start))
        with pytest.raises(LayerError, match="above 0"):
            layer.stretched(0.0)


class TestKeys:
    def test_a_key_is_added_and_taken_away(self):
        motion, layer = base(), made_layer()
        now = replace(chosen(motion, [24]), times=motion.times[[24]])
        pose = edited(motion, [24], seed=8, joints=5)
        more = with_key(layer, now, pose)
        assert len(more.times) == 4
        assert more.joints == tuple(motion.skeleton.names)
        assert_near(chosen(more.applied(motion), [24]), pose)
        assert_near(chosen(more.applied(motion), [20, 28]), chosen(layer.applied(motion), [20, 28]))
        assert_near(without_key(more, motion.times[24]).applied(motion), layer.applied(motion))

    def test_the_last_key_stays(self):
        layer = made_layer(frames=(20,))
        with pytest.raises(LayerError, match="no key"):
            without_key(layer, float(layer.times[0]))


def test_saved_layers_come_back_bit_for_bit():
    motion = base()
    stack = LayerStack(motion, (made_layer("one"), made_layer("two", seed=3).with_influence([0.1, 0.8], [0.2, 1.0])))
    stack = stack.with_layer(replace(stack.merged("one", "two", name="all").layers[0], muted=True))
    arrays = to_arrays(stack.layers)
    assert all(np.ndim(value) <= 1 for value in arrays.values())
    back = LayerStack(motion, from_arrays(arrays))
    assert [layer.muted for layer in back.layers] == [False, False, True]
    assert_same(back.evaluate(), stack.evaluate())
