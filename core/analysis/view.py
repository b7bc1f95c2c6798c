"""From which side a motion is looked at, and which parts of a skeleton are drawn how."""

import re
from typing import Any

import numpy as np

from ..motion import Motion, Skeleton
from ..numerics import Array

_LEFT = re.compile(r"(?:^|[^a-z])(?:l|left)(?:$|[^a-z])|left", re.IGNORECASE)
_RIGHT = re.compile(r"(?:^|[^a-z])(?:r|right)(?:$|[^a-z])|right", re.IGNORECASE)
_CAMEL_SIDE = re.compile(r"^([lrLR])[A-Z][a-z]")


def screen_axes(view: float, up: Any) -> tuple[Array, Array, Array]:
    """Unit vectors to the right, up and towards the viewer.

    Args:
        view: Degrees around the vertical; 0 has the x axis to the right, which shows
            the front of a figure that faces -y with z up, or z with y up; 90 shows its left side.
        up: Axis that points up.
    """
    vertical = np.asarray(up, dtype=np.float64) / np.linalg.norm(up)
    # The x axis, or y where x points up.
    across = np.eye(3)[0 if abs(vertical[0]) < 0.9 else 1]
    across = across - (across @ vertical) * vertical
    across /= np.linalg.norm(across)
    deep = np.cross(vertical, across)
    angle = np.radians(view)
    right = np.cos(angle) * across + np.sin(angle) * deep
    return right, vertical, np.cross(right, vertical)


def best_view(motion: Motion, *, up: Any = (0.0, 0.0, 1.0)) -> float:
    """Angle in degrees for `screen_axes` from which the limbs spread widest, moving to the right."""
    across, _, towards = screen_axes(0.0, up)
    flat = points_of(motion) @ np.stack([across, -towards], axis=1)
    root = flat[:, :1]
    spread = (flat - root).reshape(-1, 2)
    values, vectors = np.linalg.eigh(spread.T @ spread)
    widest = vectors[:, int(np.argmax(values))]
    travel = flat[-1, 0] - flat[0, 0]
    turned = float(travel @ widest)
    # Without travel the first horizontal axis points to the right, as in a plain front view.
    forward = turned if abs(turned) > 1e-9 else float(widest @ [1.0, 1e-3])
    return float(np.degrees(np.arctan2(widest[1], widest[0]) + (np.pi if forward < 0.0 else 0.0)))


def points_of(motion: Motion) -> Array:
    """(F, 2 J, 3) joints, then tips of their bones.

    Of the object that carries the bones nothing is drawn: its points go where the first bone is,
    lest it takes up room in the picture where it was left behind.
    """
    points = np.concatenate([motion.poses.positions, motion.poses.tips], axis=1)
    if motion.skeleton.has_placement and len(motion.skeleton) > 1:
        points[:, [0, len(motion.skeleton)]] = points[:, 1:2]
    return points


def side_of(name: str) -> str:
    """'left', 'right' or 'middle', by the ways in which rigs name their sides."""
    camel = _CAMEL_SIDE.match(name)
    if camel:
        return "left" if camel[1] in "lL" else "right"
    left, right = bool(_LEFT.search(name)), bool(_RIGHT.search(name))
    return "middle" if left == right else "left" if left else "right"


def head_joint(skeleton: Skeleton) -> int | None:
    """The topmost joint that is named a head; none where no name says so."""
    heads = [joint for joint, name in enumerate(skeleton.names) if "head" in name.lower()]
    return min(heads, key=lambda joint: len(skeleton.ancestors(joint)), default=None)
