"""Guided warps of cameras and props, which have no body."""

import numpy as np
import pytest
from made_motion import swinging_chain

from core.body import find_body
from core.guided_warp import guided_warp
from core.motion.motion import Motion
from core.sample_motion import sample_motion


def test_a_camera_keeps_its_own_timing_where_it_can():
    """It stands still, pans quickly, stands still: the pan is kept, the waiting is cut."""
    locations = np.zeros((121, 1, 3))
    locations[:, 0, 0] = np.interp(np.arange(121), [0, 50, 70, 120], [0.0, 0.0, 4.0, 4.0])
    skeleton = swinging_chain(1, 2).skeleton
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (121, 1, 1))
    camera = Motion.build(skeleton, rotations, rate=30.0, locations=locations)
    time_map = guided_warp(camera, None, [(0.0, 0.0), (4.0, 2.4)]).time_map
    pan = time_map.map_key_times([52 / 30.0, 68 / 30.0])
    assert (pan[1] - pan[0]) * 30.0 == pytest.approx(16.0, abs=1.0)


def test_a_camera_cannot_be_guided_by_a_body():
    camera, person = swinging_chain(1, 60), sample_motion(30.0)
    body = find_body(person.skeleton, motion=person)
    with pytest.raises(ValueError, match="both have a body or both have none"):
        guided_warp(camera, None, [(0.0, 0.0), (1.5, 1.2)], reference=person, reference_body=body)
