"""What an edit will touch, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..border.translation import counted_text, label_text
from ..document import scope

if TYPE_CHECKING:
    from bpy.types import Context


def scope_text(context: Context) -> str:
    """One line that says what an edit will touch."""
    edited = scope.edited_armatures(context)
    count = sum(len(scope.picked_bones(each)) for each in edited)
    bones = counted_text(count, "selected bone") if count else label_text("All visible bones")
    if len(edited) > 1:
        return label_text("{bones} of {count} armatures", bones=bones, count=len(edited))
    if edited and edited[0] != context.object:
        return label_text("{bones} of '{name}'", bones=bones, name=edited[0].name)
    return bones if count else label_text("{bones} and the object", bones=bones)
