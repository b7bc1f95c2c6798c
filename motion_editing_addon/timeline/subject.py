"""A motion with what the timeline has to know of it: where its joints are and what body it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..border.steps import Steps
from ..document import scope
from ..document.character.joint_positions import sample_in_steps
from ..document.character.saved_body import body_of

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Object

    from ...core.body import Body
    from ...core.motion import Motion
    from ..border.action_io import Clip


@dataclass(frozen=True)
class Subject:
    """What was read, looked at once.

    Attributes:
        clip: Motion and F-curves.
        positions: (F, J, 3) joints in scene space; of a control rig they were sampled.
        body: Which joint is which part.
    """

    clip: Clip
    positions: np.ndarray
    body: Body

    @property
    def armature(self) -> Object:
        """Whose motion it is."""
        return self.clip.armature

    @property
    def motion(self) -> Motion:
        """The samples."""
        return self.clip.motion


def look_at(context: Context, clip: Clip) -> Steps[Subject]:
    """Yield the share that is done, return the subject; only control rigs take long."""
    positions = yield from sample_in_steps(context, clip)
    return Subject(clip, positions, body_of(clip.armature, clip, positions))


def subject_of(context: Context, armature: Object) -> Steps[Subject]:
    """Read the armature's whole action and look at it."""
    return (yield from look_at(context, scope.read_clip(context, armature)))
