"""Controls that come one after another down the body, whatever they hang on."""

import numpy as np

from core.motion import Skeleton
from core.rig import BodyOrder
from core.staggered import chain_depths
from core.staggered.edits.timing_edits import depths_below


def plain(parents) -> Skeleton:
    count = len(parents)
    return Skeleton.build([f"bone{number}" for number in range(count)], parents, np.zeros((count, 3)))


def test_bones_that_stand_for_themselves_are_ordered_as_their_parents_say() -> None:
    generator = np.random.default_rng(1)
    for _trial in range(20):
        parents = [-1, *(int(generator.integers(0, joint)) for joint in range(1, 12))]
        skeleton, everything = plain(parents), np.ones(12, dtype=bool)
        order = BodyOrder(np.arange(12), everything, skeleton, skeleton.parents, root=1)
        chosen = generator.random(12) < 0.6
        np.testing.assert_array_equal(order.chain_depths(chosen), chain_depths(skeleton, chosen))
        for joint in range(12):
            np.testing.assert_array_equal(order.depths_below(joint), depths_below(skeleton, joint))


def test_a_control_without_parents_stands_where_it_acts() -> None:
    figure = plain([-1, 0, 1, 2, 3])  # object, shoulder, arm, hand, finger
    # An object, a shoulder, a hand that hangs on nothing, its twin that turns, a helper, and a finger.
    order = BodyOrder(
        joints=np.array([0, 1, 3, 3, 2, 4]),
        controls=np.array([False, True, True, True, False, True]),
        figure=figure,
        parents=np.array([-1, 0, 0, 4, 1, 4]),
        root=1,
    )
    assert order.depths_below(1).tolist() == [0, 0, 2, 2, 0, 3]
    assert order.chain_depths(np.ones(6, dtype=bool)).tolist() == [0, 0, 1, 1, 0, 2]
    assert order.in_place.tolist() == [False, False, True, True, False, True]


def test_controls_of_one_part_follow_what_they_hang_on() -> None:
    order = BodyOrder(np.array([0, 1, 1]), np.ones(3, dtype=bool), plain([-1, 0]), np.array([-1, 0, 1]), root=1)
    assert order.chain_depths(np.array([False, True, True])).tolist() == [0, 0, 1]
