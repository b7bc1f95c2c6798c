"""How closely few keys follow where feet stand: between two of them a foot would slide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.analysis.contacts import carrying_frames
from ...border.action_io.reduction.sparse_keys import Closely
from ...border.key_options import KeyOptions

if TYPE_CHECKING:
    from ....core.analysis.contacts import ContactSpans
    from ....core.body import Body
    from ....core.motion import Motion

# How far curves may stray between keys: radians, and body heights.
_ANGLE, _WAY = 0.0005, 0.0003


def standing_keys(height: float | None) -> KeyOptions:
    """Keys for a figure of a height in units, if that is known."""
    return KeyOptions(rotation_error=_ANGLE, location_error=_WAY * (height or 1.0))


def where_standing(motion: Motion, body: Body, spans: ContactSpans) -> Closely:
    """Limbs follow closely while a joint of theirs is in a span, and so does all that carries them."""
    return Closely(carrying_frames(motion.times, body, spans), standing_keys(body.height))
