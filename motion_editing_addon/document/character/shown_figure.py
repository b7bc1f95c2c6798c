"""What is seen of a control rig: the plain figure, its motion and its body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .character import Character
from .saved_body import saved_body

if TYPE_CHECKING:
    from ....core.body import Body
    from ....core.motion import Motion
    from ...border.action_io import Clip


@dataclass(frozen=True, eq=False)
class ShownFigure:
    """A figure in motion.

    Attributes:
        character: Whose.
        motion: What it does.
        body: Its parts.
    """

    character: Character
    motion: Motion
    body: Body


def shown_figure(clip: Clip) -> ShownFigure | None:
    """The figure of a control rig in a clip; None for a plain skeleton, and where core cannot tell it."""
    character = Character.of(clip.armature)
    if not character.is_known(clip):
        return None
    return clip.motion.fact(("figure", id(character)), lambda: _found(character, clip))


def _found(character: Character, clip: Clip) -> ShownFigure:
    assert character.rigged is not None
    motion = character.seen(clip.motion)
    found = character.rigged.figure.body(motion)
    saved = saved_body(clip.armature)
    return ShownFigure(character, motion, found if saved is None else _corrected(found, saved[0], character))


def _corrected(found: Body, saved: Body, character: Character) -> Body:
    """A figure's body with the parts that somebody has set up on the rig, as far as they are seen."""
    seen = [character.bone_seen(name) if name else "" for name in saved.skeleton.names]
    number = {joint: found.skeleton.index[name] for joint, name in enumerate(seen) if name or not joint}
    return found.with_parts_of(saved, number)
