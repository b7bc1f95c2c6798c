"""The plain figure inside a control rig: the bones that show the pose, without controls and mechanism."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..body import Body, Part, find_body, read_name
from ..motion import Indices, InheritScale, Mask, Motion, Skeleton, motion_from_poses
from ..numerics import Array, quaternion
from . import matrices

# Rigify's mark of bones that lie where those of the skeleton lie that a rig was made from; and of those that deform.
SHOWN, _DEFORMING = "ORG-", "DEF-"
# Part of the figure's size within which the end of a bone and the start of the next one are the same place.
_SAME_PLACE = 1e-3
# Cosine of the angle below which a bone goes on in the direction of the one before.
_STRAIGHT = 0.999
# Names of bones that share the twist of a limb with the bone before; and numbers, by which such bones may differ.
_SEGMENT, _NUMBERS = re.compile(r"twist|roll|bend|segment", re.IGNORECASE), re.compile(r"\d+")
# Limbs that are cut into segments.
_CUT = frozenset({Part.THIGH, Part.LEG, Part.SHIN, Part.UPPER_ARM, Part.FOREARM})
# What some rigs add to the names of bones that show the pose.
_ADDED = re.compile(r"^(ORG-|DEF-)|_stretch(?=[._-]|$)|\.x$")


def shown_name(name: str) -> str:
    """What a bone is called in the plain figure; what deforms a mesh follows the bone of the same name."""
    return name.replace(_DEFORMING, SHOWN, 1).removeprefix(SHOWN) if name.startswith((SHOWN, _DEFORMING)) else ""


@dataclass(frozen=True, eq=False)
class Figure:
    """Which joints of a rig's skeleton make up a plain figure.

    Attributes:
        joints: (K,) numbers in the rig's skeleton; the first is the object.
        skeleton: The figure; its bones are called as in the rig.
    """

    joints: Indices
    skeleton: Skeleton

    @classmethod
    def of(cls, skeleton: Skeleton, deforming: Mask | None = None) -> "Figure":
        """Find trunk, limbs and fingers; a face is left out.

        Args:
            skeleton: Of the whole rig.
            deforming: (J,) the bones that move a mesh, where none is marked as a part of the figure.
        """
        everything = _shown(skeleton, deforming)
        whole = cls(np.array(everything), _part(skeleton, everything)).plain
        kept = _with_parents(whole, _parts_of(find_body(whole)))
        chosen = [everything[joint] for joint in kept]
        return cls(np.array(chosen), _part(skeleton, chosen))

    def placed(self, skeleton: Skeleton) -> "Figure":
        """The same figure where the rig's skeleton stands elsewhere."""
        return Figure(self.joints, _part(skeleton, self.joints.tolist()))

    @property
    def plain(self) -> Skeleton:
        """The skeleton named without what marks its bones in the rig."""
        names = [_ADDED.sub("", name) for name in self.skeleton.names]
        unique = tuple(
            own if names.count(own) == 1 else name for own, name in zip(names, self.skeleton.names, strict=True)
        )
        return replace(self.skeleton, names=unique)

    def body(self, motion: Motion | None = None) -> Body:
        """Its parts, by plain names and shape; with a motion of its own also how it stands in that."""
        plain = self.plain
        shown = None if motion is None else replace(motion, skeleton=plain)
        return replace(find_body(plain, motion=shown), skeleton=self.skeleton)

    def motion(self, like: Motion, poses: Array, placed: Array) -> Motion:
        """The motion of the figure.

        Args:
            like: Of the rig: its times.
            poses: (F, K - 1, 4, 4) matrices of the figure's bones in the space of the armature.
            placed: (F, 4, 4) of the object in the scene.
        """
        seen = placed[:, None] @ poses
        whole = np.concatenate([placed[:, None], seen], axis=1)
        turns = quaternion.sign_continuous(quaternion.from_matrix(matrices.axes(whole)))
        return motion_from_poses(like, self.skeleton, whole[..., :3, 3], turns)


def _shown(skeleton: Skeleton, deforming: Mask | None) -> list[int]:
    """The object and the bones that show the pose."""
    marked = [_twin(skeleton, joint) for joint, name in enumerate(skeleton.names) if name.startswith(SHOWN)]
    if marked or deforming is None or not deforming.any():
        return [0, *(marked or range(1, len(skeleton)))]
    chosen = np.flatnonzero(deforming).tolist()
    return [0, *(joint for joint in chosen if joint and not _is_segment(skeleton, joint, chosen))]


def _twin(skeleton: Skeleton, joint: int) -> int:
    """The bone that moves the mesh in the place of one that shows the pose, where it lies there as a whole."""
    twin = skeleton.index.get(skeleton.names[joint].replace(SHOWN, _DEFORMING, 1), joint)
    size = float(np.ptp(skeleton.rest_positions, axis=0).max())
    ends = skeleton.rest_positions + _ways_along(skeleton)
    away = max(np.linalg.norm(places[twin] - places[joint]) for places in (skeleton.rest_positions, ends))
    return twin if away < _SAME_PLACE * size else joint


def _is_segment(skeleton: Skeleton, joint: int, chosen: Sequence[int]) -> bool:
    """Whether a bone only goes on where another one ends, in its direction: limbs of rigs are cut so to twist."""
    name = skeleton.names[joint]
    is_cut = read_name(_ADDED.sub("", name)).part in _CUT
    if not is_cut and not _SEGMENT.search(name):
        return False
    ways, starts = _ways_along(skeleton), skeleton.rest_positions
    size = float(np.ptp(starts, axis=0).max())
    for other in chosen:
        meets = np.linalg.norm(starts[other] + ways[other] - starts[joint]) < _SAME_PLACE * size
        same = _NUMBERS.sub("", skeleton.names[other]) == _NUMBERS.sub("", name)
        if other != joint and meets and (same or _SEGMENT.search(name)):
            lengths = np.linalg.norm(ways[[other, joint]], axis=1).prod()
            return bool(ways[other] @ ways[joint] > _STRAIGHT * lengths)
    return False


def _parts_of(body: Body) -> set[int]:
    single = (joint for joint in (body.root, body.head) if joint is not None)
    limbs = (joint for limb in body.limbs for joint in (*limb.girdle, *limb.joints))
    return {0, *single, *body.torso, *body.neck, *limbs}


def _with_parents(skeleton: Skeleton, joints: Iterable[int]) -> list[int]:
    """The joints and all above them, in order."""
    return sorted({each for joint in joints for each in (joint, *skeleton.ancestors(joint))})


def _part(skeleton: Skeleton, joints: Sequence[int]) -> Skeleton:
    """A skeleton of some joints of another one, hung on each other as they lie."""
    chosen = list(joints)
    number = {joint: place for place, joint in enumerate(chosen)}
    parents = [-1, *(number[_joint_above(skeleton, joint, number)] for joint in chosen[1:])]
    free = np.zeros(len(chosen), dtype=np.bool_)
    per_joint: dict[str, Any] = {
        name: getattr(skeleton, name)[chosen] for name in ("rest_positions", "rest_rotations", "tips")
    }
    return replace(
        skeleton,
        names=tuple(skeleton.names[joint] for joint in chosen),
        parents=np.array(parents),
        connected=free,
        inherits_rotation=~free,
        local_location=~free,
        inherit_scale=np.full(len(chosen), InheritScale.FULL, dtype=np.int8),
        **per_joint,
    )


def _joint_above(skeleton: Skeleton, joint: int, chosen: dict[int, int]) -> int:
    """The chosen joint that this one hangs on, through controls; else the one that ends where it begins."""
    for above in skeleton.ancestors(joint)[:-1]:
        # What deforms a mesh follows the bone of the same name, and other bones may hang on either.
        for twin in (above, *_namesakes(skeleton, above)):
            part = shown_name(skeleton.names[twin])
            if twin in chosen and (not part or part != shown_name(skeleton.names[joint])):
                return twin
    earlier = [each for each in chosen if 0 < each != joint]
    ends = skeleton.rest_positions[earlier] + _ways_along(skeleton)[earlier]
    away = np.linalg.norm(ends - skeleton.rest_positions[joint], axis=1)
    size = float(np.ptp(skeleton.rest_positions, axis=0).max())
    if not len(away) or away.min() > _SAME_PLACE * size:
        return 0
    return earlier[int(np.argmin(away))]


def _namesakes(skeleton: Skeleton, joint: int) -> list[int]:
    """Bones that show, or deform, the same part as one."""
    plain = shown_name(skeleton.names[joint])
    names = (f"{mark}{plain}" for mark in (SHOWN, _DEFORMING) if plain)
    return [skeleton.index[name] for name in names if name in skeleton.index and skeleton.index[name] != joint]


def _ways_along(skeleton: Skeleton) -> Array:
    """(J, 3) from the start of every bone to its end, at rest."""
    return quaternion.rotate(skeleton.rest_rotations, skeleton.tips)
