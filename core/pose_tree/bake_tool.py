"""Baking a pose tree as a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..editing import Change, Tool, switch, whole_number
from ..errors import MotionEditError

if TYPE_CHECKING:
    from .tree_take import TreeTake


class BakePoseTree(Tool):
    """Bake the pose tree to keys of a new action"""

    verb: ClassVar[str] = "Baked"

    use_scene: bool = switch(True, "Bake from the scene's start to its end", label="Scene Range")
    first: int = whole_number(1, "First frame")
    last: int = whole_number(250, "Last frame")

    @property
    def unused(self) -> frozenset[str]:
        """Frames, where those of the scene are baked."""
        return frozenset({"first", "last"}) if self.use_scene else frozenset()

    def frames(self, scene: tuple[int, int]) -> range:
        """The frames to bake, given the first and last one of the scene."""
        first, last = scene if self.use_scene else (self.first, self.last)
        if last < first:
            raise MotionEditError(f"The last frame {last} lies before the first one {first}")
        return range(first, last + 1)

    def apply(self, take: TreeTake) -> Change:
        """What the tree gives instead of what there was, of all that it drives."""
        return Change(take.driven_motion())
