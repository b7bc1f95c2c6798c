"""What one edit did to a clip, in numbers: for the stack, and for steps of recipes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.analysis import difference_between
from ....core.analysis.contacts import detect_contacts
from ....core.errors import MotionEditError
from ....core.wording import angle_text
from ...border.armature import why_sampled
from ...border.lengths import length_text
from ...border.translation import counted_text, report_text
from ..contacts.foot_slide import slide_of
from .clip_take import ClipTake

if TYPE_CHECKING:
    from ...border.action_io import Clip

# Turns in radians, and moves in units, below this come from single precision.
_ROUNDING = 1e-6


@dataclass(frozen=True)
class StepResult:
    """Numbers before and after an edit.

    Attributes:
        keys: Of all curves.
        frames: Of the motion.
        turn: Largest turn of a bone in radians, and its name; None where the timing is another.
        move: Largest distance that a bone was moved in units, and its name.
        slides: How far a foot in contact slides, in units; None if not known.
    """

    keys: tuple[int, int]
    frames: tuple[int, int]
    turn: tuple[float, str] | None
    move: tuple[float, str] | None
    slides: tuple[float | None, float | None]

    @property
    def numbers(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)

    @property
    def text(self) -> str:
        """In one line for people."""
        parts = [_change(*self.keys, "key"), *self._timing(), *self._changes()]
        if None not in self.slides:
            before, after = (length_text(each or 0.0) for each in self.slides)
            parts.append(report_text("feet slide {before} before, {after} after", before=before, after=after))
        return "; ".join(parts)

    def _timing(self) -> list[str]:
        return [_change(*self.frames, "frame")] if self.frames[0] != self.frames[1] else []

    def _changes(self) -> list[str]:
        turned = [_of_bone(angle_text(self.turn[0]), self.turn[1])] if self.turn and self.turn[0] > _ROUNDING else []
        moved = [_of_bone(length_text(self.move[0]), self.move[1])] if self.move and self.move[0] > _ROUNDING else []
        return [", ".join(turned + moved)] if turned + moved else []


def _change(before: int, after: int, what: str) -> str:
    if before == after:
        return counted_text(after, what)
    return report_text("{things} became {after}", things=counted_text(before, what), after=after)


def _of_bone(change: str, bone: str) -> str:
    return f"{change} ({bone or report_text('object')})"


def step_result(before: Clip, after: Clip, *, is_latest: bool = True) -> StepResult:
    """Compare a clip with what an edit made of it.

    Args:
        before: As it was.
        after: As it was then.
        is_latest: The contacts that the action has now are those of the clip after the edit.
    """
    keys = [sum(map(len, clip.keys.values())) for clip in (before, after)]
    alike = np.array_equal(before.frames, after.frames)
    alike &= before.motion.skeleton.names == after.motion.skeleton.names
    is_plain = why_sampled(after.armature) is None  # a control rig would have to be played
    slides = _slides(before, after, is_latest) if alike and is_plain else (None, None)
    found = difference_between(before.motion, after.motion, placed=is_plain) if alike else None
    return StepResult(
        keys=(keys[0], keys[1]),
        frames=(len(before.frames), len(after.frames)),
        turn=(found.turn, found.turned) if found is not None else None,
        move=(found.move, found.moved) if found is not None else None,
        slides=slides,
    )


def _slides(before: Clip, after: Clip, is_latest: bool) -> tuple[float | None, float | None]:
    """How far feet slide before and after; None without feet."""
    take = ClipTake(before)
    try:
        contacts = take.contacts if is_latest else detect_contacts(before.motion, take.body)
        slides = [slide_of(each.armature, each.motion, contacts, take.body) for each in (before, after)]
    except MotionEditError:
        return None, None
    return slides[0], slides[1]
