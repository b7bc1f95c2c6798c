"""One read of a motion, with what is found in it: looked for when first asked, once."""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..analysis import PoseCandidates, extract_poses
from ..analysis.contacts import ContactSpans, detect_contacts
from ..body import Body, find_body
from ..errors import MissingRoleError
from ..motion import Motion, within_scope
from ..numerics import Array, quaternion
from .change import Change
from .kept_figure import ground_under, kept, kept_anew
from .rounds import edited_in_rounds

if TYPE_CHECKING:
    from ..rig import BodyOrder, LimbSwitch
    from ..solve.whole_body import Ground


class Take:
    """A motion, the joints that may change, and facts about the character.

    Attributes:
        motion: As it was read.
        joints: (J,) true for the joints that may change.
    """

    def __init__(
        self, motion: Motion, *, joints: Any = None, scalars: Any = True, is_picked: bool = False, time: float = 0.0
    ) -> None:
        """Nothing is looked for yet.

        Args:
            joints: (J,) those that may change; all by default.
            scalars: (N,) true for the scalar channels that may change, or one answer for all.
            is_picked: Whether somebody picked these joints; if not they are all, root included.
            time: The moment that people look at, in seconds.
        """
        self.motion, self._scalars, self._is_picked, self._time = motion, scalars, is_picked, time
        self.joints: NDArray[np.bool_] = (
            np.ones(len(motion.skeleton), dtype=np.bool_) if joints is None else np.asarray(joints)
        )

    @property
    def scalars(self) -> Any:
        """(N,) scalar channels that may change, or one answer for all."""
        return self._scalars

    @property
    def is_picked(self) -> bool:
        """Whether somebody picked the joints that may change."""
        return self._is_picked

    @property
    def time(self) -> float:
        """The moment that people look at, in seconds."""
        return self._time

    @property
    def seam(self) -> float | None:
        """Of a loop, the seconds from its last frame to the first of the next round; None if it is none."""
        return None

    @property
    def is_baked(self) -> bool:
        """Whether any bone has a key on every frame."""
        return True

    @property
    def frames(self) -> Array:
        """(F,) the frames that people count."""
        return self.motion.times * self.motion.rate

    def own_frame(self, scene_frame: float) -> float:
        """The same count for a frame of the scene."""
        return scene_frame

    @cached_property
    def positions(self) -> Array | None:
        """(F, J, 3) where joints are, if the motion alone does not tell."""
        return None

    @cached_property
    def body(self) -> Body:
        """The character's parts."""
        return find_body(self.motion.skeleton, motion=self.motion, positions=self.positions)

    @cached_property
    def carried(self) -> Motion:
        """The motion, which knows what carries the character over the ground."""
        return self.motion

    @cached_property
    def contacts(self) -> ContactSpans:
        """When feet and hands stand."""
        return detect_contacts(self.motion, self.body, positions=self.positions)

    @cached_property
    def extremes(self) -> PoseCandidates:
        """Where joints turn round; a figure without feet has extremes too."""
        return extract_poses(self.motion, self.body, contacts=self.found_contacts, positions=self.positions)

    @property
    def posed_joints(self) -> NDArray[np.bool_]:
        """(J,) the joints that may change; if nobody picked them without object and root, whose travel is no pose."""
        if self.is_picked:
            return self.joints
        posed, root = self.joints.copy(), self.body.root
        posed[[0] if root is None else [0, root]] = False
        return posed

    @cached_property
    def shown(self) -> "Take":
        """The plain figure that is seen, where controls move it; a skeleton without controls is its own."""
        return self

    @property
    def order(self) -> "BodyOrder | None":
        """How the controls of a rig come one after another down the body; None where bones do by themselves."""
        return None

    @property
    def planted_controls(self) -> Array:
        """(J,) controls that place limbs in contact: what they do happens when the contact says."""
        return np.zeros(len(self.motion.skeleton), dtype=np.bool_)

    def seen(self, motion: Motion) -> Motion:
        """What the figure does with a motion of the channels."""
        return motion

    def laid(self, motion: Motion, figure: Motion, *, lengths: bool = False) -> Motion:
        """A motion of the channels with which the figure does what is wanted.

        Args:
            motion: As it is; what does not move the figure stays.
            figure: What the figure is to do.
            lengths: Scale controls of limbs where bones of the figure are stretched.
        """
        return figure

    @property
    def limb_switches(self) -> "list[LimbSwitch]":
        """Switches of a control rig between IK and FK."""
        return []

    @property
    def placed_limbs(self) -> frozenset[str]:
        """Roles of limbs that are on IK at the moment that people look at."""
        return frozenset()

    @property
    def picked_limbs(self) -> frozenset[str] | None:
        """Roles of limbs with a joint that somebody picked; None if nothing is picked."""
        return None

    def reference_pose(self, choice: str) -> Motion | None:
        """The pose that turns are measured from, as a motion of one frame; None for the mean of all."""
        if choice == "FRAME":
            return self.motion.at(self.time)
        if choice == "REST":
            first = self.motion.part(0, 1)
            return first.with_rotations(np.broadcast_to(quaternion.IDENTITY, first.rotations.shape))
        return None

    def changed(self, after: Motion, *, keep_contacts: bool = False, keep_floor: bool = False) -> Change:
        """A change kept to the joints of the take.

        Args:
            after: The change.
            keep_contacts: Hold feet and hands in contact where they were.
            keep_floor: Let nothing end lower than it was or than the floor, and no knee or elbow bend the other way.
        """
        after = within_scope(self.motion, after, self.joints, scalars=self.scalars)
        if after is self.motion or not (keep_contacts or keep_floor):
            return Change(after)
        held = self.shown.found_contacts.with_more(self.shown.touches) if keep_contacts else ContactSpans()
        held = held if self.shown.carries(held.joints) else ContactSpans()
        above = keep_floor and self.shown.is_figure
        after = kept(self, after, held, floor=above)
        return Change(after, holds_contacts=any(map(held.of, held.joints)), stays_above=above)

    @property
    def is_figure(self) -> bool:
        """Whether joints are where the motion puts them: those of control rigs are not."""
        return True

    @property
    def is_cyclic(self) -> bool:
        """Whether it is said to play round and round."""
        return False

    def filtered(self, edit: Callable[[Motion], Motion], seconds: float) -> Motion:
        """An edit of the motion by what is near in time; of a loop that goes on at the other end.

        Args:
            edit: Gives another motion with the same frames.
            seconds: How far away what is near may be.
        """
        if not self.is_cyclic:
            return edit(self.motion)
        return edited_in_rounds(self.motion, self.body, edit, seconds, with_travel=self.shown is self)

    @property
    def ends_stay(self) -> tuple[bool, bool]:
        """Whether there is motion before its first and after its last frame, so that these must not change."""
        return False, False

    @property
    def looked_at(self) -> tuple[int, int]:
        """The first frame that somebody looks at, and the one after the last: elsewhere contacts need not be kept."""
        return 0, len(self.motion)

    def ground(self, frames: int) -> "Ground | None":
        """The ground under the take, for so many frames of an edit; None for what stands on nothing."""
        return ground_under(self.motion, self.body, frames) if self.body.legs else None

    def carries(self, names: Iterable[str]) -> bool:
        """Whether joints that may change carry one of some joints, or are it."""
        skeleton = self.motion.skeleton
        ends = [skeleton.index[name] for name in names if name in skeleton.index]
        carriers = {joint for end in ends for joint in (end, *skeleton.descendants(end), *skeleton.ancestors(end))}
        return bool(self.joints[sorted(carriers)].any())

    @property
    def touches(self) -> list[tuple[str, float, float]]:
        """Hands and feet that touch another character that they are to stay with, each from when to when."""
        return []

    @property
    def found_contacts(self) -> ContactSpans:
        """Contacts; none of a figure without feet."""
        try:
            return self.contacts
        except MissingRoleError:
            return ContactSpans()

    def restaged(
        self,
        after: Motion,
        *,
        keep_contacts: bool = False,
        keep_floor: bool = False,
        first: int = 0,
        last: int | None = None,
    ) -> Change:
        """A change with contacts of its own, kept to the joints of the take.

        Args:
            after: The change; the take's own motion if there is none. It may have other frames.
            keep_contacts: Let feet and hands stand still where the change puts them.
            keep_floor: Let nothing end lower than it was or than the floor, and no knee or elbow bend the other way.
            first: First frame in which they do.
            last: Last frame; that of the motion if not given.
        """
        if after is self.motion:
            return Change(after)
        if len(after) == len(self.motion):
            after = within_scope(self.motion, after, self.joints, scalars=self.scalars)
        if not (keep_contacts or keep_floor):
            return Change(after, has_new_contacts=True)
        span = first, len(after) - 1 if last is None else last
        body = self.shown.body
        stands = keep_contacts and self.shown.carries([body.skeleton.names[foot] for foot in body.feet])
        above = keep_floor and self.shown.is_figure
        after = kept_anew(self, after, span, contacts=stands, floor=above)
        return Change(after, holds_contacts=stands, stays_above=above, has_new_contacts=True)
