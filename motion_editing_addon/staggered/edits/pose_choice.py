"""Which poses are meant: the active one, those that are selected with it, or all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ....core.errors import MotionEditError
from ...document import scope

if TYPE_CHECKING:
    from bpy.types import Context


def selected(context: Context) -> list[int]:
    """Numbers of the poses that are selected."""
    return [number for number, pose in enumerate(_settings(context).poses) if pose.selected]


def pick(context: Context, pose: int, *, more: bool = False) -> None:
    """Make a pose active; it alone is selected, or one more, or one less."""
    settings = _settings(context)
    chosen = set(selected(context))
    choose(context, sorted(chosen ^ {pose}) if more else [pose])
    settings.active = pose


def choose(context: Context, poses: Iterable[int]) -> None:
    """Select these poses and no others."""
    chosen = set(poses)
    for number, pose in enumerate(_settings(context).poses):
        pose.selected = number in chosen


def active_pose(context: Context, pose: int) -> int:
    """The pose with this number, or the active one for a negative number."""
    settings = _settings(context)
    found = settings.active if pose < 0 else pose
    if not 0 <= found < len(settings.poses):
        raise MotionEditError(f"There is no pose with number {found} among {len(settings.poses)}")
    return int(found)


def meant(context: Context, pose: int, *, all_poses: bool) -> list[int] | None:
    """Numbers of the poses that an edit is for; None for all.

    Args:
        context: With an armature that has poses.
        pose: Number of the only one; if negative those that are selected, or the active one.
        all_poses: All of them.
    """
    if all_poses:
        return None
    chosen = selected(context)
    return chosen if pose < 0 and len(chosen) > 1 else [active_pose(context, pose)]


def _settings(context: Context) -> Any:
    action: Any = scope.action_of(scope.edited_object(context))
    return action.motion_editing_staggered
