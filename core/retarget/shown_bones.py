"""The plain figure inside the skeleton of a control rig: bones that show the pose, without controls and mechanism.

Rigify calls them ORG: each lies where a bone of the skeleton lies that the rig was made from.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..analysis.contacts import ContactSpans
from ..body import Body, find_body
from ..motion import Indices, InheritScale, Skeleton
from ..numerics import Array, quaternion

# What marks bones that show the pose, and those that deform a mesh.
SHOWN, _DEFORMING = "ORG-", "DEF-"
# Part of the figure's size within which the end of a bone and the start of the next one are the same place.
_SAME_PLACE = 1e-3


def shown_name(name: str) -> str:
    """What a bone is called in the plain figure; what deforms a mesh follows the bone of the same name."""
    return name.replace(_DEFORMING, SHOWN, 1).removeprefix(SHOWN) if name.startswith((SHOWN, _DEFORMING)) else ""


@dataclass(frozen=True, eq=False)
class ShownBones:
    """Which joints of a control rig's skeleton make up a plain figure.

    Attributes:
        joints: (K,) numbers in the rig's skeleton; the first is the object.
        skeleton: The figure, named without what marks its bones in the rig.
    """

    joints: Indices
    skeleton: Skeleton

    @classmethod
    def of(cls, skeleton: Skeleton) -> "ShownBones":
        """Find trunk, limbs and fingers; a face is left out."""
        everything = [0, *(joint for joint, name in enumerate(skeleton.names) if name.startswith(SHOWN))]
        whole = cls(np.array(everything), _part(skeleton, everything))
        body = find_body(whole.skeleton)
        kept = _with_parents(whole.skeleton, _parts_of(body))
        chosen = [everything[joint] for joint in kept]
        return cls(np.array(chosen), _part(skeleton, chosen))

    def contacts(self, contacts: ContactSpans) -> ContactSpans:
        """Contacts of controls, such as 'foot_ik.L', as those of the bones that they place."""
        plain = {name: name.replace("_ik", "").replace("_fk", "").removeprefix(SHOWN) for name in contacts.joints}
        known = {name: shown for name, shown in plain.items() if shown in self.skeleton.index}
        return ContactSpans({shown: contacts.of(name) for name, shown in known.items()})


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
        names=tuple(skeleton.names[joint].removeprefix(SHOWN) for joint in chosen),
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
        # What deforms a mesh follows the bone of the same name, and other bones may hang on it.
        twin = skeleton.index.get(skeleton.names[above].replace(_DEFORMING, SHOWN, 1), above)
        if twin in chosen and twin != joint:
            return twin
    earlier = [each for each in chosen if 0 < each != joint]
    ends = skeleton.rest_positions[earlier] + _ways_along(skeleton)[earlier]
    away = np.linalg.norm(ends - skeleton.rest_positions[joint], axis=1)
    size = float(np.ptp(skeleton.rest_positions, axis=0).max())
    if not len(away) or away.min() > _SAME_PLACE * size:
        return 0
    return earlier[int(np.argmin(away))]


def _ways_along(skeleton: Skeleton) -> Array:
    """(J, 3) from the start of every bone to its end, at rest."""
    return quaternion.rotate(skeleton.rest_rotations, skeleton.tips)
