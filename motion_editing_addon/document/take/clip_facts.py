"""What filters ask about a clip besides its motion; found when first asked for, kept while a tool runs."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....core.analysis import extract_poses
from ....core.analysis.contacts import ContactSpans
from ....core.errors import MissingRoleError, MotionEditError
from ....core.numerics import quaternion
from ...border.action_io.any_frames import read_frames
from ...border.armature import why_sampled
from ...border.steps import finish
from .. import scope
from ..character.carriers import carried_motion
from ..character.joint_positions import positions_of, sample_in_steps
from ..character.saved_body import body_of
from ..contacts.foot_slide import slide_of
from ..contacts.saved_contacts import contacts_of
from .change import Change, change_between

if TYPE_CHECKING:
    from ....core.analysis import PoseCandidates
    from ....core.body import Body
    from ....core.motion import Motion
    from ...border.action_io import Clip
    from ...border.steps import Steps

# Seconds that sampling a control rig may take where only numbers of the report need it, and after which the
# speed is known: the first frames may take long because Blender has to build the scene anew.
_PATIENCE, _LEAST_LOOK = 2.0, 0.5


class ClipFacts:
    """Body, contacts and extremes of one clip."""

    def __init__(self, clip: Clip) -> None:
        """Nothing is looked at yet."""
        self.clip = clip
        # Constraints move the joints of control rigs: what the channels alone give is not where they are.
        self.is_sampled = why_sampled(clip.armature) is not None
        self._sampled: np.ndarray | None = None

    @cached_property
    def positions(self) -> np.ndarray | None:
        """(F, J, 3) sampled places of the joints; None where they follow from the motion alone."""
        if not self.is_sampled or self._sampled is not None:
            return self._sampled
        return positions_of(bpy.context, self.clip)

    def sample(self) -> Steps[None]:
        """Sample a control rig in steps, so that `positions` is at hand; yields the share done."""
        if self.is_sampled:
            self._sampled = yield from sample_in_steps(bpy.context, self.clip)

    def sample_if_quick(self) -> Steps[None]:
        """The same, given up where it would take long: for numbers that are only nice to know."""
        if self.is_sampled:
            self._sampled = yield from _if_quick(sample_in_steps(bpy.context, self.clip))

    @cached_property
    def body(self) -> Body:
        """The character's parts."""
        return body_of(self.clip.armature, self.clip, self.positions)

    @cached_property
    def carried(self) -> Motion:
        """The clip's motion, which knows what carries the character over the ground."""
        return carried_motion(self.clip, self.body)

    @cached_property
    def contacts(self) -> ContactSpans:
        """The contacts saved with the action, or those found in the motion."""
        return contacts_of(self.clip, self.positions)

    def contacts_of_edit(self, _motion: Motion, _positions: np.ndarray | None = None) -> ContactSpans:
        """The contacts of an edit of the clip, with sampled places of its joints (F, J, 3): the same."""
        return self.contacts

    @cached_property
    def extremes(self) -> PoseCandidates:
        """Where joints turn round; a figure without feet has extremes too."""
        try:
            contacts = self.contacts
        except MissingRoleError:
            contacts = ContactSpans()
        return extract_poses(self.clip.motion, self.body, contacts=contacts, positions=self.positions)

    def without_root(self, joints: np.ndarray) -> np.ndarray:
        """(J,) the chosen joints; without picked bones all but object and root, whose travel is no pose."""
        if scope.picked_bones(self.clip.armature):
            return joints
        posed, root = joints.copy(), self.body.root
        posed[[0] if root is None else [0, root]] = False
        return posed

    def reference_pose(self, choice: str) -> Motion | None:
        """The pose that turns are measured from, as a motion of one frame; None for the mean of all."""
        motion = self.clip.motion
        if choice == "FRAME":
            return motion.at(scope.action_frame(bpy.context, self.clip.armature) / motion.rate)
        if choice == "REST":
            first = motion.part(0, 1)
            return first.with_rotations(np.broadcast_to(quaternion.IDENTITY, first.rotations.shape))
        return None

    def change_made(self) -> Change:
        """What the keys, as they are now, show differently from the clip as it was read."""
        # At the clip's own frames: few keys would not tell any more that it was sampled between whole frames.
        now = read_frames(self.clip.armature, self.clip.frames, rate=self.clip.motion.rate)
        before, after = self.clip.motion, now.motion
        if not self.is_sampled:
            return change_between(before, after, slides=self._slides(after))
        places = None if self._sampled is None else finish(_if_quick(sample_in_steps(bpy.context, now)))
        if places is None:
            return replace(change_between(before, after, placed=False), is_slow=True)
        slides = self._slides(after, self._sampled, places)
        return change_between(before, after, places=(self._sampled, places), slides=slides)

    def _slides(self, after: Motion, *places: np.ndarray) -> tuple[float | None, float | None]:
        """Foot slide before and after."""
        try:
            return self.slide_of(self.clip.motion, *places[:1]), self.slide_of(after, *places[1:])
        except MotionEditError:  # Not a character with feet: there is nothing to tell.
            return None, None

    def slide_of(self, motion: Motion, positions: np.ndarray | None = None) -> float | None:
        """Largest slide of what is in contact, in units; None if nothing is.

        Args:
            motion: The clip's, or that of its edit.
            positions: (F, J, 3) sampled places of its joints, for control rigs.
        """
        contacts = self.contacts if motion is self.clip.motion else self.contacts_of_edit(motion, positions)
        return slide_of(self.clip.armature, motion, contacts, self.body, positions)

    def shown_slide(self) -> tuple[float | None, bool]:
        """The same of the clip as it is seen; and whether that was left out, since playing a control rig takes long."""
        try:
            if self.is_sampled and self._sampled is None:
                self._sampled = finish(_if_quick(sample_in_steps(bpy.context, self.clip)))
            if self.is_sampled and self._sampled is None:
                return None, True
            return self.slide_of(self.clip.motion, self._sampled), False
        except MotionEditError:  # Not a character with feet: there is nothing to tell.
            return None, False


def _if_quick(sampling: Steps[np.ndarray]) -> Steps[np.ndarray | None]:
    """Go on for as long as it looks as if sampling was done soon; otherwise leave it, without a result."""
    started = monotonic()
    while True:
        try:
            share = next(sampling)
        except StopIteration as end:
            return end.value
        spent = monotonic() - started
        if spent > _LEAST_LOOK and spent > _PATIENCE * share:
            sampling.close()
            return None
        yield share
