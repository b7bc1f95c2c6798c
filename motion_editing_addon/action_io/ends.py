"""Where keys begin and end. An action's own range may be a manual one, and covers its other slots as well."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .channels import channels_of
from .keys import key_count

if TYPE_CHECKING:
    from bpy.types import FCurve, Object


def key_ends(thing: Object) -> tuple[float, float] | None:
    """Action frames of the first and the last key of all that is read with an object; None if there is none."""
    return ends_of_curves(channels_of(thing).curves.values())


def ends_of_curves(curves: Iterable[FCurve]) -> tuple[float, float] | None:
    """Frames of the first and the last key of some curves; None if there is none."""
    ranges = [curve.range() for curve in curves if key_count(curve)]
    return (min(first for first, _ in ranges), max(last for _, last in ranges)) if ranges else None
