"""Tools whose result is another motion: on this action, or on a new one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty

from ..action_users import one_per_animation

if TYPE_CHECKING:
    from bpy.types import ID, Action, Context, Object

    from ...core.motion import Motion
    from ..action_io import Clip, WriteReport
    from ..key_options import KeyOptions
    from ..steps import Steps
    from .new_keys import MotionKeys


def result_choice(default: str) -> object:
    """Property of where a new motion goes."""
    return EnumProperty(
        name="Result",
        description="Where the new motion goes",
        items=(
            ("THIS", "This Action", "Into the action that is played"),
            ("NEW", "New Action", "Into a new action that is then played; this one stays in the file as it is"),
        ),
        default=default,
    )


class MakesMotion:
    """Mixin of editing operators that write frames other than those that were read."""

    # What the tool found, for its report, and names of the actions that stay as they are.
    _told = ""
    _kept = ()

    result: result_choice("THIS")

    def draw(self, context: Context) -> None:
        """Errors count with automatic keys too: new parts of sparse curves get few keys."""
        super().draw(context)
        if self.keying == "AUTOMATIC":
            self.layout.prop(self, "rotation_error")
            self.layout.prop(self, "location_error")

    def remarks(self, reports: list[WriteReport]) -> str:
        """What the tool found, what few keys miss, and what stays as it is."""
        return self._told + error_text(reports) + _kept_text(self._kept)

    def work(self, context: Context) -> Steps[None]:
        """Edit all armatures, or new actions of theirs."""
        chosen = one_per_animation(self.chosen(context)) if self.result == "NEW" else []
        self._kept = tuple(dict.fromkeys(armature.animation_data.action.name for armature in chosen))
        with _new_actions(chosen, self.bl_label):
            yield from super().work(context)


def _kept_text(names: tuple[str, ...]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - 1} more stay" if len(names) > 1 else " stays"
    return f"; in a new action, '{names[0]}'{more} in the file"


@contextmanager
def _new_actions(armatures: list[Object], label: str) -> Iterator[None]:
    """Give armatures and their shape keys copies of their actions, and keep the actions in the file.

    Taken back if what follows does not come to its end.
    """
    from ...core.errors import MotionEditError

    if any(armature.animation_data.use_tweak_mode for armature in armatures):
        raise MotionEditError("Leave the NLA strip's tweak mode to make a new action, or choose Result: This Action")
    played = [(owner, owner.animation_data.action) for armature in armatures for owner in _animated(armature)]
    kept = {action: action.use_fake_user for _owner, action in played}
    copies = {action: _copy(action, label) for action in kept}
    for owner, action in played:
        _play(owner, copies[action])
    try:
        yield
    except BaseException:
        for owner, action in played:
            _play(owner, action)
        for action, copy in copies.items():
            action.use_fake_user = kept[action]
            bpy.data.actions.remove(copy)
        raise


def _animated(armature: Object) -> list[ID]:
    """The armature, and what is animated along with it."""
    from ..action_io.channels import further_owners

    own = (armature, *further_owners(armature))
    return [each for each in own if (data := each.animation_data) and data.action and data.action_slot]


def _copy(action: Action, label: str) -> Action:
    copy = action.copy()
    copy.name = f"{action.name} {label}"
    copy.use_fake_user = False
    copy.motion_editing.original = None
    action.use_fake_user = True
    return copy


def _play(owner: ID, action: Action) -> None:
    data = owner.animation_data
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
