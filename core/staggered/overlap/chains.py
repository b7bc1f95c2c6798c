"""Bones in a row."""

from typing import Any

import numpy as np

from ...motion import Indices, Skeleton


def chain_depths(skeleton: Skeleton, joints: Any) -> Indices:
    """(J,) how many chosen joints (J,) lie above each chosen joint: 0 where a chain begins, and for all others.

    Joints between them that are not chosen, such as the mechanism of a control rig, do not count.
    """
    chosen = np.asarray(joints, dtype=np.bool_)
    above = np.zeros(len(skeleton), dtype=np.intp)
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            above[joint] = above[parent] + chosen[parent]
    return np.where(chosen, above, 0)
