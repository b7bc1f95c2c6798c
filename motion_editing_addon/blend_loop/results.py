"""Tools whose result is another motion: on this action, or on a new one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty

from ..action_users import one_per_animation

if TYPE_CHECKING:
    from bpy.types import Action, Context, Object

    from ...core.motion import Motion
    from ..action_io import Clip, WriteReport
    from ..key_options import KeyOptions
    from ..steps import Steps


class MakesMotion:
    """Mixin of editing operators that write frames other than those that were read."""

    result: EnumProperty(
        name="Result",
        description="Where the new motion goes",
        items=(
            ("THIS", "This Action", "Into the action that is played"),
            ("NEW", "New Action", "Into a new action that is then played; this one stays as it is"),
        ),
        default="THIS",
    )

    def work(self, context: Context) -> Steps[None]:
        """Edit all armatures, or new actions of theirs."""
        chosen = one_per_animation(self.chosen(context)) if self.result == "NEW" else []
        with _new_actions(chosen, self.bl_label):
            yield from super().work(context)


@contextmanager
def _new_actions(armatures: list[Object], label: str) -> Iterator[None]:
    """Give armatures copies of their actions; taken back if what follows does not come to its end."""
    from ...core.errors import MotionEditError

    if any(armature.animation_data.use_tweak_mode for armature in armatures):
        raise MotionEditError("Leave the NLA strip's tweak mode to make a new action, or choose Result: This Action")
    made = [(armature, armature.animation_data.action) for armature in armatures]
    for armature, action in made:
        copy = action.copy()
        copy.name = f"{action.name} {label}"
        copy.motion_editing.original = None
        _play(armature, copy)
    try:
        yield
    except BaseException:
        for armature, action in made:
            copy = armature.animation_data.action
            _play(armature, action)
            bpy.data.actions.remove(copy)
        raise


def _play(armature: Object, action: Action) -> None:
    data = armature.animation_data
    slot = data.action_slot.identifier
    data.action = action
    data.action_slot = action.slots[slot]


def written(clip: Clip, motion: Motion, options: KeyOptions, *, first: float | None = None) -> WriteReport:
    """Write a motion of another length; few keys instead of many if that is wanted."""
    from .. import action_io
    from ..action_io.new_part import write_part
    from ..key_options import REDUCED
    from ..steps import finish

    report = write_part(clip, motion, first=first)
    if options.keys != REDUCED:
        return report
    import numpy as np

    frames = motion.times * clip.motion.rate
    dense = action_io.read(clip.armature, rate=clip.motion.rate, start=first, end=frames[-1])
    reduced = finish(action_io.plan_rekey(dense, np.ones(len(motion.skeleton), dtype=bool), options)).carry_out()
    report.keys_after += reduced.keys_after - reduced.keys_before
    report.misses = reduced.misses
    return report
