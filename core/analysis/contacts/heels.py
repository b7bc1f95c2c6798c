"""Heels that rise: an ankle leaves its place as soon as the foot rolls off its standing toes."""

import numpy as np
from numpy.typing import NDArray

from ...body import Body, Limb
from ...numerics import Array
from .spans import ContactSpans, Span

Mask = NDArray[np.bool_]

# Radians by which a heel may be raised over how the sole lies: flatter than in this share of a contact's frames.
_RAISED, _FLATTEST = 0.08, 0.75
# Seconds by which a frame may miss the end of a contact because of rounding.
_ROUNDING = 1e-9


def without_raised_heels(
    contacts: ContactSpans, body: Body, places: Array, times: Array, *, resting: float = 0.0
) -> ContactSpans:
    """Contacts in which ankles stand only while the foot lies, as far as its toes stand too.

    An ankle rises slowly at first: for a while it is still where it stood, within what a contact allows. Held
    there the foot would lie flat for too long and then hurry. Frames in which the toes do not stand are left.

    Args:
        contacts: Of ankles and toes; those of other joints stay as they are.
        body: Its up axis is needed.
        places: (F, J, 3) where the joints are.
        times: (F,) seconds.
        resting: Units a second below which an ankle stands, raised or not.

    Raises:
        MissingRoleError: The up axis is not known.
    """
    up, names = body.require("up axis").vector, body.skeleton.names
    for limb in (limb for limb in body.legs if limb.end is not None and limb.digits):
        ankle, toe = names[int(limb.end or 0)], names[limb.digits[0][0]]
        if contacts.of(ankle) and contacts.of(toe):
            tilts, toes_stand = _tilts(limb, up, places), contacts.active(toe, times)
            rests = np.linalg.norm(np.gradient(places[:, int(limb.end or 0)], times, axis=0), axis=1) < resting
            spans = (_while_lying(span, tilts, toes_stand, rests, times) for span in contacts.of(ankle))
            contacts = contacts.with_spans(ankle, [span for span in spans if span is not None])
    return contacts


def _tilts(limb: Limb, up: Array, places: Array) -> Array:
    """(F,) angles in radians by which the way from ankle to toes leads up."""
    ways = places[:, limb.digits[0][0]] - places[:, int(limb.end or 0)]
    lengths = np.linalg.norm(ways, axis=1)
    tilts: Array = np.arcsin(np.clip(ways @ up / np.where(lengths > 0.0, lengths, 1.0), -1.0, 1.0))
    return tilts


def _while_lying(span: Span, tilts: Array, toes_stand: Mask, rests: Mask, times: Array) -> Span | None:
    """The contact of an ankle without the frames at its ends in which the foot rolls over standing toes."""
    frames = np.flatnonzero((times >= span[0] - _ROUNDING) & (times <= span[1] + _ROUNDING))
    whole = frames[toes_stand[frames]]
    if not len(whole):
        return span
    lies = ~toes_stand[frames] | rests[frames] | (tilts[frames] >= np.quantile(tilts[whole], _FLATTEST) - _RAISED)
    kept = frames[lies]
    return (float(times[kept[0]]), float(times[kept[-1]])) if len(kept) > 1 else None
