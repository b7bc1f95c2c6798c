"""The curves of the slots that an object plays: their states, and whether they are as they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from ..curves.keys import ALIGNED, FREE, is_sampled, read_keys
from ..curves.modifiers import modifier_settings
from .curve_state import HANDLES, CurveState, read_state
from .draft import Draft, draft_of
from .memory_curve import as_fcurve
from .slots import curves_by_place, identity_of, slots_of

if TYPE_CHECKING:
    from bpy.types import Action, FCurve, Object

    from .draft import Curves
    from .slots import Identity, Place


def read_curves(thing: Object, copies: Mapping[Action, Action] | None = None) -> Curves | None:
    """The curves that an object plays, or of copies of its actions; None where some have modifiers, or no keys.

    Args:
        copies: By the actions in whose place they are read.
    """
    known = copies or {}
    found = curves_by_place({slot: known.get(action, action) for slot, action in slots_of(thing).items()})
    if any(len(curve.modifiers) or is_sampled(curve) for curve in found.values()):
        return None
    return {place: read_state(curve) for place, curve in found.items()}


def keys_digest(thing: Object) -> str:
    """Changes whenever keys of the slots that an object plays change; handles count where they were set by hand.

    Of keys in memory these are taken.
    """
    draft = draft_of(thing)
    curves = (
        {place: as_fcurve(draft.curve(place)) for place in draft.curves}
        if draft is not None
        else curves_by_place(slots_of(thing))
    )
    digest = blake2b(digest_size=16)
    for place, curve in sorted(curves.items(), key=lambda item: item[0]):
        for part in _shape(place, curve):
            digest.update(part)
    return digest.hexdigest()


def _shape(place: Place, curve: FCurve) -> Iterator[bytes | np.ndarray]:
    """What tells whether a curve is as it was."""
    yield repr((place, curve.extrapolation, modifier_settings(curve))).encode()
    keys = read_keys(curve, "co", "interpolation", "handle_left_type", "handle_right_type")
    yield from keys.values()
    kinds = np.concatenate([keys["handle_left_type"], keys["handle_right_type"]])
    if ((kinds == FREE) | (kinds == ALIGNED)).any():
        yield from read_keys(curve, *HANDLES).values()


@contextmanager
def as_curves(thing: Object, curves: Mapping[Place, CurveState]) -> Iterator[dict[Identity, FCurve]]:
    """States of curves to be read like F-curves meanwhile."""
    draft = Draft(thing, curves, None, "")
    try:
        yield {identity_of(place): as_fcurve(draft.curve(place)) for place in curves}
    finally:
        draft.scratch.remove()
