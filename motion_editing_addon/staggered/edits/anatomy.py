"""Knees and elbows that bend one way, whatever the way between two poses does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.staggered import hinges_of, locked
from ...document.character.saved_body import body_of

if TYPE_CHECKING:
    from ....core.motion import Motion
    from ...border.action_io import Clip
    from ..session import Session


def with_hinges_locked(clip: Clip, saved: Session, motion: Motion) -> Motion:
    """A motion of edited poses whose hinges never bend the other way, unless they did or somebody posed them so."""
    model, source = saved.poses, saved.poses.source
    if model.tracks == (model.fitted.rotations, model.fitted.numbers):
        return motion  # poses that look as they did bend as they did
    hinges = hinges_of(body_of(clip.armature, clip), source)
    if saved.posed is not None:
        hinges = [hinge for hinge in hinges if not saved.posed[hinge.joint]]
    return locked(motion, hinges, source if len(source) == len(motion) else None)
