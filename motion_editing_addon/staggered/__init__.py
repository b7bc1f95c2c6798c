"""Staggered poses: see a motion as a few poses, change them as one thing, loosen the timing among body parts."""

from ..border.lazy_modules import is_loaded, lazy_submodules

__getattr__ = lazy_submodules(__name__)

from ..border.registration import classes_of
from ..document import motion_changes, original_keys, pose_models
from ..interface import menus, strip
from . import operators, panel, pose_operators, session, settings, timing_operators
from .lane import list_icons
from .lane.poses_on_strip import PosesOnStrip
from .lane.stagger_lane import StaggerLane
from .overlap import overlap_operators
from .pose_mode import posing_mode

classes = classes_of(operators, posing_mode, timing_operators, pose_operators, overlap_operators, panel)

_restore = original_keys.listener_in(f"{__package__}.follower")
_follow = motion_changes.follower_in(f"{__package__}.follower")
_window_timing = f"{__package__}.window_timing"
_register, _unregister = menus.registration(classes, panel.draw_menu, settings=settings)


def register() -> None:
    """Register settings, operators, panels and the lane on the strip."""
    _register()
    posing_mode.register()
    motion_changes.add_follower(_follow)
    original_keys.listeners.append(_restore)
    pose_models.add_model(_window_timing)
    strip.add_lane(StaggerLane(PosesOnStrip()))


def unregister() -> None:
    """Take back what register() did."""
    strip.remove_lane(StaggerLane.name)
    pose_models.remove_model(_window_timing)
    original_keys.listeners.remove(_restore)
    motion_changes.remove_follower(_follow)
    posing_mode.unregister()
    _unregister()
    if is_loaded(session):
        session.forget()
    if is_loaded(list_icons):
        list_icons.forget()
