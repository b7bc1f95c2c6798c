"""A take with its keytimes, and what guides a warp."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import bpy

from ....core.errors import MotionEditError
from ....core.guided_warp import WarpTime, find_spans, guide_itself
from ...border.action_io import sparse_key_frames
from ...document import scope
from ...document.character.joint_positions import positions_of
from ...document.character.saved_body import body_of
from ...document.take.clip_take import ClipTake
from ...document.take.other_action import read_action
from ..following.shared_timing import moved_guide
from ..keytimes import keytimes_of, speeds_of
from ..settings import guide_in
from ..time_spans import listed_spans

if TYPE_CHECKING:
    import numpy as np

    from ....core.body import Body
    from ....core.guided_warp import Guide, Keytimes, TimeSpan
    from ....core.motion import Motion
    from ...border.action_io import Clip


class WarpTake(ClipTake):
    """What Warp Time asks of an action.

    Attributes:
        partners: Other characters that are retimed along.
        given_spans: What an edit says is protected, whatever the action has listed.
    """

    partners: tuple[WarpTake, ...] = ()
    given_spans: tuple[TimeSpan, ...] | None = None

    @property
    def frames(self) -> np.ndarray:
        """(F,) action frames."""
        return self.clip.frames

    @cached_property
    def positions(self) -> np.ndarray:
        """(F, J, 3) joints in the scene."""
        return positions_of(bpy.context, self.clip)

    @cached_property
    def figure(self) -> Body | None:
        """Parts of an armature; a camera or a prop has none."""
        return _figure(self.clip, self.positions)

    @property
    def has_keytimes(self) -> bool:
        """Whether any were set besides the ends."""
        return len(scope.own_action(self.clip.armature).motion_editing_time.keytimes) > 1

    @property
    def keytimes(self) -> Keytimes:
        """Those that were set, or the ends."""
        return keytimes_of(bpy.context, self.clip.armature)

    @property
    def speeds(self) -> tuple[float | None, ...]:
        """Speeds that were set at keytimes."""
        return speeds_of(self.clip.armature)

    @property
    def spans(self) -> tuple[TimeSpan, ...] | None:
        """Those of the edit, or those that are kept with the action; None where they are found by themselves."""
        return self.given_spans if self.given_spans is not None else listed_spans(self.clip.armature, self.motion.rate)

    @property
    def shown_spans(self) -> tuple[TimeSpan, ...]:
        """The same, or those that are found."""
        listed = self.spans
        return self.found_spans if listed is None else listed

    @property
    def found_spans(self) -> tuple[TimeSpan, ...]:
        """What is protected and rhythmic unless somebody wants it otherwise."""
        return find_spans(self.motion, self.figure, positions=self.positions, is_cyclic=self.is_cyclic)

    @property
    def is_cyclic(self) -> bool:
        """Whether the action is marked as one that plays round and round."""
        action = scope.own_action(self.clip.armature)
        return bool(action.use_frame_range and action.use_cyclic)

    @property
    def picked_joints(self) -> list[int]:
        """Joints of the bones that somebody picked."""
        picked = scope.picked_bones(self.clip.armature)
        return [joint for joint, name in enumerate(self.motion.skeleton.names) if name in picked]

    @property
    def partner_guides(self) -> tuple[Guide, ...]:
        """Guides of the partners, in seconds of this action."""
        return tuple(
            moved_guide(
                guide_itself(
                    each.motion, each.figure, spans=each.shown_spans, positions=each.positions, is_cyclic=each.is_cyclic
                ),
                each.clip,
                self.clip,
            )
            for each in self.partners
        )

    @cached_property
    def key_times(self) -> np.ndarray:
        """(K,) seconds of keys that somebody set; none where every frame has a key."""
        return sparse_key_frames(self.clip, self.joints) / self.motion.rate

    @property
    def guide(self) -> WarpTime:
        """The warp as the panel has it."""
        return WarpTime(**guide_in(scope.own_action(self.clip.armature).motion_editing_time))

    def other_action(self, name: str) -> tuple[Motion, Body | None, np.ndarray]:
        """Another action of the same kind of object."""
        other, positions = read_action(bpy.context, self.clip.armature, name)
        if bool(other.armature.pose) != bool(self.clip.armature.pose):
            raise MotionEditError("Choose an action of the same kind of object: only armatures are like armatures")
        return other.motion, _figure(other, positions), positions


def _figure(clip: Clip, positions: np.ndarray) -> Body | None:
    return body_of(clip.armature, clip, positions) if clip.armature.pose else None
