"""What a tool does to a rig, and what is wrong with it."""

from __future__ import annotations

import re
from dataclasses import dataclass

import bpy
import numpy as np
from motion_editing.core.body import is_mechanism
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from rigs import all_keys
from tool_calls import LOCAL, MAY_KEEP_KEYS, PREVIEW, do, prepare
from walking_rigs import WalkingRig, action_of

Keys = dict[tuple[str, str, int], dict[str, bytes]]
# Where Blender says a message comes from.
_PLACE = re.compile(r"^(Error: |Operator bpy\.ops\.\S+ )")


@dataclass(frozen=True)
class Outcome:
    """What happened.

    Attributes:
        refusal: What the tool said if it did nothing.
        before: Keys of the action.
        after: Keys of the action that is played then.
    """

    refusal: str
    before: Keys
    after: Keys

    @property
    def changed(self) -> set[tuple[str, str, int]]:
        """F-Curves that are new, gone or different."""
        return {each for each in {*self.before, *self.after} if self.before.get(each) != self.after.get(each)}


def try_tool(name: str, rig: WalkingRig, path: str) -> Outcome:
    """Call a tool in the scene of a file, after what it needs."""
    bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
    before, refusal = all_keys(bpy.data.actions["Walk"]), ""
    try:
        prepare(name, rig)
        # While a pose is edited, the action is a copy without keys.
        before = all_keys(action_of(bpy.context.object)) or before
        do(name, rig)
    except RuntimeError as error:
        refusal = _PLACE.sub("", str(error).strip())
    return Outcome(refusal, before, all_keys(action_of(bpy.context.object)))


def faults(name: str, outcome: Outcome) -> list[str]:
    """What is wrong with an edit that was made."""
    armature, found = bpy.context.object, []
    if not outcome.changed and name not in MAY_KEEP_KEYS:
        found.append("no key changed")
    names = {action_io.bone_of_path(path) for _slot, path, _index in outcome.changed} - {""}
    hidden = sorted(bone for bone in names if not _is_control(armature.pose.bones[bone]))
    if hidden:
        found.append(f"keys on hidden bones {hidden}")
    if locked := sorted(path for each in outcome.changed if _is_locked(armature, path := each[1], each[2])):
        found.append(f"keys on locked channels {locked}")
    if name in LOCAL and (moved := [each for each in outcome.changed if _differs_outside(outcome, each)]):
        found.append(f"other keys outside of the range: {moved}")
    return found


def _is_control(bone: bpy.types.PoseBone) -> bool:
    return scope.is_visible(bone) and not is_mechanism(bone.name)


def _is_locked(armature: bpy.types.Object, path: str, index: int) -> bool:
    """Whether a channel may not change: a rotation is locked if all its axes are."""
    bone, channel = action_io.bone_of_path(path), path.rpartition(".")[2]
    if not bone or "]" in channel:
        return False
    pose = armature.pose.bones[bone]
    return all(pose.lock_rotation) if channel.startswith("rotation") else getattr(pose, f"lock_{channel}")[index]


def _differs_outside(outcome: Outcome, curve: tuple[str, str, int]) -> bool:
    """Whether keys beyond the preview range have other frames or values."""
    first, last = PREVIEW
    sides = []
    for keys in (outcome.before, outcome.after):
        points = (
            np.frombuffer(keys[curve]["co"], dtype=np.float32).reshape(-1, 2) if curve in keys else np.empty((0, 2))
        )
        sides.append(points[(points[:, 0] < first) | (points[:, 0] > last)])
    return curve in outcome.before and not np.array_equal(*sides)
