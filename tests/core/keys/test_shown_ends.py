"""Keys of controls: the figure that they move keeps the bounds, however strongly it answers to them."""

from dataclasses import replace

import numpy as np
from made_motion import swinging_chain

from core.analysis.contacts import ContactSpans
from core.keys import ReductionOptions, channels_of_motion
from core.keys.bezier.keyed_curves import evaluate_keys
from core.keys.whole_motion import all_rounds, reduction_rounds
from core.numerics import quaternion
from core.solve.contact_lock import foot_slide

OPTIONS = ReductionOptions(degrees=2.0, distance=0.02)


def amplified(motion):
    """A figure whose joints turn three times as far as their controls, as a straight leg's knee does."""
    turns = quaternion.exp(3.0 * quaternion.log(motion.rotations))
    return replace(motion, rotations=quaternion.sign_continuous(turns))


def reduced(motion, **more):
    return all_rounds(reduction_rounds(motion, channels_of_motion(motion), options=OPTIONS, **more))


def shown(motion, found):
    """What is seen of the keys at the frames."""
    channels = found.yardstick.channels
    posed = channels.posed(evaluate_keys(found.keys, channels.grid)).rows(np.arange(0, 2 * len(motion) - 1, 2))
    return amplified(replace(posed, times=motion.times))


def largest_miss(motion, found):
    after, before = shown(motion, found).poses, amplified(motion).poses
    ends = (after.positions - before.positions, after.tips - before.tips)
    return max(float(np.linalg.norm(each, axis=-1).max()) for each in ends)


def test_the_figure_keeps_the_bound_that_its_controls_would_break():
    motion = swinging_chain(4, 120)
    assert largest_miss(motion, reduced(motion)) > OPTIONS.distance
    found = reduced(motion, seen=amplified)
    miss = largest_miss(motion, found)
    assert miss <= OPTIONS.distance
    assert found.accuracy.distance >= miss
    assert len(found.keys.times) < 0.7 * found.yardstick.channels.values.size


def test_what_stands_slides_no_more_than_the_bound():
    motion = swinging_chain(4, 120)
    name = motion.skeleton.names[3]
    contacts = ContactSpans({name: ((1.0, 2.0),)})
    loose, kept = reduced(motion, seen=amplified), reduced(motion, seen=amplified, contacts=contacts)
    before, loose_slide, slide = (
        foot_slide(each, contacts)[name][0] for each in (amplified(motion), shown(motion, loose), shown(motion, kept))
    )
    assert loose_slide - before > OPTIONS.slide_bound
    assert slide - before <= OPTIONS.slide_bound
