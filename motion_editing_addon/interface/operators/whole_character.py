"""Tools that move a character as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Object

    from ...border.action_io import Clip


class WholeCharacter:
    """Mixin of tools that move the character as a whole, whatever bones are picked."""

    offers_range = False

    def joints(self, _armature: Object, clip: Clip) -> np.ndarray:
        """(J,) all of them."""
        import numpy as np

        return np.ones(len(clip.motion.skeleton), dtype=bool)
