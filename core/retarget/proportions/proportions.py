"""A source skeleton with the proportions of another character."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ...motion import Skeleton
from ...numerics import Array, quaternion


def with_proportions(source: Skeleton, target: Skeleton, partners: Mapping[int, int]) -> Skeleton:
    """The source's joints, as far from each other as the corresponding joints of the target.

    Between two joints with partners all steps are made longer or shorter alike. Where there is nothing to
    compare, the mean of all factors counts.

    Args:
        source: Whose structure is kept.
        partners: Source joint by target joint.
    """
    back = {partner: joint for joint, partner in partners.items()}
    found = np.full(len(source), np.nan)
    for joint in back:
        way = _way_up(source, joint, back)
        if way:
            above = int(source.parents[way[-1]])
            length = float(np.linalg.norm(source.rest_positions[joint] - source.rest_positions[above]))
            other = float(np.linalg.norm(target.rest_positions[back[joint]] - target.rest_positions[back[above]]))
            if length > 0.0 and other > 0.0:
                found[way] = other / length
    known = found[np.isfinite(found)]
    usual = float(np.exp(np.log(known).mean())) if len(known) else 1.0
    return _rescaled(source, np.where(np.isfinite(found), found, usual))


def _way_up(skeleton: Skeleton, joint: int, known: Mapping[int, int]) -> list[int]:
    """The joint and those above it up to, not including, the next known one; nothing if there is none."""
    way = [joint]
    for above in skeleton.ancestors(joint):
        if above in known:
            return way
        way.append(above)
    return []


def _rescaled(skeleton: Skeleton, factors: Array) -> Skeleton:
    """The skeleton with the step to each joint multiplied by its factor (J,)."""
    steps = skeleton.rest_offsets[1] * factors[:, None]
    places = np.zeros((len(skeleton), 3))
    for level in skeleton.levels:
        for joint in level:
            parent = int(skeleton.parents[joint])
            if parent < 0:
                places[joint] = steps[joint]
            else:
                places[joint] = places[parent] + quaternion.rotate(skeleton.rest_rotations[parent], steps[joint])
    return replace(skeleton, rest_positions=places, tips=skeleton.tips * factors[:, None])
