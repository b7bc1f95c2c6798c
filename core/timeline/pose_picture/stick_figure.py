"""The stick figure of a character: which points are drawn, what joins them and which joints they belong to."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...analysis import head_joint
from ...body import Body, Limb
from ...motion import Indices, Motion
from ...numerics import Array
from .figure import figure_of


@dataclass(frozen=True)
class StickFigure:
    """P points and the lines between them.

    Attributes:
        points: (F, P, 3) in the scene.
        joints: (P,) the joint that each belongs to.
        bones: Pairs of points, the joint that turns the bone first.
        head: Point in the middle of the head, or None.
        follows_channels: The points follow from the bones' channels; otherwise they were sampled.
    """

    points: Array
    joints: Indices
    bones: tuple[tuple[int, int], ...]
    head: int | None
    follows_channels: bool = True


def figure_of_motion(motion: Motion, body: Body) -> StickFigure:
    """The figure of a motion whose poses follow from its channels."""
    up = np.asarray(body.require("up axis").vector, dtype=np.float64)
    figure, count = figure_of(motion, up), len(motion.skeleton)
    rows = sorted({row for segment in figure.segments for row in (segment.start, segment.end)})
    place = {row: number for number, row in enumerate(rows)}
    points, joints = figure.points[:, rows], [row % count for row in rows]
    if figure.head is not None:
        points = np.concatenate([points, figure.head[:, None]], axis=1)
        joints.append(_head_joint(motion, body))
    bones = tuple((place[segment.start], place[segment.end]) for segment in figure.segments)
    return StickFigure(points, np.array(joints), bones, len(rows) if figure.head is not None else None)


def _head_joint(motion: Motion, body: Body) -> int:
    found = head_joint(motion.skeleton)
    return found if found is not None else body.head or 0


def figure_of_body(positions: Array, body: Body) -> StickFigure:
    """The figure of a body whose joints were sampled at (F, J, 3) places: only its own joints are drawn."""
    root = () if body.root is None else (body.root,)
    head = () if body.head is None else (body.head,)
    spine = tuple(dict.fromkeys((*root, *body.torso, *body.neck, *head)))
    chains = [spine] + [(*_carrier(body, limb.kind.is_leg), *_limb_line(limb)) for limb in body.limbs]
    joints = sorted({joint for chain in chains for joint in chain})
    place = {joint: number for number, joint in enumerate(joints)}
    bones = tuple(dict.fromkeys((place[one], place[other]) for chain in chains for one, other in pairwise(chain)))
    head_point = None if body.head is None else place[body.head]
    return StickFigure(positions[:, joints], np.array(joints), bones, head_point, follows_channels=False)


def _carrier(body: Body, is_leg: bool) -> tuple[int, ...]:
    """The joint of the torso that a limb hangs on."""
    torso = (body.root, *body.torso) if body.root is not None else body.torso
    return (torso[0] if is_leg else torso[-1],) if torso else ()


def _limb_line(limb: Limb) -> tuple[int, ...]:
    end = () if limb.end is None else (limb.end,)
    return tuple(dict.fromkeys((*limb.girdle, *limb.chain, *end)))
