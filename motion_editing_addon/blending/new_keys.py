"""Which bones of a motion of another length get few keys: sparse in, sparse out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from ..border.action_io import baked_bones
from ..border.action_io.new_part import FewKeys
from ..border.key_options import AUTOMATIC, EVERY_FRAME, REDUCED

if TYPE_CHECKING:
    from ..border.action_io import Clip
    from ..border.key_options import KeyOptions


@dataclass(frozen=True)
class MotionKeys:
    """How a motion is keyed.

    Attributes:
        baked: Names of the bones with a key on nearly every frame; empty for the object.
        columns: By the names of properties, action frames at which all of their channels have keys.
    """

    baked: frozenset[str]
    columns: dict[str, np.ndarray]

    @classmethod
    def of(cls, clip: Clip) -> MotionKeys:
        """The keys of a clip."""
        baked = frozenset(bone or "" for bone, dense in baked_bones(clip).items() if dense)
        frames: dict[str, list[np.ndarray]] = {}
        for (prop, _index), keys in clip.keys.items():
            frames.setdefault(prop.name, []).append(keys[:, 0])
        return cls(baked, {name: reduce(np.intersect1d, own) for name, own in frames.items()})

    def played(self, *, pace: float, start: float, first: float) -> MotionKeys:
        """The keys where another action has them.

        Args:
            pace: Frames of that action for one of this.
            start: Its frame for frame 0 of this action.
            first: Its first frame with this motion; keys before it are left out.
        """
        moved = {name: start + pace * frames for name, frames in self.columns.items()}
        return replace(self, columns={name: frames[frames >= first] for name, frames in moved.items()})


def few_keys(clip: Clip, options: KeyOptions, follows: MotionKeys) -> FewKeys | None:
    """The joints that get few keys; None if all get one a frame.

    With Automatic these are the bones that neither the clip nor the motion that follows has baked, and
    keys of the motion that follows stay keys.
    """
    names, few = clip.motion.skeleton.names, replace(options, keys=REDUCED)
    if options.keys == EVERY_FRAME:
        return None
    if options.keys != AUTOMATIC:
        return FewKeys(np.ones(len(names), dtype=bool), few)
    own = baked_bones(clip)
    baked = [own.get(name or None, all(own.values())) or name in follows.baked for name in names]
    return FewKeys(~np.array(baked), few, follows.columns)
