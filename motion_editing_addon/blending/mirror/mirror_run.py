"""How a motion is mirrored: curves are exchanged as they are wherever that gives the same."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ....core.editing import Mirror
from ....core.motion import within_scope
from ....core.numerics import quaternion
from ...border.action_io import plan_write
from ...border.action_io.mirrored_keys import plan_mirrored_keys
from ...border.action_io.reduction.sparse_keys import Closely, carry_following
from ...border.key_options import AUTOMATIC
from ...document.take.clip_take import ClipTake
from ...document.take.tool_run import measured, told
from ...interface.operators.take_run import TakeRun
from .mirror_memory import bring_back, keep, kept_keys, recall
from .mirror_partners import with_partners

if TYPE_CHECKING:
    import numpy as np

    from ....core.editing import Change
    from ....core.motion import Motion
    from ...border.action_io import Clip, Plan, Property, WriteReport
    from ...border.action_io.mirrored_keys import MirroredKeys
    from ...border.steps import Steps
    from ...document.take.tool_run import Carry


class MirrorRun(TakeRun):
    """One call of Mirror Motion."""

    def take_of(self, clip: Clip, joints: np.ndarray) -> ClipTake:
        """What was read, with numbers that only the other side has."""
        return ClipTake(with_partners(clip), joints)

    def examine(self, take: ClipTake) -> None:
        """What is picked is mirrored with its other side."""
        super().examine(take)
        if take.is_picked:
            take.joints = take.joints | take.joints[take.body.mirror]

    def present_tool(self, take: ClipTake) -> Any:
        """The tool; on the way back it holds nothing if it did not do so on the way there."""
        tool = super().present_tool(take)
        was_plain = self._comes_back(take) and recall(take.clip.armature, self._choices(is_held=False)) is not None
        return replace(tool, keep_contacts=False, keep_floor=False) if was_plain else tool

    def without_new_channels(self, take: ClipTake, tool: Any, change: Change) -> Change:
        """On the way back it holds what it held on the way there, whatever keys that needs."""
        if self._comes_back(take) and recall(take.clip.armature, self._choices(is_held=True)) is not None:
            return change
        return super().without_new_channels(take, tool, change)

    def _comes_back(self, take: ClipTake) -> bool:
        """Whether the motion can be had back bit for bit by mirroring it again."""
        operator = self.operator
        return operator.keying == AUTOMATIC and operator.range == "ACTION" and not take.is_picked

    def _choices(self, *, is_held: bool) -> str:
        """What mirroring must be told to come back."""
        return f"{self.operator.about} {self.operator.keep_contacts}{'' if is_held else ' plain'}"

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Mirror; with automatic keys curves are exchanged as they are, wherever that gives the same."""
        operator = self.operator
        if operator.keying != AUTOMATIC:
            return (yield from super().plan(take))
        clip, options = take.clip, operator.key_options()
        yield from take.sample()
        self.examine(take)
        change = self.change(take)
        yield 0.4
        exchanged, rest = _exchanged(take, change.whole)
        planned = yield from plan_write(clip, rest, options)
        # Held legs are not exchanged: their keys are those of the other side's poses, and may be far from these.
        carry_out = self.writing(take, planned, change, Closely.everywhere(clip, options))
        carry_both = partial(_carry_both, carry_out, exchanged)
        if self._comes_back(take):
            is_held = change.holds_contacts or change.stays_above
            choices, properties = self._choices(is_held=is_held), [job.prop for job in planned.jobs]
            if is_held and take.is_shown:
                # On the way back other controls may be moved to hold the figure: all come back.
                properties += [prop for prop, _index in clip.channels.curves]
            carry_both = partial(_coming_back, exchanged, properties, carry_both, choices)
        return told(take, change, measured(take, change, carry_both, self.differences))

    def writing(self, take: ClipTake, planned: Plan, change: Change, *closely: Closely) -> Carry:
        """Writing what is planned; what several controls carry side by side does not come apart between few keys."""
        carriers = change.whole.carriers
        together = carriers is not None and len(carriers.moved) > 1 and self.operator.about != "REST"
        if together and closely and not change.holds_contacts:
            return partial(carry_following, planned, (), *closely)
        return super().writing(take, planned, change, *closely)


def _coming_back(exchanged: MirroredKeys, planned: list[Property], carry_out: Carry, choices: str) -> WriteReport:
    """Write, and let a motion that was mirrored in the same way before be what it was, bit for bit."""
    armature = exchanged.clip.armature
    inexact = [prop for prop, _index in exchanged.keys if prop not in exchanged.exact]
    before, known = kept_keys(exchanged.clip, [*planned, *inexact], choices), recall(armature, choices)
    report = carry_out()
    if known is not None:
        bring_back(armature, known)
    keep(armature, before)
    return report


def _exchanged(take: ClipTake, edited: Motion) -> tuple[MirroredKeys, Motion]:
    """Keys to exchange, those of joints that are mirrored and no more; and the edit without them."""
    mirror, motion = Mirror.of(take.body), take.motion
    turned = quaternion.angle_between(mirror.rotations(motion.rotations), edited.rotations).max(axis=0)
    moved = abs(mirror.locations(motion.locations) - edited.locations).max(axis=(0, 2))
    plain = take.joints & (turned < 1e-6) & (moved < 1e-6)
    keys, taken, numbers = plan_mirrored_keys(take.clip, mirror, plain, take.scalars)
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
