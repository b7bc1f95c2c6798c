"""The pose timeline: key poses, their views, and the parts of a motion that are alike."""

from .key_poses import KeyPoses, key_poses, rank_key_poses
from .lookup import EmptyWindowError, propagation_windows
from .match_web import MatchOptions, MatchWeb, match_web, weave_match_web
from .projection import ViewBy, view_angles
from .propagation_windows import PropagationWindow, without_overlaps

__all__ = [
    "EmptyWindowError",
    "KeyPoses",
    "MatchOptions",
    "MatchWeb",
    "PropagationWindow",
    "ViewBy",
    "key_poses",
    "match_web",
    "propagation_windows",
    "rank_key_poses",
    "view_angles",
    "weave_match_web",
    "without_overlaps",
]
