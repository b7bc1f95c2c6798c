"""A take with what people have chosen in the timeline: windows, painted bones, references."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ...core.timeline import painting_of
from ..document import scope
from ..document.take.clip_take import ClipTake
from .features.painted_bones import painted_mask
from .features.reference import other_reference
from .frames import samples_of
from .music import beats_in_samples
from .settings import has_window
from .windows.memory import before
from .windows.windows import settings_of, windows_of

if TYPE_CHECKING:
    from ...core.motion import Motion
    from ...core.timeline import Painting, Reference, Windows
    from .subject import Subject


class TimelineTake(ClipTake):
    """What tools of the timeline ask of an action; samples are numbers of the clip's frames."""

    @classmethod
    def of(cls, subject: Subject) -> TimelineTake:
        """The take of a motion that was looked at before."""
        take = cls(subject.clip)
        take.positions, take.body = subject.positions, subject.body
        return take

    @property
    def has_windows(self) -> bool:
        """Whether an operation window is set."""
        return has_window(self.clip.armature)

    @cached_property
    def windows(self) -> Windows:
        """The windows that are set."""
        return windows_of(self.clip)

    @cached_property
    def painted(self) -> np.ndarray:
        """(J,) the painted joints."""
        return painted_mask(self.clip.armature, self.motion.skeleton)

    @cached_property
    def painting(self) -> Painting:
        """What they mean."""
        return painting_of(self.body, self.painted)

    @property
    def icon_count(self) -> int:
        """How many poses the strip shows."""
        return int(settings_of(self.clip.armature).icons)

    @cached_property
    def remembered(self) -> Motion:
        """The motion with the operation window as it was when it was set."""
        return before(self.clip)

    def sample_at(self, scene_frame: float) -> float:
        """A scene frame as sample number."""
        return float(samples_of(self.clip, scope.from_scene(self.clip.armature, scene_frame)))

    def samples_at(self, times: Any) -> np.ndarray:
        """Seconds as sample numbers."""
        return samples_of(self.clip, np.asarray(times) * self.motion.rate)

    def beats(self, sound: str) -> np.ndarray:
        """Beats of a sound strip as sample numbers."""
        return beats_in_samples(bpy.context, self.clip, sound)

    def other_reference(self, kind: str, name: str, start: float, end: float) -> Reference:
        """A part of another action or character, between frames of its action."""
        return other_reference(self.clip.armature, kind, name, start, end)
