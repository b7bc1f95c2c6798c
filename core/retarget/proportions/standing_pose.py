"""The pose in which two skeletons are compared: the rest pose, or a frame that shows them standing alike."""

from dataclasses import dataclass

import numpy as np

from ...body import Body, Side
from ...motion import Motion, Skeleton
from ...numerics import Array, quaternion
from ..feet.soles import sole_pitch, with_flat_soles

# Least share of trunk and legs, laid out straight, that a standing body measures.
_STRAIGHT = 0.5


@dataclass(frozen=True, eq=False)
class StandingPose:
    """A skeleton in the pose in which it is compared with another one.

    Attributes:
        motion: One frame: the pose's channels.
        body: The parts of the body.
        at_rest: It is the rest pose.
    """

    motion: Motion
    body: Body
    at_rest: bool

    @property
    def skeleton(self) -> Skeleton:
        """Its joints."""
        return self.motion.skeleton

    @property
    def places(self) -> Array:
        """(J, 3) joints in the scene."""
        return np.asarray(self.motion.poses.positions[0])

    @property
    def tips(self) -> Array:
        """(J, 3) ends of bones in the scene."""
        return np.asarray(self.motion.poses.tips[0])

    @property
    def turns(self) -> Array:
        """(J, 4) orientation of joints in the scene."""
        return np.asarray(self.motion.poses.rotations[0])

    @property
    def up(self) -> Array:
        """(3,) away from the ground."""
        axis: Array = self.body.require("up axis").vector
        return axis

    @property
    def facing(self) -> Array | None:
        """(3,) level direction that the body faces; None if it cannot be told."""
        if self.at_rest and self.body.forward is not None:
            return self.body.forward.vector
        starts = [
            [self.places[limb.chain[0]] for limb in self.body.limbs if limb.side is side and limb.chain]
            for side in (Side.LEFT, Side.RIGHT)
        ]
        if not all(starts):
            return None
        across = np.mean(starts[0], axis=0) - np.mean(starts[1], axis=0)
        level = np.cross(across, self.up)
        length = float(np.linalg.norm(level))
        return level / length if length > 1e-9 * float(np.linalg.norm(across)) > 0.0 else None

    def level_of(self, joints: list[int]) -> float:
        """Height of the lowest of some joints."""
        return float((self.places[joints] @ self.up).min())


def standing_pose(skeleton: Skeleton, body: Body, pose: Motion | None, motion: Motion | None = None) -> StandingPose:
    """The pose to compare.

    Args:
        body: Its parts.
        pose: One that shows it standing; the rest pose if not given. Its first frame counts, others tell how flat
            its soles lie.
        motion: Places the skeleton in the scene; its first frame stands in for a rest pose that does not stand.
    """
    if pose is not None:
        first = pose.part(0, 1)
        return StandingPose(first, body, True) if _shows_rest(first) else _first_frame(pose, body)
    rest = Motion.build(skeleton, quaternion.identity(1, len(skeleton)), rate=1.0)
    if motion is not None:
        rest = _placed_as(rest, motion)
    at_rest = StandingPose(rest, body, True)
    if motion is None or _stands(at_rest):
        return at_rest
    return _first_frame(motion, body)


def _first_frame(motion: Motion, body: Body) -> StandingPose:
    """The first frame of a motion, with soles as flat as the others show them to lie on the floor."""
    first, pitch = motion.part(0, 1), sole_pitch(motion, body) if len(motion) > 1 else None
    return StandingPose(first if pitch is None else with_flat_soles(first, body, pitch), body, False)


def _shows_rest(pose: Motion) -> bool:
    """Whether no joint is away from the rest pose, wherever the object that carries them stands."""
    own = slice(1 if pose.skeleton.has_placement else 0, None)
    turned = np.abs(pose.rotations[0, own, 1:]).max(initial=0.0)
    return bool(turned == 0.0 and (pose.locations[0, own] == 0.0).all() and (pose.scales[0, own] == 1.0).all())


def _placed_as(rest: Motion, motion: Motion) -> Motion:
    """A rest pose carried by the object as in a motion's first frame."""
    if not rest.skeleton.has_placement:
        return rest
    channels = {name: np.array(getattr(rest, name)) for name in ("rotations", "locations", "scales")}
    for name, values in channels.items():
        values[0, 0] = getattr(motion, name)[0, 0]
    return Motion.build(
        rest.skeleton,
        channels["rotations"],
        rate=1.0,
        locations=channels["locations"],
        scales=channels["scales"],
    )


def _stands(pose: StandingPose) -> bool:
    """Whether head and root are as high above the feet as the bones between them allow; folded rest poses are not."""
    body, places = pose.body, pose.places
    if body.up is None or body.root is None or not body.legs:
        return True
    trunk = [*dict.fromkeys([body.root, *body.torso, *body.neck, *(() if body.head is None else (body.head,))])]
    chains = [list(limb.chain) for limb in body.legs]
    length = _length(places, trunk) + max(_length(places, chain) for chain in chains)
    above = places[trunk[-1]] - np.mean([places[chain[-1]] for chain in chains], axis=0)
    return len(body.legs) > 2 or bool(above @ pose.up > _STRAIGHT * length)


def _length(places: Array, chain: list[int]) -> float:
    return float(np.linalg.norm(np.diff(places[chain], axis=0), axis=1).sum())
