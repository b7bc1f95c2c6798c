"""Shape keys of a character's meshes as an edited motion has them, while a tool runs; no key is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.motion import shape_name
from ...border.action_io.curves.numbers import number_at, put_number

if TYPE_CHECKING:
    from bpy.types import ID

    from ....core.motion import Motion
    from ...border.action_io import Clip


class ShapePreview:
    """The face of one clip's character."""

    def __init__(self, clip: Clip) -> None:
        """Nothing changes before the first `show`."""
        named = enumerate(clip.channels.scalars)
        self._shapes = [(number, prop) for number, prop in named if shape_name(prop.name) is not None]
        self._ground: dict[int, float] = {}

    def frame_changed(self) -> None:
        """Blender has set all of them anew."""
        self._ground.clear()

    def show(self, before: Motion | None, after: Motion | None) -> None:
        """Set the shape keys in which two poses differ; all others are as they were before the preview."""
        compared = before is not None and after is not None and before.scalar_names == after.scalar_names
        for number, prop in self._shapes:
            if compared and before.scalars[0, number] != after.scalars[0, number]:
                self._set(number, prop.owner, prop.path, float(after.scalars[0, number]))
            elif number in self._ground:
                put_number(prop.owner, prop.path, self._ground.pop(number))

    def _set(self, number: int, owner: ID, path: str, value: float) -> None:
        present = number_at(owner, path)
        if present is not None:
            self._ground.setdefault(number, present)
            put_number(owner, path, value)
