"""Tools whose result is another motion: on this action, or on a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..document.action_users import new_actions, one_per_animation, result_choice

if TYPE_CHECKING:
    from bpy.types import ID, Context, Object

    from ...core.motion import Motion
    from ..border.action_io import Clip, WriteReport
    from ..border.key_options import KeyOptions
    from ..border.steps import Steps
    from .new_keys import MotionKeys


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
        with new_actions([thing for armature in chosen for thing in _animated(armature)], self.bl_label) as kept:
            yield from super().work(context)
            kept.needed = True


def _kept_text(names: tuple[str, ...]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - 1} more stay" if len(names) > 1 else " stays"
    return f"; in a new action, '{names[0]}'{more} in the file"


def _animated(armature: Object) -> list[ID]:
    """The armature, and what is animated along with it."""
    from ..border.action_io.curves.channels import further_owners

    return [armature, *further_owners(armature)]


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
    from ..border.action_io.new_part import write_part
    from .new_keys import MotionKeys, few_keys

    return write_part(clip, motion, first=first, few=few_keys(clip, options, follows or MotionKeys.of(clip)))


def error_text(reports: list[WriteReport]) -> str:
    """A remark about what few keys miss; empty where every frame has one."""
    from ..border.action_io import misses_text

    missed = misses_text(reports)
    return f"; few keys, within {missed}" if missed else ""
