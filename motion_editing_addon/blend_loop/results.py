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
    from .new_keys import MotionKeys


class MakesMotion:
    """Mixin of editing operators that write frames other than those that were read."""

    # What the tool found, for its report.
    _told = ""

    result: EnumProperty(
        name="Result",
        description="Where the new motion goes",
        items=(
            ("THIS", "This Action", "Into the action that is played"),
            ("NEW", "New Action", "Into a new action that is then played; this one stays as it is"),
        ),
        default="THIS",
    )

    def draw(self, context: Context) -> None:
        """Errors count with automatic keys too: new parts of sparse curves get few keys."""
        super().draw(context)
        if self.keying == "AUTOMATIC":
            self.layout.prop(self, "rotation_error")
            self.layout.prop(self, "location_error")

    def remarks(self, reports: list[WriteReport]) -> str:
        """What the tool found, and what few keys miss."""
        return self._told + error_text(reports)

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


def written(
    clip: Clip,
    motion: Motion,
    options: KeyOptions,
    *,
    first: float | None = None,
    follows: MotionKeys | None = None,
) -> WriteReport:
    """Write a motion of another length: one key a frame, or few.

    Args:
        clip: What was read.
        motion: Of any length, at the clip's rate.
        options: How it becomes keys.
        first: Action frame from which on it differs; all is new if not given.
        follows: Keys of the motion that follows; the clip's own if not given.
    """
    from ..action_io.new_part import write_part
    from .new_keys import MotionKeys, few_keys

    return write_part(clip, motion, first=first, few=few_keys(clip, options, follows or MotionKeys.of(clip)))


def error_text(reports: list[WriteReport]) -> str:
    """A remark about what few keys miss; empty where every frame has one."""
    from ..action_io import misses_text

    missed = misses_text(reports)
    return f"; few keys, within {missed}" if missed else ""
