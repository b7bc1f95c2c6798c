"""Edits of loops: what a filter does at one end of a loop has to know what comes at the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..solve.whole_body import rounds_of

if TYPE_CHECKING:
    from ..body import Body
    from ..motion import Motion

# Most times that rounds are laid beside the rounds that there are, each of which gives three times as many.
_MOST = 4


def edited_in_rounds(
    motion: Motion, body: Body, edit: Callable[[Motion], Motion], seconds: float, *, with_travel: bool = True
) -> Motion:
    """An edit of a loop, made on all rounds that have a say in it: one of them is kept.

    Args:
        motion: One round, whose first pose follows upon its last one, or is it.
        body: Tells which joints count, and what is up.
        edit: Gives another motion with the same frames; what it does at a time depends on what is near.
        seconds: How near that is.
        with_travel: Loops that lead on over the ground count; otherwise they are edited as they are.
    """
    return _edited(motion, body, edit, seconds, with_travel, _MOST)


def _edited(
    motion: Motion, body: Body, edit: Callable[[Motion], Motion], seconds: float, with_travel: bool, most: int
) -> Motion:
    rounds = rounds_of(motion, body, 0.0, cyclic=True, whole=True)
    if not most or not rounds.laps.any() or (rounds.trip is not None and not with_travel):
        return edit(motion)
    laid, length = rounds.laid_out(motion), float(motion.times[-1] - motion.times[0])
    further = seconds - length
    after = edit(laid) if further <= 0.0 else _edited(laid, body, edit, further, with_travel, most - 1)
    return motion if after is laid else rounds.motion_itself(after, motion)
