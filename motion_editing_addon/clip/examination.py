"""The first look at an action: how fast was it recorded, does it start with a reference pose?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import scope

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Object

    from ..action_io import Clip

# The reason of rates that come from a file; others are guesses, and are judged anew.
STATED = "Stated by the file"

# Below this confidence a guess is no better than the scene's own rate.
_LEAST_CONFIDENCE = 0.3


def examine_once(context: Context, armature: Object) -> str | None:
    """Look at a baked action that no tool has looked at yet; the text says what was found.

    Hand-keyed actions keep the scene's rate. Rigs whose pose must be sampled are left to
    Guess Source Rate, which shows its progress.
    """
    from .. import action_io
    from ..armature import why_sampled

    settings = scope.action_of(armature).motion_editing
    if settings.examined or not scope.is_armature(armature):
        return None
    settings.examined = True
    clip = scope.read_clip(context, armature, choice="ALL")
    if not any(action_io.baked_bones(clip).values()) or why_sampled(armature):
        return None
    return judge(context, clip, clip.motion.poses.positions, least_confidence=_LEAST_CONFIDENCE)


def judge(context: Context, clip: Clip, positions: np.ndarray, *, least_confidence: float = 0.0) -> str | None:
    """Set the action's source rate, unless it is known already, and its reference frames."""
    from ...core.reference_frame import leading_reference_frames
    from ...core.source_rate import guess_source_rate
    from ..character.saved import body_of
    from ..reference_pose import remember

    settings = scope.action_of(clip.armature).motion_editing
    settings.examined = True
    skipped = leading_reference_frames(clip.motion, positions=positions)
    remember(settings, skipped)
    body = body_of(clip.armature, clip, positions)
    guess = guess_source_rate(
        positions[skipped:],
        up_axis=body.up.index if body.up else 2,
        height=body.height or 1.0,
        hint=scope.scene_rate(context),
        stated=settings.source_rate if settings.source_rate_reason == STATED else None,
    )
    found = []
    if guess.confidence >= least_confidence:
        settings.source_rate, settings.source_rate_reason = guess.rate, guess.reason
        found.append(f"{guess.rate:g} samples a second: {guess.reason}")
    if skipped:
        found.append(f"{skipped} reference frame{'s' if skipped > 1 else ''} at the start left out")
    return "; ".join(found) or None
