"""Characters of another structure: their parts follow the paths of the parts that they correspond to.

The source's motion is first put on a skeleton of the source's structure with the target's proportions.
Then the target moves so that corresponding parts go the same ways through space: a can that skips
like a person (motion editing chapter, 1.7.2.4).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..analysis.contacts import ContactSpans
from ..body import Body, find_body
from ..motion import Motion, Skeleton, with_scene_turns
from ..numerics import Array, quaternion
from ..solve import Chain, reach_with_chain
from ..solve.whole_body import moved
from .correspondence.mapping import JointMapping
from .correspondence.proposal import name_mapping
from .draft import Draft
from .options import RetargetOptions
from .proportions.proportions import with_proportions
from .report import Retargeted
from .transfer import retarget

# How much the present orientation counts beside directions to parts: only where these leave it open.
_OPEN = 1e-9


@dataclass(frozen=True, eq=False)
class PathsFollowed:
    """A motion whose parts follow paths.

    Attributes:
        motion: Of the target.
        adapted: The source's motion on a skeleton with the target's proportions.
        errors: By target joint with partner, the farthest that it is from its path, in units of the scene.
    """

    motion: Motion
    adapted: Retargeted
    errors: Mapping[str, float]


def follow_paths(
    motion: Motion,
    target_skeleton: Skeleton,
    mapping: JointMapping,
    *,
    source_body: Body,
    target_body: Body,
    contacts: ContactSpans | None = None,
    options: RetargetOptions | None = None,
) -> PathsFollowed:
    """Put a motion on a character of another structure.

    Args:
        mapping: Parts that correspond; three or four are enough.
        source_body: As for `retarget`.
        target_body: Its root and up axis are needed.
        contacts: Of source joints.
        options: As for `retarget`; they count for the last step alone.
    """
    partners = mapping.numbers(motion.skeleton, target_skeleton)
    between = with_proportions(motion.skeleton, target_skeleton, partners)
    body = find_body(between)
    own = name_mapping(motion.skeleton, between, source_body, body)
    adapted = retarget(motion, between, own, source_body=source_body, target_body=body, contacts=contacts)
    draft = Draft.build(
        adapted.motion,
        target_skeleton,
        mapping,
        bodies=(body, target_body),
        contacts=ContactSpans(),
        options=options or RetargetOptions(way_scale=1.0),
    )
    paths = {
        joint: draft.ground.turned(adapted.motion.poses.positions[:, partner]) for joint, partner in partners.items()
    }
    followed = _on_paths(draft.carried, int(target_body.require("root")), paths)
    errors = {
        target_skeleton.names[joint]: float(np.linalg.norm(followed.poses.positions[:, joint] - path, axis=1).max())
        for joint, path in paths.items()
    }
    return PathsFollowed(followed, adapted, errors)


def _on_paths(motion: Motion, root: int, paths: Mapping[int, Array]) -> Motion:
    """Move the root and turn joints, from the root down, so that all with paths are on them as nearly as can be."""
    skeleton = motion.skeleton
    orientations = motion.poses.rotations
    if root in paths:
        motion = moved(motion, root, paths[root] - motion.poses.positions[:, root])
    for joint in [root, *(each for each in skeleton.descendants(root) if each in paths)]:
        following = _next_with_paths(skeleton, joint, paths)
        if following:
            motion = _aimed(motion, joint, [chain[-1] for chain in following], paths)
            for chain in (each for each in following if len(each) > 1):
                motion = reach_with_chain(motion, Chain(tuple(chain)), paths[chain[-1]], softness=0.0)
        elif joint != root:
            turn = quaternion.multiply(orientations[:, joint], quaternion.conjugate(motion.poses.rotations[:, joint]))
            motion = with_scene_turns(motion, (joint,), (turn,))
    return motion


def _next_with_paths(skeleton: Skeleton, joint: int, paths: Mapping[int, Array]) -> list[list[int]]:
    """For each next joint below that has a path, the joints on the way to it."""
    found = []
    for end in (each for each in skeleton.descendants(joint) if each in paths):
        above = skeleton.ancestors(end)
        between = above[: above.index(joint)]
        if not any(each in paths for each in between):
            found.append([*reversed(between), end])
    return found


def _aimed(motion: Motion, joint: int, ends: list[int], paths: Mapping[int, Array]) -> Motion:
    """Turn a joint so that the ways to some joints below it point to their paths, in the sense of least squares."""
    places = motion.poses.positions
    own = places[:, ends] - places[:, joint, None]
    wanted = np.stack([paths[end] for end in ends], axis=1) - places[:, joint, None]
    sizes = np.einsum("fna,fna->f", own, own)
    products = np.einsum("fna,fnb->fab", wanted, own) + (_OPEN * sizes)[:, None, None] * np.eye(3)
    left, _, right = np.linalg.svd(products)
    mirrored = np.linalg.det(left @ right) < 0.0
    left[mirrored, :, -1] *= -1.0
    return with_scene_turns(motion, (joint,), (quaternion.from_matrix(left @ right),))
