"""A random session: steps by chance, and what must hold after each of them."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass, field
from pathlib import Path

import bpy
import numpy as np

from .bits import all_bits, difference
from .calls import NOT_WHOLE, Call, any_operator, planned
from .happenings import HAPPENINGS
from .world import World

# Shares of the steps.
_HAPPENS, _PLANNED, _UNDONE = 0.4, 0.25, 0.3


class ChaosError(AssertionError):
    """Something broke; the text has the seed and all steps."""


@dataclass
class Session:
    """A file that things happen to, and what has happened."""

    seed: int
    world: World
    told: list[str] = field(default_factory=list)
    printed: io.StringIO = field(default_factory=io.StringIO)

    def step(self) -> None:
        """Something happens, or a tool is used."""
        if self.world.chance(_HAPPENS):
            self._happen()
        else:
            call = planned(self.world) if self.world.chance(_PLANNED) else any_operator(self.world)
            if call is not None:
                self._use(call)
        self._check_printed()

    def leave_modes(self) -> None:
        """Edit Pose and Edit Layer can always be left."""
        for armature in self.world.armatures:
            self.world.activate(armature)
            if armature.motion_editing_posing.action is not None:
                self._leave("cancel_staggered_pose")
                self._demand(armature.motion_editing_posing.action is None, "Edit Pose was not left")
            if armature.motion_editing_layer_edit.layer:
                self._leave("cancel_layer_edit")
                self._demand(not armature.motion_editing_layer_edit.layer, "Edit Layer was not left")

    def _leave(self, operator: str) -> None:
        self.told.append(operator)
        try:
            getattr(bpy.ops.motion_editing, operator)()
        except RuntimeError as error:
            self._fail(str(error))
        self._check_printed()

    def _happen(self) -> None:
        happening = self.world.pick(HAPPENINGS)
        self.told.append(happening.__name__)
        # Blender itself refuses some things in some modes.
        with contextlib.suppress(RuntimeError):
            happening(self.world)
        bpy.ops.ed.undo_push(message=happening.__name__)

    def _use(self, call: Call) -> None:
        self.told.append(call.text)
        bpy.ops.ed.undo_push(message="Before")
        before, finished = all_bits(), False
        try:
            finished = call.run() != {"CANCELLED"}
        except RuntimeError as error:
            self.told[-1] += f"   # {_line(error)}"
            self._demand("Traceback" not in str(error), str(error))
        except NOT_WHOLE as error:
            self._demand(not call.is_single, repr(error))
        if finished:
            self._undo(before)
        elif call.is_single:
            self._demand(before == all_bits(), f"refused, but {difference(before, all_bits())}")

    def _undo(self, before: dict[str, str]) -> None:
        """Undo brings every bit back, and redo what was done."""
        bpy.ops.ed.undo_push(message="Used")
        # In edit mode Blender keeps nothing but the bones.
        if self.world.chance(_UNDONE) and bpy.context.mode != "EDIT_ARMATURE":
            self.told.append("undo and redo")
            after = all_bits()
            bpy.ops.ed.undo()
            self._demand(before == all_bits(), f"undone, but {difference(before, all_bits())}")
            bpy.ops.ed.redo()
            self._demand(after == all_bits(), f"done again, but {difference(after, all_bits())}")

    def _check_printed(self) -> None:
        self._demand("Traceback" not in self.printed.getvalue(), self.printed.getvalue())

    def _demand(self, holds: bool, what: str) -> None:
        if not holds:
            self._fail(what)

    def _fail(self, what: str) -> None:
        steps = "\n".join(f"  {number}. {text}" for number, text in enumerate(self.told, 1))
        raise ChaosError(f"seed {self.seed} on {self.world.rig}: {what}\nafter\n{steps}")


def _line(error: RuntimeError) -> str:
    return str(error).strip().splitlines()[0][:160]


def play(seed: int, scenes: dict[str, Path], folder: Path, *, steps: int) -> int:
    """A session on one of the scenes; gives how many tools did something, raises ChaosError if anything broke."""
    random = np.random.default_rng(seed)
    rig = sorted(scenes)[seed % len(scenes)]
    bpy.ops.wm.open_mainfile(filepath=str(scenes[rig]))
    session = Session(seed, World(random, rig, folder))
    with contextlib.redirect_stderr(session.printed):
        bpy.ops.ed.undo_push(message="Opened")
        for _step in range(steps):
            session.step()
        session.leave_modes()
    return len(session.told)
