"""Motion editing algorithms on NumPy arrays; knows nothing of Blender.

A room is loaded when something in it is used: `core.filters.low_passed(...)`.
"""

from typing import TYPE_CHECKING

from .lazy_door import lazy_door

if TYPE_CHECKING:
    from . import (
        analysis,
        blending,
        body,
        cleaning,
        constraints,
        contacts,
        editing,
        errors,
        files,
        filters,
        guided_warp,
        keys,
        layers,
        motion,
        numerics,
        pose_tree,
        retarget,
        root_motion,
        sample_motion,
        solve,
        staggered,
        timeline,
        wording,
    )
else:
    __getattr__ = lazy_door(__name__)
