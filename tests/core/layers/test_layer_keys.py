"""Keys in layers: poses that are seen, keys that change nothing, influence, and layers taken off again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_layers import RATE, assert_near, assert_same, base, edited, made_layer

from core.errors import MotionEditError
from core.layers import (
    Layer,
    LayerStack,
    edited_pose,
    influence,
    nearest_key,
    with_neutral_key,
    with_pose_key,
    with_scalars_of,
    without_layers,
)


def blank() -> Layer:
    """A layer in which nothing was changed yet."""
    layer = made_layer(frames=(20,))
    return replace(layer, **{name: np.zeros_like(getattr(layer, name)) for name in ("turns", "moves", "scalings")})


def stack() -> LayerStack:
    two = made_layer("two", frames=(26, 40), seed=4, reach=0.3).with_influence([0.2, 1.0], [0.8, 1.2])
    return LayerStack(base(), (made_layer("one"), two))


@pytest.mark.parametrize("row", [5, 28, 50])
def test_a_pose_that_is_keyed_is_seen(row):
    before = LayerStack(base(), (made_layer("one"),))
    wanted = edited(before.evaluate(), [row], seed=8)
    after = with_pose_key(before, "one", row, wanted)
    assert_near(after.evaluate().part(row, row + 1), wanted)
    assert_same(before.base, base())


def test_a_pose_that_is_seen_already_becomes_a_key_without_changes():
    before = LayerStack(base(), (replace(blank(), scalar_names=()),))
    after = with_pose_key(before, "one", 45, before.base.part(45, 46))
    assert after.layer("one").is_blank
    assert after.layer("one").times.tolist() == [before.base.times[45]]
    assert_same(after.evaluate(), before.base)


@pytest.mark.parametrize("row", [10, 28, 31, 55])
def test_a_neutral_key_changes_nothing_at_its_frame(row):
    motion = base()
    layer = with_neutral_key(made_layer(), motion, row)
    assert motion.times[row] in layer.times
    assert layer.start <= motion.times[row] <= layer.end
    assert_near(layer.applied(motion).part(row, row + 1), motion.part(row, row + 1))


def test_layers_that_are_taken_off_and_put_on_again_give_the_motion():
    shown = stack().evaluate()
    below = without_layers(shown, stack().layers)
    assert_near(below, base())
    assert_near(LayerStack(below, stack().layers).evaluate(), shown)
    assert_same(without_layers(shown, ()), shown)


def test_rounding_is_no_edit():
    now = base().part(3, 4)
    rounded = replace(now, locations=now.locations + 1e-7)
    pose, is_edited = edited_pose(now, rounded)
    assert not is_edited
    assert_same(pose, now)
    assert edited_pose(now, replace(now, locations=now.locations + 1e-3))[1]


def test_scalars_that_a_pose_lacks_are_those_of_the_motion():
    motion = base()
    pose = replace(motion.part(7, 8), scalars=np.array([[4.0]]), scalar_names=("frown",))
    assert with_scalars_of(pose, motion).scalars.tolist() == [[motion.scalars[0, 0], 4.0]]


def test_the_nearest_key_is_found_or_refused():
    layer = made_layer(frames=(20, 28))
    assert nearest_key(layer, 20.4, RATE) == layer.times[0]
    with pytest.raises(MotionEditError, match="no key at frame 24"):
        nearest_key(layer, 24.0, RATE)
    with pytest.raises(MotionEditError, match="only key"):
        nearest_key(made_layer(frames=(20,)), 20.0, RATE)


def test_influence_is_keyed_and_keys_are_taken_out_again():
    layer = made_layer()
    assert influence.with_value(layer, 0.5, 0.7, RATE).influence_values.tolist() == [0.5]
    ramp = influence.keyed(layer, 0.0, layer.end, RATE)
    assert ramp.influence_times.tolist() == [layer.start, layer.end]
    assert ramp.influence_values.tolist() == [1.0, 0.0]
    middle = 0.5 * (layer.start + layer.end)
    held = influence.keyed(ramp, None, middle, RATE)
    assert held.influence_values == pytest.approx([1.0, 0.5, 0.0])
    assert influence.unkeyed(held, middle, RATE).influence_values.tolist() == [1.0, 0.0]
    with pytest.raises(MotionEditError, match="no key at frame"):
        influence.unkeyed(layer, middle, RATE)
