"""What Reduce Keys has to know about the figure: its height, its contacts, its extremes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...core.analysis import extract_poses
from ...core.analysis.contacts import ContactSpans
from ...core.errors import MissingRoleError
from ...core.keys import Channel, find_landmarks
from ..border.armature import why_sampled
from ..document.character.saved_body import body_of
from ..document.contacts.saved_contacts import contacts_of

if TYPE_CHECKING:
    from ...core.analysis import PoseCandidates
    from ...core.body import Body
    from ..border.action_io import Clip
    from ..border.action_io.reduction.whole_reduction import Landmarks


@dataclass(frozen=True, eq=False)
class Figure:
    """A clip and whose it is."""

    clip: Clip
    body: Body

    @classmethod
    def of(cls, clip: Clip) -> Figure:
        """The figure that a clip moves."""
        return cls(clip, body_of(clip.armature, clip))

    @property
    def height(self) -> float:
        """Of the standing figure; of its joints where that is not known."""
        extent = np.ptp(self.clip.motion.poses.positions[0], axis=0).max(initial=0.0)
        return float(self.body.height or extent or 1.0)

    @cached_property
    def contacts(self) -> ContactSpans:
        """When feet are planted; none where bones are moved by constraints, or feet are not known."""
        if why_sampled(self.clip.armature) is not None:
            return ContactSpans()
        try:
            return contacts_of(self.clip)
        except MissingRoleError:
            return ContactSpans()

    @cached_property
    def _extremes(self) -> PoseCandidates | None:
        if len(self.clip.frames) < 3 or self.body.root is None:
            return None
        return extract_poses(self.clip.motion, self.body, contacts=self.contacts)

    def landmarks(self, *, contacts: ContactSpans | None, extremes: bool, together: bool) -> Landmarks:
        """Where channels must have keys, given the channels."""
        poses = self._extremes if extremes else None

        def of_channels(channels: list[Channel]) -> np.ndarray:
            return find_landmarks(self.clip.motion, channels, contacts=contacts, extremes=poses, together=together)

        return of_channels
