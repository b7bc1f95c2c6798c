"""What is seen of a control rig, as a take."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ....core.editing import Take
from ..contacts.saved_contacts import contacts_of

if TYPE_CHECKING:
    from ....core.analysis.contacts import ContactSpans
    from ...border.action_io import Clip
    from ..character.shown_figure import ShownFigure


class ShownTake(Take):
    """What is seen of a control rig: the motion of the plain figure inside it."""

    def __init__(self, clip: Clip, figure: ShownFigure, picked: set[str]) -> None:
        """What the figure does is known; all of it may change if no control was picked that shows on it."""
        placed = {figure.character.bone_seen(name) for name in picked}
        joints = np.array([name in placed for name in figure.motion.skeleton.names])
        super().__init__(figure.motion, joints=joints if joints.any() else None)
        self._clip, self.character, self.body = clip, figure.character, figure.body

    @property
    def frames(self) -> np.ndarray:
        """(F,) frames of the action."""
        return self._clip.frames

    @cached_property
    def contacts(self) -> ContactSpans:
        """The contacts saved with the action, or those found in what is seen."""
        return contacts_of(self._clip)
