"""What an edit changed, in numbers for the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....core.numerics import quaternion
from ....core.wording import angle_text
from ...border.lengths import length_text
from ...border.translation import report_text

if TYPE_CHECKING:
    from ....core.motion import Motion


# Turns below this, in radians, come from single precision.
_ROUNDING = 1e-6


@dataclass(frozen=True)
class Change:
    """What an edit changed.

    Attributes:
        turn: Largest change of a bone's own rotation, in radians.
        turned: The bone.
        move: Largest distance by which a joint was moved in the scene, in units.
        moved: The bone.
        slide_before: Largest slide of a foot in contact before, in units; None if not known.
        slide_after: The same after.
        is_slow: Where the joints are was not looked at, because playing the control rig takes long.
    """

    turn: float
    turned: str
    move: float
    moved: str
    slide_before: float | None = None
    slide_after: float | None = None
    is_slow: bool = False


def change_between(
    before: Motion,
    after: Motion,
    *,
    placed: bool = True,
    places: tuple[np.ndarray, np.ndarray] | None = None,
    slides: tuple[float | None, float | None] = (None, None),
) -> Change:
    """The largest changes from one motion to another with the same frames.

    Args:
        before: The motion as it was.
        after: The motion as it is.
        placed: Joints are where the motion alone puts them; otherwise only their own locations are compared.
        places: (F, J, 3) sampled places of the joints before and after, where the motion alone does not tell.
        slides: Foot slide before and after.
    """
    names = before.skeleton.names
    was, now = places or tuple(motion.poses.tips if placed else motion.locations for motion in (before, after))
    turns = quaternion.angle_between(before.rotations, after.rotations).max(axis=0)
    moves = np.linalg.norm(now - was, axis=-1).max(axis=0)
    turned, moved = int(np.argmax(turns)), int(np.argmax(moves))
    return Change(float(turns[turned]), names[turned], float(moves[moved]), names[moved], *slides)


def changes_text(changes: Sequence[Change]) -> str:
    """The largest changes of all edited armatures: '; largest change 12.3° (Hand), 40 mm (Hips)'."""
    if not changes:
        return ""
    turned = max(changes, key=lambda change: change.turn)
    moved = max(changes, key=lambda change: change.move)
    told = [_of_bone(angle_text(turned.turn), turned.turned)] if turned.turn > _ROUNDING else []
    told.append(_of_bone(length_text(moved.move), moved.moved))
    text = report_text("; largest change {changes}", changes=", ".join(told))
    slides = [
        (each.slide_before, each.slide_after) for each in changes if None not in (each.slide_before, each.slide_after)
    ]
    if slides:
        before, after = (length_text(max(column)) for column in zip(*slides, strict=True))
        text += report_text("; foot slide {before} before, {after} after", before=before, after=after)
    if any(change.is_slow for change in changes):
        text += report_text("; foot slide not measured, because playing this control rig takes long")
    return text


def _of_bone(change: str, bone: str) -> str:
    return f"{change} ({bone or report_text('object')})"
