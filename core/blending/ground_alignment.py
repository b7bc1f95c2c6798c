"""Bringing motions together on the ground before they are blended.

The mean of two places is a place between them, not a way: the mean of a walk to the left and one to the
right stands still. So travel is blended as speed and turning, seen from the character, and added up
again to one way that all are laid onto.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..analysis import GroundPath, feature_joints, ground_path, horizontal_alignment
from ..body import Body
from ..motion import GroundMove, Motion, matched
from ..numerics import Array
from .motion_blend import blend, checked_weights, mixed, refuse_other_frames


def align_on_ground(
    reference: Motion, other: Motion, body: Body, *, frame: int = 0, other_frame: int = 0, frames: int = 1
) -> GroundMove:
    """The one turn and shift along the ground that lay another motion onto a reference at a frame.

    Args:
        reference: Of the body's skeleton.
        other: With the same joints; it is moved as a whole.
        body: Its up axis is needed.
        frame: Frame of the reference.
        other_frame: Frame of the other motion that belongs to it.
        frames: How many frames from there on count, with the least sum of squared distances.
    """
    up = np.asarray(body.require("up axis").vector, dtype=np.float64)
    joints = list(feature_joints(body))
    fitting = matched(other, reference)
    onto = reference.part(frame, frame + frames).poses.positions[:, joints]
    points = fitting.part(other_frame, other_frame + frames).poses.positions[:, joints]
    angle, shift = horizontal_alignment(points.reshape(-1, 3), onto.reshape(-1, 3), up)
    return GroundMove.build(angle, shift, up, frames=len(other))


def along_one_path(motions: Sequence[Motion], weights: Any, body: Body, *, anchor: int | None = None) -> list[Motion]:
    """All motions laid onto the way whose speed and turning are the weighted means of theirs.

    As long as one motion has all the weight from the start on, it stays bit for bit.

    Args:
        motions: With the same frames and joint names.
        weights: As for `blend`.
        body: Of the first motion; its up axis is needed.
        anchor: Number of the motion that the way starts with; if not given, it starts at the weighted
            mean of their places and headings.
    """
    first = motions[0]
    fitting = [first, *(matched(other, first) for other in motions[1:])]
    refuse_other_frames(fitting)
    shares = checked_weights(weights, frames=len(first), count=len(fitting))
    paths = [ground_path(motion, body) for motion in fitting]
    starting = shares[0] if anchor is None else np.eye(len(fitting))[anchor]
    turns = _turns(paths, shares, starting)
    moves = _moves(paths, shares, starting, turns)
    return [move.applied(motion) for move, motion in zip(moves, fitting, strict=True)]


def blend_along_one_path(motions: Sequence[Motion], weights: Any, body: Body, *, anchor: int | None = None) -> Motion:
    """The weighted mean of motions that go different ways: laid onto one way, then blended.

    Args:
        motions: With the same frames and joint names, in step.
        weights: As for `blend`.
        body: Of the first motion; its up axis is needed.
        anchor: As for `along_one_path`.
    """
    return blend(along_one_path(motions, weights, body, anchor=anchor), weights)


def _turns(paths: list[GroundPath], shares: Array, starting: Array) -> Array:
    """(M, F) by how much each motion is turned to face along the common way.

    Differences to each motion are added up, not the common heading: they are exactly nothing as long
    as that motion has all the weight.
    """
    between = 0.5 * (shares[1:] + shares[:-1])
    steps = [path.heading_steps for path in paths]
    common = mixed(steps, between)
    headings = np.array([path.headings[0] for path in paths])
    mean = np.arctan2(starting @ np.sin(headings), starting @ np.cos(headings))
    away = np.where(starting == 1.0, 0.0, (mean - headings + np.pi) % (2.0 * np.pi) - np.pi)
    return np.stack(
        [np.concatenate([[start], start + np.cumsum(common - own)]) for start, own in zip(away, steps, strict=True)]
    )


def _moves(paths: list[GroundPath], shares: Array, starting: Array, turns: Array) -> list[GroundMove]:
    """How each motion is laid onto the common way."""
    between = 0.5 * (shares[1:] + shares[:-1])
    middle = 0.5 * (turns[:, 1:] + turns[:, :-1])
    up = paths[0].up
    own_steps = [np.diff(path.places, axis=0) for path in paths]
    turned = [
        steps + GroundMove.build(turn, np.zeros(3), up, frames=len(steps)).change_of(steps)
        for steps, turn in zip(own_steps, middle, strict=True)
    ]
    common = mixed(turned, between)
    start = mixed([path.places[:1] for path in paths], starting[None])
    away = (
        np.concatenate([start - path.places[:1], start - path.places[:1] + np.cumsum(common - steps, axis=0)])
        for path, steps in zip(paths, own_steps, strict=True)
    )
    return [
        GroundMove.about(turn, path.places, path.places + shift, up)
        for turn, path, shift in zip(turns, paths, away, strict=True)
    ]
