"""Mirror Motion: left and right exchanged."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bpy.props import EnumProperty
from bpy.types import Operator

from .. import scope
from ..key_options import AUTOMATIC
from .character_edit import CharacterEdit

if TYPE_CHECKING:
    import numpy as np

    from ...core.motion import Motion
    from ..action_io import Clip, WriteReport
    from ..action_io.mirrored_keys import MirroredKeys
    from ..clean_filter.clip_facts import ClipFacts
    from ..operator import Carry
    from ..steps import Steps

_ABOUT = (
    ("HEADING", "Heading", "The character starts at the same place and in the same direction"),
    ("START", "Start", "It starts at the same place; directions are those seen in the rest pose's mirror"),
    ("REST", "Rest Pose", "Places and directions are those seen in the rest pose's mirror"),
)


class MOTIONEDIT_OT_mirror_motion(CharacterEdit, Operator):
    """Exchange left and right, for all bones or for the chosen ones and their partners."""

    bl_idname = "motion_editing.mirror_motion"
    bl_label = "Mirror Motion"
    verb = "Mirrored"
    own = ("about",)

    about: EnumProperty(name="About", description="Where the mirrored character goes", items=_ABOUT, default="HEADING")

    def change(self, facts: ClipFacts, _joints: np.ndarray) -> Motion:
        """The motion seen in a mirror."""
        from ...core.mirroring import MirrorAbout, mirrored

        return mirrored(facts.carried, facts.body, about=MirrorAbout[self.about])

    def plan(self, clip: Clip, joints: np.ndarray) -> Steps[Carry]:
        """Mirror; with automatic keys curves are exchanged as they are, wherever that gives the same."""
        from .. import action_io
        from ..action_io.sparse_following import Closely
        from .edit_facts import MirroredFacts

        facts = MirroredFacts(clip)
        yield from facts.sample()
        both = joints | joints[facts.body.mirror] if scope.picked_bones(clip.armature) else joints
        edited = self.edited(facts, both)
        yield 0.4
        if self.keying != AUTOMATIC:
            planned = yield from action_io.plan_write(clip, edited, self.key_options())
            return self._following(facts, both, self.carrying(facts, planned, edited))
        exchanged, taken = self._exchanged(facts, both, edited)
        rest = _without(clip.motion, edited, taken)
        planned = yield from action_io.plan_write(clip, rest, self.key_options())
        # Held legs are not exchanged: their keys are those of the other side's poses, and may be far from these.
        carry_out = self.carrying(facts, planned, edited, Closely.everywhere(clip, self.key_options()))
        return self._following(facts, both, lambda: _joined(carry_out(), exchanged.carry_out()))

    def _following(self, facts: ClipFacts, joints: np.ndarray, carry_out: Carry) -> Carry:
        """The same writing and measuring; listed contacts of a whole action go over to the other side."""
        from .saved_contacts import list_contacts, listed_contacts, mirrored_contacts

        listed = listed_contacts(facts.clip) if self.range == "ACTION" and joints.all() else None
        measured = self.measured(facts, carry_out)

        def carry_out_with_contacts() -> WriteReport:
            report = measured()
            if listed is not None:
                list_contacts(facts.clip, mirrored_contacts(listed, facts.body))
            return report

        return carry_out_with_contacts

    def _exchanged(self, facts: ClipFacts, joints: np.ndarray, edited: Motion) -> tuple[MirroredKeys, np.ndarray]:
        """Keys to exchange, and of which joints (J,): those that are mirrored and no more."""
        from ...core import quaternion
        from ...core.mirroring import Mirror
        from ..action_io.mirrored_keys import plan_mirrored_keys

        mirror, motion = Mirror.of(facts.body), facts.clip.motion
        turned = quaternion.angle_between(mirror.rotations(motion.rotations), edited.rotations).max(axis=0)
        moved = abs(mirror.locations(motion.locations) - edited.locations).max(axis=(0, 2))
        plain = joints & (turned < 1e-6) & (moved < 1e-6)
        return plan_mirrored_keys(facts.clip, mirror, plain)


def _without(before: Motion, edited: Motion, joints: np.ndarray) -> Motion:
    """The edit with some joints left as they were."""
    from ...core.scope import within_scope

    return within_scope(before, edited, ~joints)


def _joined(written: WriteReport, exchanged: WriteReport) -> WriteReport:
    """What two ways of writing did together."""
    return replace(
        written,
        bones=written.bones + exchanged.bones,
        frames=max(written.frames, exchanged.frames),
        keys_before=written.keys_before + exchanged.keys_before,
        keys_after=written.keys_after + exchanged.keys_after,
    )


classes = (MOTIONEDIT_OT_mirror_motion,)
