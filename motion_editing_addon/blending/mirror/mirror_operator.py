"""Mirror Motion: left and right exchanged."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bpy.props import EnumProperty
from bpy.types import Operator

from ...border.key_options import AUTOMATIC
from ...document import scope
from ..character_edit import CharacterEdit

if TYPE_CHECKING:
    import numpy as np

    from ....core.motion import Motion
    from ...border.action_io import Clip, Plan, Property, WriteReport
    from ...border.action_io.mirrored_keys import MirroredKeys
    from ...border.action_io.reduction.sparse_keys import Closely
    from ...border.steps import Steps
    from ...document.take.clip_facts import ClipFacts
    from ...interface.operators.operator import Carry

_ABOUT = (
    ("HEADING", "Heading", "Start at the same location with the same heading"),
    ("START", "Start", "Start at the same location; directions mirror about the rest pose"),
    ("REST", "Rest Pose", "Mirror locations and directions about the rest pose"),
)


class MOTIONEDIT_OT_mirror_motion(CharacterEdit, Operator):
    """Swap left and right, for all bones or the selected ones"""

    bl_idname = "motion_editing.mirror_motion"
    bl_label = "Mirror Motion"
    verb = "Mirrored"
    own = ("about",)

    about: EnumProperty(
        name="About", description="Location and heading of the mirrored character", items=_ABOUT, default="HEADING"
    )

    def examine(self, facts: ClipFacts) -> None:
        """The mirrored figure is carried to its place as one."""
        from ...document.character.carried_figure import refuse_left_behind

        if self.about != "REST":
            refuse_left_behind(facts.clip, facts.carried, facts.body)

    def change(self, facts: ClipFacts, _joints: np.ndarray) -> Motion:
        """The motion seen in a mirror."""
        from ....core.editing import MirrorAbout, mirrored

        motion = facts.clip.motion if self.about == "REST" else facts.carried
        return mirrored(motion, facts.body, about=MirrorAbout[self.about])

    def plan(self, clip: Clip, joints: np.ndarray) -> Steps[Carry]:
        """Mirror; with automatic keys curves are exchanged as they are, wherever that gives the same."""
        from ...border import action_io
        from ...border.action_io.reduction.sparse_keys import Closely
        from ..edit_facts import MirroredFacts
        from .mirror_partners import with_partners

        clip = with_partners(clip)
        facts = MirroredFacts(clip)
        yield from facts.sample()
        self.examine(facts)
        both = joints | joints[facts.body.mirror] if scope.picked_bones(clip.armature) else joints
        edited = self.edited(facts, both)
        yield 0.4
        if self.keying != AUTOMATIC:
            planned = yield from action_io.plan_write(clip, edited, self.key_options())
            return self._following(facts, both, self.carrying(facts, planned, edited))
        exchanged, rest = self._exchanged(facts, both, edited)
        planned = yield from action_io.plan_write(clip, rest, self.key_options())
        # Held legs are not exchanged: their keys are those of the other side's poses, and may be far from these.
        carry_out = self.carrying(facts, planned, edited, Closely.everywhere(clip, self.key_options()))
        carry_both = partial(_carry_both, carry_out, exchanged)
        if self.range == "ACTION" and not scope.picked_bones(clip.armature):
            carry_both = partial(self._coming_back, exchanged, [job.prop for job in planned.jobs], carry_both)
        return self._following(facts, both, carry_both)

    def carrying(self, facts: ClipFacts, planned: Plan, edited: Motion, *closely: Closely) -> Carry:
        """Writing what is planned; what several controls carry side by side does not come apart between few keys."""
        from ...border.action_io.reduction.sparse_keys import carry_following

        together = edited.carriers is not None and len(edited.carriers.moved) > 1 and self.about != "REST"
        if together and closely and not self.keep_contacts:
            return partial(carry_following, planned, (), *closely)
        return super().carrying(facts, planned, edited, *closely)

    def _coming_back(self, exchanged: MirroredKeys, planned: list[Property], carry_out: Carry) -> WriteReport:
        """Write, and let a motion that was mirrored in the same way before be what it was, bit for bit."""
        from .mirror_memory import bring_back, keep, kept_keys, recall

        armature, choices = exchanged.clip.armature, f"{self.about} {self.keep_contacts}"
        inexact = [prop for prop, _index in exchanged.keys if prop not in exchanged.exact]
        before, known = kept_keys(exchanged.clip, [*planned, *inexact], choices), recall(armature, choices)
        report = carry_out()
        if known is not None:
            bring_back(armature, known)
        keep(armature, before)
        return report

    def _following(self, facts: ClipFacts, joints: np.ndarray, carry_out: Carry) -> Carry:
        """The same writing and measuring; what goes with the motion goes over to the other side."""
        from ...document.motion_changes import change_of, tell

        measured = self.measured(facts, carry_out)

        def carry_out_and_tell() -> WriteReport:
            report = measured()
            tell(change_of(facts.clip, joints, partner=facts.body.mirror))
            return report

        return carry_out_and_tell

    def _exchanged(self, facts: ClipFacts, joints: np.ndarray, edited: Motion) -> tuple[MirroredKeys, Motion]:
        """Keys to exchange, those of joints that are mirrored and no more; and the edit without them."""
        from ....core.editing import Mirror
        from ....core.motion import within_scope
        from ....core.numerics import quaternion
        from ...border.action_io.mirrored_keys import plan_mirrored_keys

        mirror, clip, motion = Mirror.of(facts.body), facts.clip, facts.clip.motion
        turned = quaternion.angle_between(mirror.rotations(motion.rotations), edited.rotations).max(axis=0)
        moved = abs(mirror.locations(motion.locations) - edited.locations).max(axis=(0, 2))
        plain = joints & (turned < 1e-6) & (moved < 1e-6)
        keys, taken, numbers = plan_mirrored_keys(clip, mirror, plain, clip.scalars_of(joints))
        return keys, within_scope(motion, edited, ~taken, scalars=~numbers)


def _carry_both(carry_out: Carry, keys: MirroredKeys) -> WriteReport:
    """Write in two ways; gives what they did together."""
    written, exchanged = carry_out(), keys.carry_out()
    return replace(
        written,
        bones=written.bones + exchanged.bones,
        frames=max(written.frames, exchanged.frames),
        keys_before=written.keys_before + exchanged.keys_before,
        keys_after=written.keys_after + exchanged.keys_after,
    )


classes = (MOTIONEDIT_OT_mirror_motion,)
