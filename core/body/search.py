"""Finding the parts of a body in a skeleton."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..motion import Motion, Skeleton
from ..numerics import Array, Recent
from . import limb_search, measure, shape_search, symmetry
from .description import Body
from .hierarchy import Hierarchy
from .joint_names import Part
from .limb import Limb, LimbKind, numbered

# Rotations (as quaternion components) and locations that change by less than this do not move.
_STILL = 1e-6


def find_body(skeleton: Skeleton, *, motion: Motion | None = None, positions: Any = None) -> Body:
    """Find a character's parts by the names of its joints, their hierarchy and their rest pose.

    Names decide where they speak; a skeleton whose names say nothing is judged by its
    symmetry. What cannot be told stays empty.

    Args:
        motion: Makes up axis and height those of the motion, and shows which controls are
            in use.
        positions: (F, J, 3) joints in the scene, for rigs whose constraints move them
            elsewhere than their channels say.
    """
    if motion is None or motion.skeleton is not skeleton:
        return _found(skeleton, motion, positions)
    return motion.fact("body", lambda: _found(skeleton, motion, positions), positions=positions)


def _found(skeleton: Skeleton, motion: Motion | None, positions: Any) -> Body:
    if not len(skeleton):
        return Body(skeleton)
    tree, body = _known_parts(skeleton, _Activity(motion))
    rest, rest_tips = measure.rest_pose(skeleton, motion)
    figure = measure.Figure(
        joints=tree.joints,
        trunk=_in_order(body.root, *body.torso, *body.neck, body.head),
        limbs=body.limbs,
        rest=rest,
        rest_tips=rest_tips,
        moving=_moving(motion, positions),
        places=skeleton.has_placement,
    )
    if measure.stands_on_hands(figure):
        figure = replace(figure, limbs=limb_search.four_legged(body.limbs))
    up = measure.find_up(figure)
    forward, height = measure.find_forward(figure, up), measure.find_height(figure, up)
    return replace(body, limbs=numbered(figure.limbs), up=up, forward=forward, height=height)


class _Activity:
    """Tells of a joint whether its channels change, and remembers what was asked."""

    def __init__(self, motion: Motion | None) -> None:
        self._motion = motion
        self.answers: dict[int, bool] = {}

    def __call__(self, joint: int) -> bool:
        if joint not in self.answers:
            self.answers[joint] = self._moves(joint)
        return self.answers[joint]

    def _moves(self, joint: int) -> bool:
        motion = self._motion
        if motion is None or not len(motion):
            return False
        channels = (motion.rotations, motion.locations, motion.scales)
        return any(float(np.ptp(values[:, joint], axis=0).max()) > _STILL for values in channels)


def _known_parts(skeleton: Skeleton, moves: _Activity) -> tuple[Hierarchy, Body]:
    """Everything but the measures; searched once for a skeleton whose joints that were asked for move or do not."""
    known = _searched.get(skeleton.content)
    if known is None or any(moves(joint) != answer for joint, answer in known.answers.items()):
        tree = Hierarchy.of(skeleton)
        known = _searched.keep(skeleton.content, _Parts(tree, _parts(tree, moves), moves.answers))
    return known.tree, replace(known.body, skeleton=skeleton)


class _Parts(NamedTuple):
    """The parts of a skeleton, and what was known of its movement when they were found."""

    tree: Hierarchy
    body: Body
    answers: dict[int, bool]


_searched: Recent[bytes, _Parts] = Recent(8)


def _parts(tree: Hierarchy, moves: _Activity) -> Body:
    skeleton = tree.skeleton
    limbs = limb_search.find_limbs(tree, moves)
    head = _head(tree, limbs)
    pairs = symmetry.pairs_by_name(skeleton)
    if not limbs:
        limbs, top, mirrored = shape_search.find_by_shape(tree, skeleton.rest_positions)
        head, pairs = top if head is None else head, pairs or mirrored
    root = _root(tree, limbs, head, moves)
    torso, neck = _trunk(tree, root, limbs, head)
    return Body(skeleton, root, torso, neck, head, limbs, pairs)


def _in_order(*joints: int | None) -> tuple[int, ...]:
    """The joints that are known, each once."""
    return tuple(dict.fromkeys(joint for joint in joints if joint is not None))


def _moving(motion: Motion | None, positions: Any) -> Array | None:
    if positions is not None:
        return np.asarray(positions, dtype=np.float64)
    return None if motion is None or not len(motion) else motion.poses.positions


def _head(tree: Hierarchy, limbs: tuple[Limb, ...]) -> int | None:
    """The topmost joint called head; else what carries the face; else the last joint of the spine."""
    heads = tree.labelled(Part.HEAD)
    if heads:
        return min(heads, key=lambda joint: len(tree.above(joint)))
    for face in tree.labelled(Part.FACE):
        parent = tree.parent[face]
        is_head = parent >= 0 and tree.labels[parent].part is not Part.NECK
        return parent if is_head else face
    chest = tree.common_ancestor(_upper_limbs(limbs))
    return None if chest is None else _end_of_spine(tree, chest)


def _upper_limbs(limbs: tuple[Limb, ...]) -> list[int]:
    """First joints of what hangs on the chest."""
    kinds = (LimbKind.ARM, LimbKind.FORE_LEG, LimbKind.WING)
    return [limb.chain[0] for limb in limbs if limb.kind in kinds]


def _end_of_spine(tree: Hierarchy, chest: int) -> int | None:
    """The last joint above the chest that is still called spine, or what the neck carries.

    None if the chest or the neck is the last joint.
    """
    line = [chest]
    while onward := [child for child in tree.children[line[-1]] if tree.labels[child].part in (Part.SPINE, Part.NECK)]:
        line.append(max(onward, key=lambda child: tree.sizes[child]))
    if tree.labels[line[-1]].part is Part.NECK:
        carried = tree.children[line[-1]]
        return carried[0] if len(carried) == 1 and tree.labels[carried[0]].part is None else None
    return line[-1] if len(line) > 1 else None


def _root(tree: Hierarchy, limbs: tuple[Limb, ...], head: int | None, moves: _Activity) -> int | None:
    """The joint from which legs and trunk hang.

    Without legs it is the pelvis above, or the top of the tree. The joint that places the
    skeleton is the root only if it alone moves or there is no other joint.
    """
    skeleton = tree.skeleton
    if skeleton.has_placement and (not tree.joints or (moves(0) and not any(map(moves, range(1, len(skeleton)))))):
        return 0
    anchors = [limb.chain[0] for limb in limbs] + ([] if head is None else [head])
    shared = tree.common_ancestor(anchors)
    if shared is None:
        return anchors[0] if anchors else _top(tree)
    line = [shared, *tree.above(shared)]
    if any(limb.kind.is_leg for limb in limbs):
        return _torso_control(tree, _from_the_pelvis(tree, line))
    return next((joint for joint in line if tree.labels[joint].part is Part.PELVIS), line[-1])


def _from_the_pelvis(tree: Hierarchy, line: list[int]) -> list[int]:
    """A joint and those above it, from the pelvis on where all that this carries hangs on the first of the spine."""
    spine, above = tree.labels[line[0]], line[1:]
    pelvis = above and tree.labels[above[0]].part is Part.PELVIS and tree.children[above[0]] == line[:1]
    return above if pelvis and spine.part is Part.SPINE and not spine.control else line


def _torso_control(tree: Hierarchy, line: list[int]) -> int:
    """The first of a joint and those above it; passing over FK controls of the spine to what moves them all."""
    if tree.labels[line[0]].control != "fk":
        return line[0]
    trunk = [joint for joint in line if tree.labels[joint].part in (Part.SPINE, Part.PELVIS)]
    return next((joint for joint in trunk if not tree.labels[joint].control), line[0])


def _top(tree: Hierarchy) -> int | None:
    """The top of the tree if there is one tree, or one that is larger than every other."""
    tops = sorted(tree.children[-1], key=lambda joint: -tree.sizes[joint])
    if len(tops) > 1 and tree.sizes[tops[0]] == tree.sizes[tops[1]]:
        return None
    return tops[0] if tops else None


def _trunk(
    tree: Hierarchy, root: int | None, limbs: tuple[Limb, ...], head: int | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Torso and neck: the ways from root to chest and from chest to head, without the head."""
    if root is None or root not in tree.labels:
        return (), ()
    upper = _upper_limbs(limbs)
    chest = tree.common_ancestor([*upper, *(() if head is None else (head,))])
    while chest is not None and tree.labels[chest].part is Part.NECK and chest != root:
        chest = tree.parent[chest] if tree.parent[chest] >= 0 else None
    if chest is None:
        return (root,) if limbs else (), ()
    neck = tree.path(chest, head)[1:-1] if head is not None else ()
    named = [place for place, joint in enumerate(neck) if tree.labels[joint].part is Part.NECK]
    below = named[0] if named else (0 if upper else len(neck))
    torso = _torso_controls(tree, root) or (*tree.path(root, chest), *neck[:below])
    return torso, tuple(joint for joint in neck[below:] if joint not in torso)


def _torso_controls(tree: Hierarchy, root: int) -> tuple[int, ...]:
    """Root, hips and chest of a rig whose controls for them hang side by side, else nothing."""
    beside = [
        joint
        for joint in tree.children[root]
        if tree.labels[joint].part in (Part.PELVIS, Part.SPINE) and not tree.labels[joint].control
    ]
    if not any(tree.labels[joint].control for joint in tree.children[root]) or len(beside) < 2:
        return ()
    return (root, *sorted(beside, key=lambda joint: tree.labels[joint].part is not Part.PELVIS))
