"""How time is warped: the map can be kept, and keytimes that were hit are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..interface.operators.take_run import TakeRun
from . import kept_maps
from .keytimes import clear_keytimes
from .warp_take import WarpTake

if TYPE_CHECKING:
    import numpy as np

    from ...core.editing import Change
    from ...core.motion import TimeMap
    from ..border.action_io import Clip, WriteReport
    from ..document.take.clip_take import ClipTake
    from ..document.take.tool_run import Carry
    from ..interface.drawing.original_ghost import OriginalGhost


class WarpRun(TakeRun):
    """One call of Warp Time."""

    def take_of(self, clip: Clip, joints: np.ndarray) -> WarpTake:
        """A take with keytimes."""
        return WarpTake(clip, joints)

    def ghosts(self) -> list[OriginalGhost]:
        """None: poses stay."""
        return []

    def held_moments(self, take: ClipTake) -> int:
        """The keytimes between the ends."""
        return len(self.operator.present_tool().hit(take)[0]) - 2

    def moving(self, take: ClipTake, change: Change, time_map: TimeMap) -> Carry:
        """Keys and baked curves move through the map."""
        write, name = super().moving(take, change, time_map), self.operator.present_tool().keep_as

        def carry_out() -> WriteReport:
            report = write()
            if name:
                kept_maps.keep(take.clip.armature, name, time_map)
            clear_keytimes(take.clip.armature)
            return report

        return carry_out
