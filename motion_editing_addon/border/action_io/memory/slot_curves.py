"""The curves of the slots that an object plays: their states, and whether they are as they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from ..curves.channels import bags_of
from ..curves.keys import ALIGNED, FREE, is_sampled, read_keys
from ..curves.modifiers import modifier_settings
from .curve_state import HANDLES, CurveState, read_state
from .draft import Draft, draft_of, slots_of
from .memory_curve import as_fcurve

if TYPE_CHECKING:
    from bpy.types import Action, FCurve, Object

    from .draft import Curves
    from .memory_curve import Place


def read_curves(thing: Object, action: Action | None = None) -> Curves | None:
    """The curves of an object's action, or of a copy of it; None where some have modifiers, or samples for keys."""
    handles = slots_of(thing)
    found = _curves_of(action or _action(thing), handles)
    if any(len(curve.modifiers) or is_sampled(curve) for curve in found.values()):
        return None
    return {place: read_state(curve) for place, curve in found.items()}


def keys_digest(thing: Object) -> str:
    """Changes whenever keys of the slots that an object plays change; handles count where they were set by hand.

    Of keys in memory these are taken.
    """
    draft, handles = draft_of(thing), slots_of(thing)
    curves = (
        {place: as_fcurve(draft.curve(place)) for place in draft.curves}
        if draft is not None
        else _curves_of(_action(thing), handles)
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


def _curves_of(action: Action, handles: set[int]) -> dict[Place, FCurve]:
    return {
        (bag.slot_handle, curve.data_path, curve.array_index): curve
        for bag in bags_of(action)
        if bag.slot_handle in handles
        for curve in bag.fcurves
    }


def _action(thing: Object) -> Action:
    data: Any = thing.animation_data
    action: Action = data.action
    return action


@contextmanager
def as_curves(
    thing: Object, curves: Mapping[Place, CurveState], handle: int
) -> Iterator[dict[tuple[str, int], FCurve]]:
    """States of a slot's curves to be read like F-curves meanwhile, by path and component."""
    draft = Draft(thing, curves, None, "")
    try:
        yield {place[1:]: as_fcurve(draft.curve(place)) for place in curves if place[0] == handle}
    finally:
        draft.scratch.remove()
