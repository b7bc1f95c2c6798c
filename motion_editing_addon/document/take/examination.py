"""The first look at an action: how fast was it recorded, does it start with a reference pose?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .... import core
from ...border import action_io
from ...border import armature as rig
from ...border.translation import counted_text, report_text
from .. import scope
from ..character import saved_body
from .reference_pose import remember

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Object, Operator

    from ...border.action_io import Clip
    from ..settings import MOTIONEDIT_PG_action

# The reason of rates that come from a file; others are guesses, and are judged anew.
STATED = "Stated by the file"
CONFORMED = "Conformed to this rate"


class Judgement(NamedTuple):
    """What was found: samples a second or None, why, whether the file says otherwise, and reference frames."""

    rate: float | None
    reason: str
    contradicts: bool
    skipped: int

    @property
    def text(self) -> str:
        """In one line."""
        found = [self.reason if self.rate is None else rate_text(self.rate, self.reason)]
        if self.skipped:
            skipped = counted_text(self.skipped, "reference frame")
            found.append(report_text("{skipped} at the start left out", skipped=skipped))
        return "; ".join(found)


def rate_text(rate: float, reason: str) -> str:
    """A rate, and why it is that of the recording."""
    return report_text("{rate} samples a second: {reason}", rate=f"{rate:g}", reason=reason)


def examine_once(context: Context, armature: Object) -> str | None:
    """Look at a baked action that no tool has looked at yet; the text says what was found.

    Hand-keyed actions keep the scene's rate. Rigs whose pose must be sampled are left to
    Guess Source Rate, which shows its progress.
    """
    settings = scope.own_action(armature).motion_editing
    if settings.examined or not scope.is_armature(armature):
        return None
    settings.examined = True
    clip = scope.read_clip(context, armature, choice="ALL")
    if not any(action_io.baked_bones(clip).values()) or rig.why_sampled(armature):
        return None
    found = judge(clip, clip.motion.poses.positions)
    return found.text if found.rate is not None or found.skipped else None


def tell_once(operator: Operator, context: Context, armature: Object) -> None:
    """Report what is unusual about an armature's action, once."""
    found = examine_once(context, armature)
    if found:
        operator.report({"INFO"}, f"'{scope.own_action(armature).name}': {found}")


def judge(clip: Clip, positions: np.ndarray) -> Judgement:
    """Set the action's source rate where the motion tells it, and its reference frames."""
    settings = scope.own_action(clip.armature).motion_editing
    settings.examined = True
    skipped = core.motion.leading_reference_frames(clip.motion, positions=positions)
    remember(clip.armature, skipped)
    body = saved_body.body_of(clip.armature, clip, positions)
    guess = core.analysis.guess_source_rate(positions[skipped:], body, stated=stated_rate(settings))
    if guess.rate is not None:
        settings.source_rate, settings.source_rate_reason = guess.rate, guess.reason
    return Judgement(guess.rate, guess.reason, guess.contradicts, skipped)


def stated_rate(settings: MOTIONEDIT_PG_action) -> float | None:
    """Samples a second that the file of an action says; None if it says nothing."""
    if settings.stated_rate:
        return float(settings.stated_rate)
    # As earlier versions have saved it.
    return settings.source_rate if settings.source_rate_reason == STATED else None
