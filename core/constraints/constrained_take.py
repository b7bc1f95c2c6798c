"""What spacetime tools work on."""

from collections.abc import Sequence
from typing import Any

from ..editing import Take
from ..motion import Motion
from ..solve.spacetime import Constraint


class ConstrainedTake(Take):
    """A motion with what has to hold in it.

    Attributes:
        constraints: About this character alone.
    """

    def __init__(self, motion: Motion, constraints: Sequence[Constraint] = (), **details: Any) -> None:
        """Nothing is looked for yet; details are those of `Take`."""
        super().__init__(motion, **details)
        self.constraints = tuple(constraints)
