"""Left and right exchanged: of a motion, of a part of it, or of an edit.

The mirror plane is that in which the rest pose is symmetric. With N the half turn about its normal, a
rotation D of a joint away from rest, told in the skeleton's axes, becomes N D N⁻¹ on the other side.
Told in the joints' own rest axes A and B, whatever these are, it is C D C⁻¹ with C = B⁻¹ N A.
"""

import re
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np

from ..analysis import ground_path
from ..analysis.contacts import ContactSpans
from ..body import Body, mirror_name, nearest_axis
from ..errors import MissingRoleError, SkeletonMismatchError
from ..motion import GroundMove, Motion, Skeleton
from ..numerics import Array, quaternion

# Cosine of the angle to an axis from which on a nearly symmetric captured skeleton is mirrored along it.
_ALONG_AXIS = 0.95
# Share of a skeleton's extent by which its sides may differ and still be alike.
_EVEN = 1e-3
_ARRAYS = ("rotations", "locations", "scales", "scalars")
# A name within the quotes of a path.
_QUOTED = re.compile(r'(?<=\[")(?:[^"\\]|\\.)*(?="\])')


class MirrorAbout(Enum):
    """Where the mirrored character goes."""

    HEADING = "heading"  # It starts at the same place and in the same direction.
    START = "start"  # It starts at the same place; directions are those seen in the rest pose's mirror.
    REST = "rest"  # Places and directions are those seen in the rest pose's mirror.


@dataclass(frozen=True, eq=False)
class Mirror:
    """How a skeleton's channels go over to the other side.

    Attributes:
        partner: (J,) the joint on the other side, or the joint itself.
        turns: (J, 4) C of each joint, which takes its partner's rotations.
        moves: (J, 3, 3) what takes the partner's locations.
        kept: (J,) true for what is no part of the body: the object that places the skeleton.
    """

    partner: Any
    turns: Array
    moves: Array
    kept: Any

    @classmethod
    def of(cls, body: Body) -> "Mirror":
        """The mirror of a body.

        Raises:
            MissingRoleError: Nothing tells left from right.
        """
        skeleton, partner = body.skeleton, body.mirror
        normal = mirror_normal(body)
        half_turn = np.concatenate([[0.0], normal])
        own, across = skeleton.rest_rotations, quaternion.multiply(half_turn, skeleton.rest_rotations[partner])
        axes = quaternion.to_matrix(_location_axes(skeleton))
        reflection = np.eye(3) - 2.0 * np.outer(normal, normal)
        kept = np.zeros(len(skeleton), dtype=np.bool_)
        kept[0] = skeleton.has_placement
        turns = quaternion.multiply(quaternion.conjugate(own), across)
        return cls(partner, turns, np.swapaxes(axes, 1, 2) @ reflection @ axes[partner], kept)

    def rotations(self, rotations: Array) -> Array:
        """(..., J, 4) seen in the mirror."""
        partners = rotations[..., self.partner, :]
        seen = quaternion.multiply(self.turns, quaternion.multiply(partners, quaternion.conjugate(self.turns)))
        return np.where(self.kept[:, None], rotations, seen)

    def rotation_vectors(self, vectors: Array) -> Array:
        """(..., J, 3) rotation vectors in the joints' own axes, seen in the mirror."""
        seen = quaternion.rotate(self.turns, vectors[..., self.partner, :])
        return np.where(self.kept[:, None], vectors, seen)

    def locations(self, locations: Array) -> Array:
        """(..., J, 3) seen in the mirror."""
        seen = np.einsum("jrc,...jc->...jr", self.moves, locations[..., self.partner, :])
        return np.where(self.kept[:, None], locations, seen)

    def scales(self, scales: Array) -> Array:
        """(..., J, 3) seen in the mirror; exact where the axes of both sides mirror each other."""
        shares = quaternion.to_matrix(self.turns) ** 2
        seen = np.einsum("jrc,...jc->...jr", shares, scales[..., self.partner, :])
        even = (scales == scales[..., :1]).all(axis=-1, keepdims=True)[..., self.partner, :]
        seen = np.where(even, scales[..., self.partner, :], seen)
        return np.where(self.kept[:, None], scales, seen)


def mirrored(
    motion: Motion,
    body: Body,
    *,
    about: MirrorAbout = MirrorAbout.HEADING,
    first: int = 0,
    last: int | None = None,
) -> Motion:
    """Exchange left and right.

    Joints without partner are mirrored in themselves. For a skeleton that is symmetric at rest every
    joint is where the mirror shows its partner. Doing it twice gives back the motion. Scalar channels
    whose names are each other's mirror image are exchanged.

    Args:
        motion: Of the body's skeleton.
        body: Its pairs are used, and its up axis unless the mirror is that of the rest pose.
        about: Where the mirrored character goes.
        first: First frame of the part to mirror; all others stay bit for bit.
        last: Last frame of the part; the motion's last if not given.

    Raises:
        MissingRoleError: Nothing tells left from right, or the up axis is not known.
        SkeletonMismatchError: The body is one of another skeleton.
    """
    if body.skeleton.names != motion.skeleton.names:
        raise SkeletonMismatchError("The motion and the character set-up differ in bones; set the character up again")
    end = len(motion) if last is None else last + 1
    if not 0 <= first < end <= len(motion):
        raise ValueError(f"Frames {first} to {end - 1} are no part of the motion's frames 0 to {len(motion) - 1}")
    part = motion.part(first, end)
    changed = _placed(part, _in_mirror(part, Mirror.of(body)), body, about)
    return changed if len(part) == len(motion) else _with_part(motion, changed, first)


def sides_are_even(motion: Motion, after: Motion, body: Body) -> bool:
    """Whether every joint of a mirror image is where the mirror shows its partner: the skeleton's sides are alike.

    Args:
        motion: As it was.
        after: Its mirror image, frame by frame.
        body: Its pairs are used; one without a root, or whose root has a partner, has no sides that could be even.
    """
    root, poses = body.root, after.poses
    if root is None or body.mirror[root] != root:
        return False
    normal = quaternion.rotate(quaternion.conjugate(motion.skeleton.rest_rotations[root]), mirror_normal(body))
    below = list(body.skeleton.descendants(root))
    ways = motion.poses.positions[:, body.mirror[below]] - motion.poses.positions[:, [root]]
    own = quaternion.rotate(quaternion.conjugate(motion.poses.rotations[:, [root]]), ways)
    seen = quaternion.rotate(poses.rotations[:, [root]], own - 2.0 * (own @ normal)[..., None] * normal)
    away = np.abs(poses.positions[:, [root]] + seen - poses.positions[:, below]).max(initial=0.0)
    return bool(away < _EVEN * np.ptp(body.skeleton.rest_positions, axis=0).max())


def mirrored_contacts(contacts: ContactSpans, body: Body) -> ContactSpans:
    """The contacts on the other side."""
    names, partner = body.skeleton.names, body.mirror
    return ContactSpans({names[partner[body.skeleton.index[name]]]: contacts.of(name) for name in contacts.joints})


def mirror_normal(body: Body) -> Array:
    """(3,) unit vector from right to left at rest, in the skeleton's axes.

    Raises:
        MissingRoleError: The body has neither pairs nor a forward axis.
    """
    if body.pairs:
        left, right = np.array(body.pairs).T
        places = body.skeleton.rest_positions
        across = (places[left] - places[right]).sum(axis=0)
    elif body.up is not None and body.forward is not None:
        across = np.cross(body.up.vector, body.forward.vector)
    else:
        raise MissingRoleError("Nothing tells left from right: set pairs or the forward axis in the Character panel")
    length = float(np.linalg.norm(across))
    if length == 0.0:
        raise MissingRoleError("All pairs lie in one place: set pairs of bones that are apart in the Character panel")
    axis = nearest_axis(across, certainty=_ALONG_AXIS)
    normal: Array = across / length if axis is None else axis.vector
    return normal


def mirrored_names(names: tuple[str, ...]) -> list[int]:
    """For each name the place of its mirror image among the names, or its own."""
    index = {name: number for number, name in enumerate(names)}
    return [
        next((index[other] for other in mirror_paths(name) if other in index), number)
        for number, name in enumerate(names)
    ]


def mirror_paths(path: str) -> tuple[str, ...]:
    """What a scalar channel may be called on the other side, the likeliest first.

    In a path such as `pose.bones["hand.L"]["fist"]` only what is quoted names something: all of it may have
    sides, or the first name alone.
    """
    quoted = list(_QUOTED.finditer(path))
    if not quoted:
        return (mirror_name(path),)
    first = quoted[0]
    return (
        _QUOTED.sub(lambda found: mirror_name(found.group()), path),
        path[: first.start()] + mirror_name(first.group()) + path[first.end() :],
    )


def _in_mirror(motion: Motion, mirror: Mirror) -> Motion:
    # What carries the one side carries the other one then, and hangs on what the partners hung on.
    carriers, skeleton, partner = motion.carriers, motion.skeleton, mirror.partner
    if carriers is not None:
        moved, turned = (tuple(int(partner[joint]) for joint in each) for each in (carriers.moved, carriers.turned))
        carriers = replace(carriers, moved=moved, turned=turned)
        above = skeleton.parents[partner]
        skeleton = replace(skeleton, parents=np.where(above < 0, above, partner[above]))
    return replace(
        motion,
        skeleton=skeleton,
        carriers=carriers,
        rotations=quaternion.sign_continuous(mirror.rotations(motion.rotations)),
        locations=mirror.locations(motion.locations),
        scales=mirror.scales(motion.scales),
        scalars=motion.scalars[:, mirrored_names(motion.scalar_names)],
    )


def _placed(motion: Motion, seen: Motion, body: Body, about: MirrorAbout) -> Motion:
    """The mirrored motion carried to where the original starts."""
    if about is MirrorAbout.REST:
        return seen
    before, after = (ground_path(each.part(0, 1), body) for each in (motion, seen))
    angle = before.headings[0] - after.headings[0] if about is MirrorAbout.HEADING else 0.0
    once = GroundMove.about([angle], after.places, before.places, before.up)
    return GroundMove.build(once.angles, once.shifts, once.up, frames=len(seen)).applied(seen)


def _with_part(motion: Motion, part: Motion, first: int) -> Motion:
    """The motion with some frames exchanged, all others bit for bit as they were."""
    rows = slice(first, first + len(part))
    arrays: dict[str, Any] = {name: np.array(getattr(motion, name)) for name in _ARRAYS}
    for name, values in arrays.items():
        values[rows] = getattr(part, name)
    near = motion.rotations[first]
    sign = np.where(quaternion.dot(arrays["rotations"][first], near) < 0.0, -1.0, 1.0)
    arrays["rotations"][rows] *= sign[..., None]
    return replace(motion, **arrays)


def _location_axes(skeleton: Skeleton) -> Array:
    """(J, 4) orientation at rest, in the skeleton's axes, of the axes in which locations are told."""
    above = np.concatenate([skeleton.rest_rotations, quaternion.identity(1)])[skeleton.parents]
    return np.where(skeleton.local_location[:, None], skeleton.rest_rotations, above)
