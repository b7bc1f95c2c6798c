"""What all constraints have in common."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rows import Rows
from ..situation import Situation


@dataclass(frozen=True, eq=False, kw_only=True)
class Constraint:
    """Something that holds at frames. A kind of constraint says what it moves and writes its rows.

    Attributes:
        frames: (N,) increasing.
        name: By which it is reported.
        softness: 0 is held exactly; above, the constraint gives way where that saves much change.
    """

    frames: Any
    name: str = ""
    softness: float = 0.0

    @property
    def at(self) -> NDArray[np.intp]:
        """Frames as numbers."""
        return np.atleast_1d(np.asarray(self.frames, dtype=np.intp))

    def ends(self) -> Iterable[tuple[int, int]]:
        """Characters and joints that it is about."""
        raise NotImplementedError

    def rows(self, situation: Situation) -> Rows:
        """What is to become zero, or not less than zero."""
        raise NotImplementedError

    def frames_of_rows(self) -> NDArray[np.intp]:
        """(R,) the frame that each row is about, for the report."""
        raise NotImplementedError
