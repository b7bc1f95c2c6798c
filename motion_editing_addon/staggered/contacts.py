"""Feet stay where they touched the ground before the poses were edited.

Contacts are solved last, and anew after every edit, from the motion that the poses were fitted to: what
earlier edits needed for them is no part of the poses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.analysis.contacts import ContactSpans, detect_contacts
from ...core.errors import MissingRoleError
from ...core.solve.contact_lock import HoldReport, hold_contacts
from ...core.solve.whole_body import Ground
from ...core.staggered import StaggeredMotion, evaluate, jumps, pose_map, within_steps
from ..document.character.saved_body import body_of
from ..document.character.shown_figure import shown_figure
from ..document.contacts.saved_contacts import listed_contacts
from ..document.take.clip_take import ClipTake
from .edits import anatomy

if TYPE_CHECKING:
    from ...core.body import Body
    from ...core.motion import Mask, Motion
    from ...core.numerics import Array
    from ..border.action_io import Clip
    from ..border.action_io.reduction.sparse_keys import Closely
    from ..document.character.character import Character
    from .session import Session


# How often an edit is made smaller before it is taken back where feet cannot be held smoothly.
_ROUNDS = 3


@dataclass(frozen=True)
class Standing:
    """Where feet and hands stood before the poses were edited.

    Attributes:
        clip: Of the armature.
        motion: In which they did; of a control rig that of the figure.
        body: The character's parts.
        contacts: When, in times of that motion.
        model: The poses that the motion was made with.
        character: Whose controls move the figure; None for a plain skeleton.
    """

    clip: Clip
    motion: Motion
    body: Body
    contacts: ContactSpans
    model: StaggeredMotion
    character: Character | None = None

    def held(self, model: StaggeredMotion, after: Motion, *, fixed: Mask | None = None) -> tuple[Motion, HoldReport]:
        """A motion of the edited poses with feet and hands where they stood, and nothing below the floor.

        Args:
            model: The edited poses.
            after: What they show.
            fixed: (F,) frames that stay as they are but for contacts; those that the edit has left if not given.
        """
        seen = after if self.character is None else self.character.seen(after)
        stands = bool(self.contacts.joints) and self._carriers_changed(seen)
        try:
            held, report = hold_contacts(
                self.motion,
                seen,
                self.body,
                self.contacts if stands else ContactSpans(),
                time_map=pose_map(self.model, model),
                above_floor=True,
                fixed=self._unchanged(seen) if fixed is None else fixed,
            )
        except MissingRoleError:  # nobody has said where up is, or which bone carries the figure
            return after, HoldReport()
        if self.character is None:
            return held, report
        return (after if held is seen else self.character.laid(self.clip, after, held)), report

    def where_standing(self, model: StaggeredMotion, held: Motion) -> Closely:
        """Where few keys follow closely because something stands; on a control rig these are keys of all controls."""
        return ClipTake(self.clip).where_standing(held, self.contacts_after(model))

    def ground(self, model: StaggeredMotion, times: Array) -> Ground | None:
        """What nothing of the edited poses goes below at some times; None for what stands on nothing."""
        if not self.body.legs:
            return None
        along = pose_map(self.model, model)
        return Ground.under(self.motion.at(times if along is None else along(times)).poses, self.body)

    def _unchanged(self, after: Motion) -> Mask | None:
        """(F,) frames that the edit has left as they were; None where frames are others."""
        if len(self.motion) != len(after):
            return None
        parts = ((getattr(self.motion, name), getattr(after, name)) for name in ("rotations", "locations", "scales"))
        same: Mask = np.logical_and.reduce([(one == other).all(axis=(1, 2)) for one, other in parts])
        return same

    def contacts_after(self, model: StaggeredMotion) -> ContactSpans:
        """The contacts when the edited poses have them."""
        along = pose_map(self.model, model)
        return self.contacts if along is None else self.contacts.retimed(along)

    def _carriers_changed(self, after: Motion) -> bool:
        """Whether anything that carries a contact is another; an arm that swings otherwise moves no foot."""
        if len(self.motion) != len(after):
            return True
        skeleton = after.skeleton
        ends = [skeleton.index[name] for name in self.contacts.joints]
        carriers = sorted({*ends, *(up for end in ends for up in skeleton.ancestors(end))})
        return any(
            (getattr(self.motion, name)[:, carriers] != getattr(after, name)[:, carriers]).any()
            for name in ("rotations", "locations", "scales")
        )


def shown(clip: Clip, saved: Session) -> tuple[Motion, HoldReport | None]:
    """What poses show, with feet where they stood if an edit has asked for that; no report if that was given up."""
    motion = anatomy.with_hinges_locked(clip, saved, evaluate(saved.poses))
    if saved.poses.shows_source:
        return motion, HoldReport()
    place = kept_by(clip, saved)
    held, report = place.held(saved.poses, motion)
    if saved.keeps_contacts and held is not motion and _jumps_more(saved.poses, held, motion, place.body.height):
        return motion, None  # a foot that slides is better than one that jumps
    return held, report


def _jumps_more(model: StaggeredMotion, held: Motion, motion: Motion, size: float | None) -> bool:
    """Whether holding contacts makes something jump that does not without it."""
    found = jumps(model, held, size=size)
    return bool(len(found)) and not np.isin(found, jumps(model, motion, size=size)).all()


def safely_held(clip: Clip, saved: Session) -> Session:
    """The poses with as much of their timing changed as lets feet be held without a jump."""
    place = standing(clip, saved)

    def show(model: StaggeredMotion) -> Motion:
        return place.held(model, anatomy.with_hinges_locked(clip, saved, evaluate(model)))[0]

    model = within_steps(saved.poses, size=place.body.height, show=show, rounds=_ROUNDS)
    return saved if model is saved.poses else saved.edited(model, keeps_contacts=True)


def kept_by(clip: Clip, saved: Session) -> Standing:
    """The same, without contacts that no edit has asked to be kept: the floor always is."""
    place = standing(clip, saved)
    return place if saved.keeps_contacts else replace(place, contacts=ContactSpans())


def standing(clip: Clip, saved: Session) -> Standing:
    """Where feet stood with the poses as they were fitted, and as poses were placed freely since."""
    model = saved.standing or StaggeredMotion.of(saved.poses.fitted)
    motion, figure = evaluate(model), shown_figure(clip)
    if figure is None:
        body = body_of(clip.armature, clip)
        return Standing(clip, motion, body, _contacts(clip, saved.poses, motion, body), model)
    seen = figure.character.seen(motion)
    contacts = _contacts(clip, saved.poses, seen, figure.body)
    return Standing(clip, seen, figure.body, contacts, model, figure.character)


def _contacts(clip: Clip, model: StaggeredMotion, motion: Motion, body: Body) -> ContactSpans:
    """The contacts of the action before poses were retimed; if none are listed, those found in the motion of then."""
    listed = listed_contacts(clip)
    if listed is None:
        try:
            return detect_contacts(motion, body)
        except MissingRoleError:  # a figure without feet stands on nothing
            return ContactSpans()
    back = pose_map(model, StaggeredMotion.of(model.fitted))
    return listed if back is None else listed.retimed(back)
