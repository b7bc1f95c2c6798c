"""Staggered poses: see a motion as a few poses, change them as one thing, loosen the timing among body parts."""

from ..border.registration import call_if_loaded
from ..document import original_keys
from ..interface import menus, strip
from . import operators, original, panel, pose_operators, settings, timing_operators
from .lane.poses_on_strip import PosesOnStrip
from .lane.stagger_lane import StaggerLane
from .pose_mode import posing_mode

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "pose_edit",
    "session",
]


classes = (
    *operators.classes,
    *posing_mode.classes,
    *timing_operators.classes,
    *pose_operators.classes,
    *panel.classes,
)

_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register settings, operators, panels and the lane on the strip."""
    _register()
    posing_mode.register()
    original_keys.listeners.append(original.follow)
    strip.add_lane(StaggerLane(PosesOnStrip()))


def unregister() -> None:
    """Take back what register() did."""
    strip.remove_lane(StaggerLane.name)
    original_keys.listeners.remove(original.follow)
    posing_mode.unregister()
    _unregister()
    call_if_loaded(f"{__package__}.session", "forget")
