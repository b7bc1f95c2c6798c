"""Staggered poses: see a motion as a few poses, change them as one thing, loosen the timing among body parts."""

from ..border.registration import call_if_loaded
from ..document import original_keys, pose_models
from ..interface import menus, strip
from . import operators, original, panel, pose_operators, settings, timing_operators
from .lane.poses_on_strip import PosesOnStrip
from .lane.stagger_lane import StaggerLane
from .pose_mode import posing_mode

classes = (
    *operators.classes,
    *posing_mode.classes,
    *timing_operators.classes,
    *pose_operators.classes,
    *panel.classes,
)

_window_timing = f"{__package__}.window_timing"
_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register settings, operators, panels and the lane on the strip."""
    _register()
    posing_mode.register()
    original_keys.listeners.append(original.follow)
    pose_models.add_model(_window_timing)
    strip.add_lane(StaggerLane(PosesOnStrip()))


def unregister() -> None:
    """Take back what register() did."""
    strip.remove_lane(StaggerLane.name)
    pose_models.remove_model(_window_timing)
    original_keys.listeners.remove(original.follow)
    posing_mode.unregister()
    _unregister()
    call_if_loaded(f"{__package__}.session", "forget")
