"""Retiming a layer, as a tool."""

from __future__ import annotations

import numpy as np
from made_motion import swinging_chain

from core.layers import Layer, LayeredTake, LayerStack, RetimeLayer

MOTION = swinging_chain(3, 61)


def layer(name: str) -> Layer:
    turns = np.zeros((2, 1, 3))
    turns[1, 0, 2] = 0.5
    none = np.zeros((2, 1, 3))
    return Layer(name, (MOTION.skeleton.names[1],), np.array([0.2, 0.6]), turns, none, none, 0.2, 0.6)


def test_the_named_or_active_layer_is_stretched_from_its_start_and_moved():
    take = LayeredTake(LayerStack(MOTION, (layer("Lean"), layer("Nod"))), "Nod", MOTION.rate)
    active = RetimeLayer(offset=15, stretch=2.0).apply(take)
    np.testing.assert_allclose(active.layer("Nod").times, [0.7, 1.5])
    np.testing.assert_array_equal(active.layer("Lean").times, [0.2, 0.6])
    named = RetimeLayer(layer="Lean", offset=-3).apply(take)
    np.testing.assert_allclose(named.layer("Lean").times, [0.1, 0.5])
    assert named.layer("Nod") is take.stack.layer("Nod")
