"""What filters ask about a clip besides its motion; found when first asked for, kept while a tool runs."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....core.analysis import difference_between
from ....core.analysis.contacts import ContactSpans, detect_contacts
from ....core.editing import Take, mirrored_contacts
from ....core.errors import MotionEditError
from ....core.solve.contact_lock import largest_slide
from ...border.action_io import baked_bones
from ...border.action_io.any_frames import read_frames
from ...border.action_io.memory.draft import draft_of
from ...border.armature import why_sampled
from ...border.steps import finish
from .. import scope
from ..character.carriers import carried_motion
from ..character.character import Character
from ..character.joint_positions import if_quick, positions_of, sample_in_steps
from ..character.saved_body import body_of
from ..character.shown_figure import shown_figure
from ..contacts import touches
from ..contacts.foot_slide import slide_of
from ..contacts.saved_contacts import contacts_of, goes_on, listed_contacts
from ..contacts.standing_keys import where_standing
from .shown_take import ShownTake

if TYPE_CHECKING:
    from ....core.analysis import Difference
    from ....core.body import Body
    from ....core.editing import Change
    from ....core.motion import Motion
    from ....core.rig import BodyOrder, LimbSwitch, RiggedFigure
    from ...border.action_io import Clip
    from ...border.action_io.reduction.sparse_keys import Closely
    from ...border.steps import Steps


class ClipTake(Take):
    """A take of an action: body and contacts as saved with it, joints of control rigs where Blender puts them."""

    def __init__(self, clip: Clip, joints: np.ndarray | None = None) -> None:
        """Nothing is looked at yet; all joints (J,) may change if none are named."""
        super().__init__(clip.motion, joints=joints)
        self.clip = clip
        # Constraints move the joints of control rigs: what the channels alone give is not where they are.
        self.is_sampled = why_sampled(clip.armature) is not None
        self._sampled: np.ndarray | None = None

    @cached_property
    def shown(self) -> Take:
        """The plain figure of a control rig, where it is known how controls move it."""
        figure = shown_figure(self.clip)
        return self if figure is None else ShownTake(self.clip, figure, self._picked)

    @property
    def looked_at(self) -> tuple[int, int]:
        """All, unless edits are done again for a picture of a few frames."""
        draft = draft_of(self.clip.armature)
        if draft is None or draft.looked_at is None:
            return super().looked_at
        first, last = np.searchsorted(self.clip.frames, draft.looked_at)
        return (int(first), int(last)) if last - first > 1 else super().looked_at

    @property
    def _picked(self) -> set[str]:
        """The bones that somebody picked; empty where nobody did."""
        names = self.motion.skeleton.names
        return {names[joint] for joint in np.flatnonzero(self.joints)} if self.is_picked else set()

    @cached_property
    def order(self) -> BodyOrder | None:
        """How the controls of a rig come one after another down the body."""
        return Character.of(self.clip.armature).order(self.motion)

    @property
    def planted_controls(self) -> np.ndarray:
        """(J,) controls that place limbs in contact, where that is known."""
        rigged, contacts = self._rigged, self.shown.found_contacts
        if rigged is None or self.order is None:
            return super().planted_controls
        standing = {joint for joint in contacts.joints if contacts.of(joint)}
        return self.order.moving(rigged.planted_joints(self._pose_now, standing))

    def seen(self, motion: Motion) -> Motion:
        """What the figure does with a motion of the channels."""
        return self.shown.character.seen(motion) if isinstance(self.shown, ShownTake) else motion

    def laid(self, motion: Motion, figure: Motion, *, lengths: bool = False) -> Motion:
        """A motion of the channels, on the controls that act, with which the figure does what is wanted."""
        if not isinstance(self.shown, ShownTake):
            return figure
        character = self.shown.character
        lay = character.laid_with_lengths if lengths else character.laid
        return lay(self.clip, motion, figure)

    @cached_property
    def limb_switches(self) -> list[LimbSwitch]:
        """Switches of a control rig between IK and FK."""
        rigged = self._rigged
        return [] if rigged is None else rigged.limb_switches(self._pose_now)

    @cached_property
    def placed_limbs(self) -> frozenset[str]:
        """Roles of limbs that are on IK at the scene's frame."""
        rigged = self._rigged
        return frozenset() if rigged is None else rigged.placed_limbs(self._pose_now)

    @property
    def picked_limbs(self) -> frozenset[str] | None:
        """Roles of limbs with a picked bone; None if nothing is picked."""
        picked, body = scope.picked_bones(self.clip.armature), self.shown.body
        if not picked:
            return None
        shown = {self.bone_seen(name) for name in picked} | picked
        names = body.skeleton.names
        return frozenset(limb.role for limb in body.limbs if any(names[joint] in shown for joint in limb.joints))

    @property
    def _rigged(self) -> RiggedFigure | None:
        return self.shown.character.rigged if isinstance(self.shown, ShownTake) else None

    @property
    def _pose_now(self) -> Motion:
        return self.motion.rows([int(np.argmin(np.abs(self.motion.times - self.time)))])

    @property
    def scalars(self) -> np.ndarray:
        """(N,) scalar channels that belong to the joints that may change."""
        return self.clip.scalars_of(self.joints)

    @property
    def is_picked(self) -> bool:
        """Whether somebody picked bones."""
        return bool(scope.picked_bones(self.clip.armature))

    @property
    def time(self) -> float:
        """The scene's frame, in seconds of the clip."""
        return scope.action_frame(bpy.context, self.clip.armature) / self.motion.rate

    @property
    def is_figure(self) -> bool:
        """Whether joints are where the channels put them."""
        return not self.is_sampled

    @property
    def is_cyclic(self) -> bool:
        """Whether the action says so, and all of it was read."""
        action = scope.action_of(self.clip.armature)
        return bool(action is not None and action.use_cyclic and not any(self.ends_stay))

    @property
    def ends_stay(self) -> tuple[bool, bool]:
        """Whether the action has motion before and after the clip."""
        return goes_on(self.clip)

    @property
    def is_baked(self) -> bool:
        """Whether any bone has a key on every frame."""
        return any(baked_bones(self.clip).values())

    @property
    def frames(self) -> np.ndarray:
        """(F,) frames of the action."""
        return self.clip.frames

    def own_frame(self, scene_frame: float) -> float:
        """A frame of the scene as frame of the action."""
        return scope.from_scene(self.clip.armature, scene_frame)

    @cached_property
    def positions(self) -> np.ndarray | None:
        """(F, J, 3) sampled places of the joints; None where they follow from the motion alone."""
        if not self.is_sampled or self._sampled is not None:
            return self._sampled
        return positions_of(bpy.context, self.clip)

    def sample(self) -> Steps[None]:
        """Sample a control rig in steps, so that `positions` is at hand; yields the share done."""
        if self.is_sampled and not self.is_shown:
            self._sampled = yield from sample_in_steps(bpy.context, self.clip)

    def sample_if_quick(self) -> Steps[None]:
        """The same, given up where it would take long: for numbers that are only nice to know."""
        if self.is_sampled and not self.is_shown:
            self._sampled = yield from if_quick(sample_in_steps(bpy.context, self.clip))

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

    @property
    def touches(self) -> list[touches.Touch]:
        """Hands and feet that touch the second character of an edit that is done again."""
        return touches.touches_of(self.clip, self.body)

    @property
    def is_shown(self) -> bool:
        """Whether controls move a figure, and it is known how."""
        return self.shown is not self

    def bone_seen(self, name: str) -> str:
        """The bone of the figure that a control places; the bone itself where there are no controls."""
        return self.shown.character.bone_seen(name) if isinstance(self.shown, ShownTake) else name

    def bone_moved(self, name: str) -> str:
        """The same, and of a control that begins elsewhere the first bone that goes where it goes."""
        return self.shown.character.bone_moved(name, self.motion) if isinstance(self.shown, ShownTake) else name

    def where_standing(self, motion: Motion, contacts: ContactSpans) -> Closely:
        """Where few keys of a motion follow closely because something stands: limbs in contact, and what carries them.

        Of a control rig these are all controls: which of them hold a foot differs from rig to rig.
        """
        standing = where_standing(motion, self.shown.body, contacts)
        if not self.is_shown:
            return standing
        rows = np.repeat(standing.rows.any(axis=1, keepdims=True), len(self.motion.skeleton), axis=1)
        return replace(standing, rows=rows)

    def standing_after(self, change: Change) -> Closely:
        """The same for an edit of the clip."""
        return self.where_standing(change.whole, self.contacts_after(change, change.whole))

    def contacts_after(self, change: Change, motion: Motion, positions: np.ndarray | None = None) -> ContactSpans:
        """The contacts of an edit of the clip: those of the other side, or found in it if it has its own.

        Args:
            change: The edit.
            motion: Its channels.
            positions: (F, J, 3) sampled places of its joints, for control rigs.
        """
        body = self.shown.body
        if change.partner is not None:
            return mirrored_contacts(self.contacts, body)
        if change.has_new_contacts:
            places = None if self.is_shown else positions
            return listed_contacts(self.clip) or detect_contacts(self.seen(motion), body, positions=places)
        return self.contacts

    def difference_made(self, change: Change) -> Difference:
        """What the keys, as they are now, show differently from the clip as it was read."""
        # At the clip's own frames: few keys would not tell any more that it was sampled between whole frames.
        now = read_frames(self.clip.armature, self.clip.frames, rate=self.clip.motion.rate)
        before, after = self.clip.motion, now.motion
        if self.is_shown or not self.is_sampled:
            return difference_between(self.shown.motion, self.seen(after), slides=self._slides(change, after))
        places = None if self._sampled is None else finish(if_quick(sample_in_steps(bpy.context, now)))
        if self._sampled is None or places is None:
            return replace(difference_between(before, after, placed=False), is_slow=True)
        slides = self._slides(change, after, self._sampled, places)
        return difference_between(before, after, places=(self._sampled, places), slides=slides)

    def _slides(
        self, change: Change, after: Motion, before_at: np.ndarray | None = None, after_at: np.ndarray | None = None
    ) -> tuple[float | None, float | None]:
        """Foot slide before and after; of a control rig with sampled places (F, J, 3)."""
        try:
            before = self.slide_of(self.clip.motion, before_at)
            return before, self.slide_of(after, after_at, self.contacts_after(change, after, after_at))
        except MotionEditError:  # Not a character with feet: there is nothing to tell.
            return None, None

    def slide_of(
        self, motion: Motion, positions: np.ndarray | None = None, contacts: ContactSpans | None = None
    ) -> float | None:
        """Largest slide of what is in contact, in units; None if nothing is.

        Args:
            motion: The clip's, or that of its edit.
            positions: (F, J, 3) sampled places of its joints, for control rigs.
            contacts: If they are others than those of the clip.
        """
        contacts = contacts or self.contacts
        if self.is_shown:
            return largest_slide(self.seen(motion), contacts, body=self.shown.body)
        return slide_of(self.clip.armature, motion, contacts, self.body, positions)

    def shown_slide(self) -> tuple[float | None, bool]:
        """The same of the clip as it is seen; and whether that was left out, since playing a control rig takes long."""
        try:
            if self.is_sampled and self._sampled is None and not self.is_shown:
                self._sampled = finish(if_quick(sample_in_steps(bpy.context, self.clip)))
                if self._sampled is None:
                    return None, True
            return self.slide_of(self.clip.motion, self._sampled), False
        except MotionEditError:  # Not a character with feet: there is nothing to tell.
            return None, False
