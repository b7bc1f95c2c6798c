"""Which bones of a control rig follow which others, by parents and by constraints, in its present state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....core.motion import Skeleton

if TYPE_CHECKING:
    from bpy.types import Constraint, Object, PoseBone

# Constraints through which a bone follows another one as if that were its parent.
_CARRYING = frozenset({"ARMATURE", "CHILD_OF", "COPY_TRANSFORMS"})
# Constraints that leave what a bone's own channels do.
_LEAVING = frozenset({"ARMATURE", "CHILD_OF", "LIMIT_LOCATION", "LIMIT_ROTATION", "LIMIT_SCALE", "MAINTAIN_VOLUME"})
# From this influence on a bone follows another one as a whole.
_WHOLE = 0.999


class Following:
    """What every bone of an armature follows, as Blender shows it now: drivers set influences and weights."""

    def __init__(self, armature: Object) -> None:
        """Look at the rig."""
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        self._shown, self._bones = shown, shown.pose.bones
        self.carried_by = {bone.name: self._carrier(bone) for bone in self._bones}
        # Asked for later: the evaluated bones are gone as soon as Blender evaluates the rig anew.
        self._obeying = {bone.name for bone in self._bones if all(each.type in _LEAVING for each in _acting(bone))}
        self._sources = {bone.name: {*self._of_constraints(bone)} for bone in self._bones}
        for bone in self._bones:
            self._add_chains(bone)
        for name, carrier in self.carried_by.items():
            self._sources[name] |= {carrier} - {""}

    def skeleton(self, skeleton: Skeleton) -> Skeleton:
        """The skeleton of the armature whose joints hang on what carries them."""
        parents = np.array(skeleton.parents)
        for name, carrier in self.carried_by.items():
            parents[skeleton.index[name]] = skeleton.index[carrier]
        try:
            return replace(skeleton, parents=parents)
        except ValueError:  # constraints that go round in circles
            return skeleton

    def followers(self, names: Iterable[str]) -> set[str]:
        """All bones that depend on some of the given ones, these included."""
        found = {*names}
        below: dict[str, list[str]] = {}
        for name, sources in self._sources.items():
            for source in sources:
                below.setdefault(source, []).append(name)
        waiting = list(found)
        for name in waiting:
            new = [each for each in below.get(name, ()) if each not in found]
            found.update(new)
            waiting.extend(new)
        return found

    def obeys_its_channels(self, name: str) -> bool:
        """Whether no constraint overrides what the bone's own channels do."""
        return name in self._obeying

    def _carrier(self, bone: PoseBone) -> str:
        """The bone that carries a bone as a whole; empty if none does."""
        for constraint in reversed(list(_acting(bone))):
            if constraint.type not in _CARRYING or constraint.influence < _WHOLE:
                continue
            # Beside a parent these carry it twice.
            if constraint.type != "COPY_TRANSFORMS" and bone.parent is not None:
                continue
            if "LOCAL" in {constraint.owner_space, constraint.target_space}:
                continue
            if getattr(constraint, "mix_mode", "REPLACE") != "REPLACE":
                continue
            targets = [target for target, weight in self._targets(constraint) if weight >= _WHOLE]
            if targets:
                return targets[0]
        return bone.parent.name if bone.parent else ""

    def _of_constraints(self, bone: PoseBone) -> Iterator[str]:
        for constraint in _acting(bone):
            yield from (target for target, weight in self._targets(constraint) if weight > 0.0)

    def _targets(self, constraint: Constraint) -> Iterator[tuple[str, float]]:
        """Names of the rig's own bones that a constraint looks at, and how much each counts."""
        if constraint.type == "ARMATURE":
            pairs = [(each.target, each.subtarget, each.weight) for each in constraint.targets]
        else:
            pairs = [(getattr(constraint, "target", None), getattr(constraint, "subtarget", ""), 1.0)]
            pairs.append((getattr(constraint, "pole_target", None), getattr(constraint, "pole_subtarget", ""), 1.0))
        for thing, name, weight in pairs:
            if thing is not None and thing.original == self._shown.original and name in self._bones:
                yield name, weight

    def _add_chains(self, bone: PoseBone) -> None:
        """All bones of an IK chain depend on its target."""
        for constraint in _acting(bone):
            if constraint.type in {"IK", "SPLINE_IK"}:
                chain = [bone, *bone.parent_recursive][: constraint.chain_count or None]
                for each in chain:
                    self._sources[each.name] |= self._sources[bone.name]


def _acting(bone: PoseBone) -> Iterator[Constraint]:
    return (each for each in bone.constraints if not each.mute and each.influence > 0.0)
