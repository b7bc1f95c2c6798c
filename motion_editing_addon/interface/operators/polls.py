"""What a tool needs before it can run; the reason is shown when it cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...border.translation import label_text
from ...document import refusals, scope

if TYPE_CHECKING:
    from bpy.types import Context


class NeedsArmature:
    """Mixin of operators that need an armature, but no action."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature of this file; an action is not needed."""
        chosen = scope.armatures(context)
        if not chosen:
            cls.poll_message_set(label_text("Select an armature"))
        elif chosen[0].motion_editing_posing.action is not None:
            cls.poll_message_set(label_text("A pose is being edited: apply or cancel it first"))
            return False
        elif not chosen[0].is_editable:
            cls.poll_message_set(refusals.why_linked(chosen[0]))
        return bool(chosen) and chosen[0].is_editable


class NeedsClip:
    """Mixin of operators that need an armature with an action that can be changed."""

    any_object = False  # a camera or prop will do as well

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Why the tool cannot run, or None."""
        return scope.why_not(context, any_object=cls.any_object)

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature with an editable action."""
        reason = cls.why_not(context)
        if reason:
            cls.poll_message_set(label_text(reason))
        return reason is None
