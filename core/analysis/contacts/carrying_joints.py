"""Joints that have a say in where a foot stands."""

import numpy as np
from numpy.typing import NDArray

from ...body import Body
from ...numerics import Array
from .spans import ContactSpans


def carrying_frames(times: Array, body: Body, contacts: ContactSpans) -> NDArray[np.bool_]:
    """(F, J) whether at times (F,) a joint belongs to a limb with a joint in contact, or carries such a limb."""
    skeleton = body.skeleton
    rows = np.zeros((len(times), len(skeleton)), dtype=np.bool_)
    for limb in body.limbs:
        stands = np.any([contacts.active(skeleton.names[joint], times) for joint in limb.joints], axis=0)
        above = [each for joint in limb.joints for each in skeleton.ancestors(joint)]
        rows[:, [*limb.joints, *above]] |= stands[:, None]
    return rows
