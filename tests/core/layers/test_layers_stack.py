"""Layers over each other: order, merging, posing through them, other motions, mirroring."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from annotated_clips import annotated_clips
from made_layers import FRAMES, JOINTS, RATE, assert_near, assert_same, base, edited, made_layer
from made_motion import Motion, smooth_rotations
from made_person import person

from core.body import find_body
from core.editing.mirror import MirrorAbout, mirrored
from core.layers import (
    LayerError,
    LayerStack,
    Scope,
    layer_from_edits,
    mirrored_layer,
)
from core.motion.offsets.pose_rows import chosen
from core.motion.rest_axes import with_rest_rotations
from core.numerics import quaternion


class TestStack:
    def stack(self) -> LayerStack:
        two = made_layer("two", frames=(26, 40), seed=4, reach=0.3).with_influence([0.2, 1.0], [0.8, 1.2])
        return LayerStack(base(), (made_layer("one"), two, made_layer("three", frames=(30,), seed=6)))

    @pytest.mark.parametrize("pair", [("one", "two"), ("two", "three")])
    def test_merged_layers_give_the_same_motion(self, pair):
        stack = self.stack()
        merged = stack.merged(*pair, name="both")
        assert len(merged.layers) == 2
        assert_near(merged.evaluate(), stack.evaluate())

    def test_all_merged_to_one(self):
        stack = self.stack()
        one = stack.merged("one", "two").merged("one", "three")
        assert len(one.layers) == 1
        assert_near(one.evaluate(), stack.evaluate())
        outside = (stack.base.times < one.layers[0].start) | (stack.base.times > one.layers[0].end)
        assert_same(one.evaluate(), stack.base, outside)

    def test_order_counts(self):
        stack = self.stack()
        other = stack.reordered("three", 0)
        assert [layer.name for layer in other.layers] == ["three", "one", "two"]
        assert quaternion.angle_between(other.evaluate().rotations, stack.evaluate().rotations).max() > 0.01

    def test_merging_needs_neighbours_that_are_seen(self):
        stack = self.stack()
        with pytest.raises(LayerError, match="right above"):
            stack.merged("one", "three")
        muted = stack.changed("two", lambda layer: replace(layer, muted=True))
        with pytest.raises(LayerError, match="muted"):
            muted.merged("one", "two")

    def test_names_are_unique_and_known(self):
        with pytest.raises(LayerError, match="two layers 'one'"):
            LayerStack(base(), (made_layer("one"), made_layer("one")))
        with pytest.raises(LayerError, match="no layer 'nobody'"):
            self.stack().without("nobody")
        assert [layer.name for layer in self.stack().without("two").layers] == ["one", "three"]

    @pytest.mark.parametrize("name", ["one", "two", "three"])
    @pytest.mark.parametrize("frame", [28, 30])
    def test_a_pose_set_in_any_layer_is_the_pose_seen(self, name, frame):
        stack = self.stack()
        pose = edited(stack.evaluate(), [frame], seed=11, joints=5)
        after = stack.with_pose(name, frame, pose)
        assert_near(chosen(after.evaluate(), [frame]), pose)
        others = [layer for layer in after.layers if layer.name != name]
        assert others == [layer for layer in stack.layers if layer.name != name]

    def test_a_pose_in_a_layer_that_is_not_seen_is_refused(self):
        stack = self.stack()
        pose = edited(stack.evaluate(), [2])
        with pytest.raises(LayerError, match="does not count at"):
            stack.with_pose("one", 0, pose)
        with pytest.raises(LayerError, match="not seen"):
            stack.changed("one", lambda layer: replace(layer, muted=True)).with_pose("one", 28, pose)

    def test_layers_go_over_to_another_motion_by_name(self):
        stack = self.stack()
        order = np.array([3, 1, 4, 0, 2])
        skeleton = stack.base.skeleton
        place = np.argsort(order)
        listed = type(skeleton).build(
            [skeleton.names[joint] for joint in order],
            [-1 if skeleton.parents[joint] < 0 else place[skeleton.parents[joint]] for joint in order],
            skeleton.rest_positions[order],
        )
        other = Motion.build(listed, smooth_rotations(FRAMES, JOINTS, 9), rate=RATE)
        result = stack.over(other).evaluate()
        own = stack.over(
            Motion.build(skeleton, other.rotations[:, place], rate=RATE, locations=other.locations[:, place])
        ).evaluate()
        assert quaternion.angle_between(result.rotations, own.rotations[:, order]).max() < 1e-12

    def test_a_motion_without_its_joints_is_refused(self):
        motion = base()
        names = tuple(f"other {number}" for number in range(JOINTS))
        stranger = replace(motion, skeleton=replace(motion.skeleton, names=names), scalar_names=("a", "b"))
        with pytest.raises(LayerError, match="no bone of the layer 'one'"):
            made_layer().applied(stranger)

    def test_the_base_is_left_alone(self):
        stack = self.stack()
        before = np.array(stack.base.rotations)
        stack.evaluate()
        assert np.array_equal(before, stack.base.rotations)


def test_a_mirrored_layer_changes_the_mirrored_motion_alike():
    skeleton, number = person()
    motion = Motion.build(skeleton, smooth_rotations(FRAMES, len(skeleton), 1, reach=0.5), rate=RATE)
    motion = with_rest_rotations(motion, smooth_rotations(1, len(skeleton), 5)[0])
    body = find_body(motion.skeleton)
    hand = number["left hand"]
    rotations = np.array(motion.rotations[[20, 30]])
    rotations[:, hand] = quaternion.multiply(rotations[:, hand], quaternion.exp([[0.5, 0.1, 0.0], [0.0, 0.4, 0.3]]))
    layer = layer_from_edits(motion, [20, 30], chosen(motion, [20, 30]).with_rotations(rotations), name="wave.L")
    other = mirrored_layer(layer, body)
    assert other.name == "wave.R"
    assert other.joints == (skeleton.names[number["right hand"]],)
    seen = mirrored(layer.applied(motion), body, about=MirrorAbout.REST)
    wanted = other.applied(mirrored(motion, body, about=MirrorAbout.REST))
    assert quaternion.angle_between(seen.rotations, wanted.rotations).max() < 1e-9


@pytest.mark.clips
def test_a_nod_made_in_one_clip_is_added_to_another(clips_folder):
    clips = {clip.name: clip for clip in annotated_clips(clips_folder)}
    walk, march = clips["cmu_07_01_walk"], clips["cmu_138_01_march"]
    head = walk.body.head
    rotations = np.array(walk.motion.rotations[[100, 130]])
    rotations[0, head] = quaternion.multiply(rotations[0, head], quaternion.exp([0.5, 0.0, 0.0]))
    poses = chosen(walk.motion, [100, 130]).with_rotations(rotations)
    nod = layer_from_edits(walk.motion, [100, 130], poses, name="nod", scope=Scope(reach=0.2))
    later = nod.moved(3.0).stretched(1.5)
    result = LayerStack(march.motion, (later,)).evaluate()
    angles = quaternion.angle_between(result.rotations[:, head], march.motion.rotations[:, head])
    assert angles.max() == pytest.approx(0.5, abs=1e-3)
    others = np.arange(len(march.motion.skeleton)) != head
    assert np.array_equal(result.rotations[:, others], march.motion.rotations[:, others])
