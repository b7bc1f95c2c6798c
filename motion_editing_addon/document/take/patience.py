"""Sampling of a control rig that is given up where it would take long."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from ...border.steps import Steps

# Seconds that sampling a control rig may take where only numbers of the report need it, and after which the
# speed is known: the first frames may take long because Blender has to build the scene anew.
_PATIENCE, _LEAST_LOOK = 2.0, 0.5


def if_quick(sampling: Steps[np.ndarray]) -> Steps[np.ndarray | None]:
    """Go on for as long as it looks as if sampling was done soon; otherwise leave it, without a result."""
    started = monotonic()
    while True:
        try:
            share = next(sampling)
        except StopIteration as end:
            places: np.ndarray | None = end.value
            return places
        spent = monotonic() - started
        if spent > _LEAST_LOOK and spent > _PATIENCE * share:
            sampling.close()
            return None
        yield share
