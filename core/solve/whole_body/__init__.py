"""Figures that settle: held contacts, limbs that reach, and nothing below the ground, for all frames at once."""

from typing import TYPE_CHECKING

from ...lazy_door import lazy_door

if TYPE_CHECKING:
    from .ground import Ground
    from .held_limb import HeldLimb, held_limbs, solvable
    from .hinges import Hinge, with_hinges_kept
    from .limb_goal import LimbGoal, flat_frames, goal_of, widened
    from .reach import NOTHING, Reach, reach_of
    from .root import lowered, moved
    from .rounds import Rounds, rounds_of
    from .settled_figure import Settled, Settling
else:
    __getattr__ = lazy_door(__name__)
