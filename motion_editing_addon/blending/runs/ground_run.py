"""How a character is carried over the ground."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ....core.errors import MotionEditError
from ....core.root_motion import moved_with_contacts
from ...border.action_io.reduction.sparse_keys import Closely, carry_following
from ...border.key_options import AUTOMATIC
from ...document.character.carried_figure import refuse_left_behind
from ...document.character.carriers import carried_from_above
from ...document.take.clip_take import ClipTake
from .character_run import CharacterRun

if TYPE_CHECKING:
    import numpy as np

    from ....core.motion import Motion
    from ...border.action_io import Clip, Plan
    from ...document.take.tool_run import Carry


class GroundRun(CharacterRun):
    """One call of an operator whose `move` tells where the character is carried."""

    def take_of(self, clip: Clip, joints: np.ndarray) -> ClipTake:
        """What was read: contacts stay what they are, only elsewhere."""
        return ClipTake(clip, joints)

    def edited(self, take: ClipTake) -> Motion:
        """The character carried, with each contact carried as one if contacts are kept."""
        move, motion = self.operator.move(take), take.carried
        if not self.operator.keep_contacts:
            return move.applied(motion)
        return moved_with_contacts(motion, move, take.body, contacts=take.contacts)[0]

    def examine(self, take: ClipTake) -> None:
        """The whole figure must follow what carries it; if it does not, the control above all carries it."""
        move = self.operator.move(take)
        try:
            refuse_left_behind(take.clip, take.carried, take.body, move)
        except MotionEditError:
            above = carried_from_above(take.clip, take.carried)
            if above is None:
                raise
            refuse_left_behind(take.clip, above, take.body, move)
            take.carried = above

    def writing(self, take: ClipTake, planned: Plan, edited: Motion, *_closely: Closely) -> Carry:
        """Writing what is planned, with breakdown keys where a figure that several controls carry would come apart."""
        operator = self.operator
        # What several controls carry side by side must not come apart between few keys.
        together = [Closely.everywhere(take.clip, operator.key_options())] if len(edited.carriers.moved) > 1 else []
        if together and operator.keying == AUTOMATIC and not operator.keep_contacts:
            return partial(carry_following, planned, (), *together)
        return super().writing(take, planned, edited, *together)
