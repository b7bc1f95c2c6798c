"""Where the target walks: the source's path scaled by the length of the legs, on a floor of its own."""

from dataclasses import dataclass

import numpy as np

from ..analysis.contacts import estimate_floor
from ..motion import Motion
from ..numerics import Array, quaternion
from ..solve.whole_body import moved
from .proportions.measures import Measures, measures_of
from .turn_transfer import Correspondence


@dataclass(frozen=True, eq=False)
class Ground:
    """How places of the source's scene correspond to places of the target's.

    Attributes:
        between: The two skeletons.
        scale: (F,) length of the target's legs over that of the source's.
        path_scale: (F,) factor on the way along the ground.
        size: (F,) the target's size over its own in the standing pose.
        source_floor: Height of the lowest joints of the source's feet when they stand.
        level: (F,) the same of the target's.
        measures: Of source and target.
    """

    between: Correspondence
    scale: Array
    path_scale: Array
    size: Array
    source_floor: float
    level: Array
    measures: tuple[Measures, Measures]

    @classmethod
    def build(
        cls, motion: Motion, between: Correspondence, *, size: Array, path_scale: float | None = None
    ) -> "Ground":
        """Compare the two characters.

        Args:
            size: (F,) the target's size over its own.
            path_scale: Factor on ways along the ground; that of the legs if not given.
        """
        source, target = between.source, between.target
        one = measures_of(source, motion.poses.positions)
        other = measures_of(target, target.places[None])
        scale = size * (other.leg / one.leg if one.leg > 0.0 and other.leg > 0.0 else 1.0)
        floor = estimate_floor(motion.poses.positions, source.up)
        # The floor itself stays where it is; only the feet's joints rise over it as the target grows.
        level = scale[0] * (floor - one.sole) + other.sole * size
        path = scale if path_scale is None else np.full(len(scale), path_scale)
        return cls(between, scale, path, size, floor, level, (one, other))

    @property
    def up(self) -> Array:
        """(3,) the target's up axis."""
        return self.between.target.up

    def turned(self, places: Array) -> Array:
        """(..., 3) places of the source's scene in the target's axes, not scaled."""
        return quaternion.rotate(self.between.difference.axes, places)

    def root_places(self, motion: Motion, joint: int) -> Array:
        """(F, 3) places of the root, or of a joint that carries it, on the target."""
        source, target = self.between.source, self.between.target
        partner = self.between.partners[joint]
        places = self.turned(motion.poses.positions[:, partner])
        level_ways = self.path(places - (places @ self.up)[:, None] * self.up)
        heights = [
            measures.root_height + float((pose.places[each] - pose.places[int(pose.body.require("root"))]) @ pose.up)
            for measures, pose, each in zip(self.measures, (source, target), (partner, joint), strict=True)
        ]
        above = places @ self.up - self.source_floor - heights[0]
        return level_ways + (self.level + self.size * heights[1] + self.scale * above)[:, None] * self.up

    def near_root(self, motion: Motion, places: Array, source_joint: int) -> Array:
        """(F, 3) where a source joint would be beside the target's root, seen from the floor: hands, held things.

        Args:
            places: (F, 3) the target's root.
        """
        root = self.between.source.body.root
        own = self.turned(motion.poses.positions[:, source_joint])
        way = own - self.turned(motion.poses.positions[:, root])
        level_way = way - (way @ self.up)[:, None] * self.up
        level_place = places - (places @ self.up)[:, None] * self.up
        height = self.level + self.scale * (own @ self.up - self.source_floor)
        return level_place + self.scale[:, None] * level_way + height[:, None] * self.up

    def path(self, places: Array) -> Array:
        """(F, 3) a path along the ground, in the target's axes, scaled; step by step where the scale changes."""
        if np.ptp(self.path_scale) == 0.0:
            return np.asarray(places * self.path_scale[0])
        between = 0.5 * (self.path_scale[1:] + self.path_scale[:-1])
        steps = np.diff(places, axis=0) * between[:, None]
        return np.concatenate([places[:1] * self.path_scale[0], places[:1] * self.path_scale[0] + steps.cumsum(axis=0)])


def with_root_placed(target: Motion, motion: Motion, ground: Ground) -> Motion:
    """The target's motion with its root, and joints above it with partners, on the scaled path."""
    between = ground.between
    root, source_root = int(between.target.body.require("root")), int(between.source.body.require("root"))
    carriers = [root, *target.skeleton.ancestors(root)]
    sources = {source_root, *motion.skeleton.ancestors(source_root)}
    placement = {0} if target.skeleton.has_placement else set()
    for joint in reversed(carriers):
        if joint not in placement and between.partners.get(joint) in sources:
            places = ground.root_places(motion, joint)
            target = moved(target, joint, places - target.poses.positions[:, joint])
    return target
