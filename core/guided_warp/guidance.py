"""Guides for motions: what is kept while keytimes are dragged."""

from collections.abc import Sequence
from typing import Any

from ..analysis.contacts import ContactSpans
from ..analysis.events import find_events
from ..body import Body
from ..errors import TooFewFramesError
from ..motion import Motion
from ..numerics import Array
from .guides.features import motion_features, reference_features
from .guides.guide import Guide, own_guide, reference_guide
from .guides.movement import RATE, Movement
from .guides.reference_pace import repetitions_in, wanted_pace
from .options import GuidedWarpOptions, WarpResult
from .spans import TimeSpan, spans_of
from .timing import warp
from .timing_limits import Keytime

# Seconds that a reference must last.
_SHORTEST = 2.0 / RATE


def find_spans(
    motion: Motion,
    body: Body | None,
    *,
    contacts: ContactSpans | None = None,
    positions: Any = None,
    is_cyclic: bool = False,
) -> tuple[TimeSpan, ...]:
    """What of a motion is protected, elastic or rhythmic unless somebody wants it otherwise.

    Of one that plays round and round all is one rhythm: nothing but flights is protected.
    """
    spans = spans_of(find_events(motion, body, contacts=contacts, positions=positions))
    return tuple(span for span in spans if span.is_firm or not is_cyclic)


def guide_itself(
    motion: Motion,
    body: Body | None,
    *,
    spans: Sequence[TimeSpan] | None = None,
    positions: Any = None,
    is_cyclic: bool = False,
) -> Guide:
    """Let a motion stay as it is where it moves.

    Args:
        motion: Motion to retime, without a leading reference pose.
        body: Its parts; None for a camera or a prop, which are compared by location and rotation.
        spans: What is protected and rhythmic; found if not given.
        positions: (F, J, 3) of the motion's joints where they do not follow from it alone.
        is_cyclic: The motion plays round and round.
    """
    _refuse_short(motion)
    chosen = find_spans(motion, body, positions=positions, is_cyclic=is_cyclic) if spans is None else tuple(spans)
    return own_guide(_movement(motion, body, positions, is_cyclic), chosen, rate=motion.rate)


def guide_by(
    reference: Motion,
    motion: Motion,
    body: Body | None,
    *,
    reference_body: Body | None = None,
    spans: Sequence[TimeSpan] = (),
    positions: Any = None,
    reference_positions: Any = None,
    is_cyclic: bool = False,
    keep_unlike: bool = False,
) -> Guide:
    """Let a motion move as a reference does in like poses.

    Args:
        reference: Motion whose timing is wanted, or a part of one.
        motion: As in `guide_itself`.
        body: As there.
        reference_body: The reference's parts, if its skeleton is another; the same joint names are needed.
        spans: What somebody protected; nothing is by itself, for the reference knows better.
        positions: As in `guide_itself`.
        reference_positions: (F, J, 3) of the reference's joints likewise.
        is_cyclic: The motion plays round and round.
        keep_unlike: What is like nothing in the reference keeps its timing; see `wanted_pace`.

    Raises:
        SkeletonMismatchError: The reference lacks joints; the message names them.
        TooFewFramesError: Motion or reference are too short.
    """
    _refuse_short(motion)
    _refuse_brief(reference)
    own = _movement(motion, body, positions, is_cyclic)
    other = _reference_movement(reference, reference_body or body, body, reference_positions)

    def find() -> Array:
        other_events = repetitions_in(
            other, find_events(reference, reference_body or body, positions=reference_positions, fewest_turns=2)
        )
        # A reference of one turn tells how long any turn like it should be, also one that is not repeated.
        fewest = min((len(event.beats) - 1 for event in other_events), default=2)
        own_events = find_events(motion, body, positions=positions, fewest_turns=min(fewest, 2))
        return wanted_pace(own, other, own_events=own_events, other_events=other_events, keep_unlike=keep_unlike)

    wanted = motion.fact(("wanted pace", body, other, keep_unlike, is_cyclic), find, positions=positions)
    return reference_guide(own, wanted, tuple(spans), rate=motion.rate)


def guided_warp(
    motion: Motion,
    body: Body | None,
    keytimes: Sequence[Keytime],
    *,
    options: GuidedWarpOptions | None = None,
    reference: Motion | None = None,
    **more: Any,
) -> WarpResult:
    """Retime a motion at once: `guide_itself`, or `guide_by` if there is a reference, and `warp`."""
    guide = guide_itself(motion, body, **more) if reference is None else guide_by(reference, motion, body, **more)
    return warp(guide, keytimes, options)


def _movement(motion: Motion, body: Body | None, positions: Any, is_cyclic: bool) -> Movement:
    """Found once for a motion."""

    def find() -> Movement:
        return Movement.of(motion_features(motion, body, positions=positions), is_cyclic=is_cyclic)

    return motion.fact(("movement", body, is_cyclic), find, positions=positions)


def _reference_movement(reference: Motion, body: Body | None, like: Body | None, positions: Any) -> Movement:
    """Found once for a reference."""

    def find() -> Movement:
        return Movement.of(reference_features(reference, body, like=like, positions=positions))

    return reference.fact(("reference movement", body, like), find, positions=positions)


def _refuse_short(motion: Motion) -> None:
    if len(motion) < 2:
        raise TooFewFramesError(f"A new timing needs 2 frames, the motion has {len(motion)}")


def _refuse_brief(reference: Motion) -> None:
    length = float(reference.times[-1] - reference.times[0])
    if length < _SHORTEST - 1e-9:
        raise TooFewFramesError(f"A reference must last {_SHORTEST:.3g} s or more, this one lasts {length:.3g} s")
