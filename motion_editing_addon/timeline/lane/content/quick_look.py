"""Reading characters for the strip: at once where that is quick, not at all where it would take long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .....core.errors import MotionEditError
from ....border.steps import finish
from ....document import scope
from ....document.character.joint_positions import is_at_hand
from ...subject import Subject, look_at
from ...windows.windows import settings_of
from ..strip_drag import TimelineDrag
from .lane_data import Shown, shown_of

if TYPE_CHECKING:
    from bpy.types import Context, Object


def shown_now(context: Context, armature: Object) -> Shown | None:
    """What can be shown without sampling a control rig; None for a motion that cannot be read."""
    try:
        subject = _at_hand(context, armature)
        return Shown(None) if subject is None else shown_of(subject, _second(context, armature))
    except MotionEditError:  # said by the tools; drawing cannot
        return None


def begin_drag(context: Context, armature: Object) -> TimelineDrag:
    """Start from the motion as it is; a control rig is sampled now if it was not."""
    subject = finish(look_at(context, scope.read_clip(context, armature)))
    return TimelineDrag(subject, _second(context, armature))


def _second(context: Context, armature: Object) -> Subject | None:
    second = settings_of(armature).second
    if second is None or second == armature or scope.action_of(second) is None:
        return None
    return _at_hand(context, second)


def _at_hand(context: Context, armature: Object) -> Subject | None:
    clip = scope.read_clip(context, armature)
    return finish(look_at(context, clip)) if is_at_hand(clip) else None
