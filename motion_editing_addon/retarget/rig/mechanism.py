"""How bones between the controls of a rig turn, worked out for all frames at once.

Blender evaluates a control rig in twentieths of a second, one frame after the other. What hangs between two
controls is mostly simple: bones that follow their parents, and constraints that copy a part of another bone's turn.
Whatever else there is, is left out here; whoever uses this looks at some frames in Blender.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....core.numerics import quaternion
from ....core.rig import shown_name
from ...border.armature import rest_orientation

if TYPE_CHECKING:
    from bpy.types import Constraint, Object, PoseBone

# Spaces in which a constraint copies a bone's orientation as it is.
_WHOLE = frozenset({"WORLD", "POSE"})


class Mechanism:
    """Orientations of a rig's bones in the object's axes, while some of them are known."""

    def __init__(self, armature: Object, known: Mapping[str, np.ndarray], turned: Mapping[str, np.ndarray]) -> None:
        """Start.

        Args:
            armature: At rest but for its controls.
            known: (F, 4) orientation by control.
            turned: (F, 4) turn away from rest by joint of the figure inside, of those that controls turn.
        """
        self._bones = armature.pose.bones
        # Drivers set influences: those that count are on Blender's evaluated copy.
        self._shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        self._known = dict(known)
        self._turned = turned
        self._frames = len(next(iter(known.values())))

    def start_of(self, control: str) -> np.ndarray:
        """(F, 4) orientation of a control before its own channels turn it."""
        return self._following(self._bones[control])

    def orientation(self, name: str) -> np.ndarray:
        """(F, 4) of a bone."""
        if name not in self._known:
            shown = self._turned.get(shown_name(name))
            rest = rest_orientation(self._bones[name])
            # Constraints may go in circles: until it is known, a bone stays as it is.
            self._known[name] = np.broadcast_to(rest, (self._frames, 4))
            if shown is not None:
                self._known[name] = quaternion.multiply(shown, rest)
            else:
                self._known[name] = self._constrained(name, self._following(self._bones[name]))
        return self._known[name]

    def _following(self, bone: PoseBone) -> np.ndarray:
        """(F, 4) orientation of a bone that does what its parent does."""
        rest = rest_orientation(bone)
        if bone.parent is None or not bone.bone.use_inherit_rotation:
            return np.broadcast_to(rest, (self._frames, 4))
        return self._carried(bone.parent, rest)

    def _carried(self, bone: PoseBone, rest: np.ndarray) -> np.ndarray:
        """(F, 4) what another bone carries along that is oriented so at rest."""
        back = quaternion.conjugate(rest_orientation(bone))
        return quaternion.multiply(self.orientation(bone.name), quaternion.multiply(back, rest))

    def _constrained(self, name: str, turns: np.ndarray) -> np.ndarray:
        for constraint in self._shown[name].constraints:
            if not constraint.mute and constraint.influence > 0.0:
                goal = self._goal(constraint, self._bones[name])
                turns = turns if goal is None else quaternion.slerp(turns, goal, constraint.influence)
        return turns

    def _goal(self, constraint: Constraint, bone: PoseBone) -> np.ndarray | None:
        """(F, 4) orientation that a constraint leads to; None for one that does not turn, or is not known here."""
        if constraint.type == "ARMATURE":
            targets = [each for each in constraint.targets if each.weight > 0.0 and each.subtarget in self._bones]
            return self._carried(self._bones[targets[0].subtarget], rest_orientation(bone)) if targets else None
        if constraint.type not in ("COPY_TRANSFORMS", "COPY_ROTATION") or constraint.subtarget not in self._bones:
            return None
        spaces = {constraint.owner_space, constraint.target_space}
        if spaces <= _WHOLE:
            return self.orientation(constraint.subtarget)
        if spaces == {"LOCAL"}:
            return quaternion.multiply(self._following(bone), self._own_turn(constraint.subtarget))
        return None

    def _own_turn(self, name: str) -> np.ndarray:
        """(F, 4) turn of a bone away from what its parent does with it, in its own axes at rest."""
        return quaternion.multiply(quaternion.conjugate(self._following(self._bones[name])), self.orientation(name))
