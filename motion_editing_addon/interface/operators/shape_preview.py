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
        wanted = _differences(before, after)
        for number, prop in self._shapes:
            if number in wanted:
                self._set(number, prop.owner, prop.path, wanted[number])
            elif number in self._ground:
                put_number(prop.owner, prop.path, self._ground.pop(number))

    def _set(self, number: int, owner: ID, path: str, value: float) -> None:
        present = number_at(owner, path)
        if present is not None:
            self._ground.setdefault(number, present)
            put_number(owner, path, value)


def _differences(before: Motion | None, after: Motion | None) -> dict[int, float]:
    """New values of the scalar channels in which two poses differ, by their numbers."""
    if before is None or after is None or before.scalar_names != after.scalar_names:
        return {}
    old, new = before.scalars[0].tolist(), after.scalars[0].tolist()
    return {number: value for number, value in enumerate(new) if value != old[number]}
