"""Sizes of characters that decide how their motion scales: legs, height of the root, level of the feet."""

from dataclasses import dataclass

import numpy as np

from ...body import Body, Limb
from ...numerics import Array
from .standing_pose import StandingPose


@dataclass(frozen=True)
class Measures:
    """A character's sizes in units of the scene.

    Attributes:
        leg: Length of a leg from hip to ankle; the body's height where there are no legs.
        root_height: Height of the root over the lowest joint of the feet when the legs are straight.
        sole: How far the soles are below the lowest joint of the feet.
    """

    leg: float
    root_height: float
    sole: float


def measures_of(pose: StandingPose, places: Array) -> Measures:
    """Measure a character.

    Args:
        pose: How it stands.
        places: (F, J, 3) its joints in a motion, or in the pose: how long its bones are.
    """
    body, up = pose.body, pose.up
    legs = [limb for limb in body.legs if len(chain_of(limb)) > 1]
    root = int(body.require("root"))
    if not legs:
        extent = float(body.height or np.ptp(pose.places, axis=0).max() or 1.0)
        return Measures(extent, float((pose.places[root] - pose.places.min(axis=0)) @ up), 0.0)
    lengths = [chain_length(places, chain_of(limb)) for limb in legs]
    heights = [
        length + float((pose.places[root] - pose.places[limb.chain[0]]) @ up) + ankle_height(pose, limb)
        for limb, length in zip(legs, lengths, strict=True)
    ]
    return Measures(float(np.mean(lengths)), float(np.mean(heights)), _sole(pose, body))


def chain_of(limb: Limb) -> tuple[int, ...]:
    """Joints of a limb from its first to hand or foot, also where a control of its own places it."""
    if limb.end is None:
        return limb.chain
    return limb.chain[: limb.chain.index(limb.end) + 1] if limb.end_is_in_chain else (*limb.chain, limb.end)


def chain_length(places: Array, chain: tuple[int, ...]) -> float:
    """Length of a chain of joints; the median over the frames of places (F, J, 3)."""
    steps = np.linalg.norm(np.diff(places[:, list(chain)], axis=1), axis=2)
    return float(np.median(steps.sum(axis=1)))


def foot_joints(limb: Limb) -> list[int]:
    """Ankle and toes of a leg."""
    end = limb.chain[-1] if limb.end is None else limb.end
    return [end, *(joint for digit in limb.digits for joint in digit)]


def ankle_height(pose: StandingPose, limb: Limb) -> float:
    """Height of the ankle over the lowest joint of its foot."""
    joints = foot_joints(limb)
    return float(pose.places[joints[0]] @ pose.up) - pose.level_of(joints)


def _sole(pose: StandingPose, body: Body) -> float:
    """How far the ends of the feet's bones reach below their joints; unknown where the pose is not at rest."""
    joints = [joint for limb in body.legs for joint in foot_joints(limb)]
    below = pose.level_of(joints) - float((pose.tips[joints] @ pose.up).min())
    return max(below, 0.0) if pose.at_rest else 0.0
