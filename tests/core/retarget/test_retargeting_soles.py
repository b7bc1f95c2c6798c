"""How feet lie on the floor: found in a motion, and given to a pose whose heels are up."""

from __future__ import annotations

import numpy as np
import pytest
from annotated_clips import annotated_clips
from contact_edits import BODY, INDEX, UP, WALK

from core.body import Body, find_body
from core.files.bvh import read_bvh
from core.motion.scene_turns import with_scene_turns
from core.numerics import quaternion
from core.retarget import RetargetOptions, name_mapping, retarget
from core.retarget.feet.soles import sole_pitch, with_flat_soles

FEET = (("foot.L", "toe.L"), ("foot.R", "toe.R"))


def pitch_of(motion, foot, toe):
    """Radians by which a foot points down in the first frame."""
    way = np.subtract(*(motion.poses.positions[0, INDEX[name]] for name in (toe, foot)))
    return float(np.arcsin(-(way @ UP) / np.linalg.norm(way)))


def test_a_walk_shows_how_its_feet_lie_at_rest():
    rest = WALK.part(0, 1).with_rotations(np.tile(quaternion.IDENTITY, (1, len(WALK.skeleton), 1)))
    assert sole_pitch(WALK, BODY) == pytest.approx(pitch_of(rest, *FEET[0]), abs=0.03)


def test_raised_heels_come_down_and_toes_stay_as_they_are():
    raise_heel = quaternion.from_axis_angle(np.array([[1.0, 0.0, 0.0]]), np.array([0.5]))
    pose = WALK.part(0, 1)
    for foot, _toe in FEET:
        pose = with_scene_turns(pose, (INDEX[foot],), (raise_heel,))
    flat = with_flat_soles(pose, BODY, 0.3)
    for foot, toe in FEET:
        assert abs(pitch_of(pose, foot, toe) - 0.3) > 0.1
        assert pitch_of(flat, foot, toe) == pytest.approx(0.3)
        turned = quaternion.angle_between(*(each.poses.rotations[0, INDEX[toe]] for each in (pose, flat)))
        assert turned == pytest.approx(0.0, abs=1e-7)
        np.testing.assert_allclose(flat.poses.positions[0, INDEX[foot]], pose.poses.positions[0, INDEX[foot]])


def test_who_never_stands_or_is_not_known_shows_nothing():
    airborne = WALK.with_locations(WALK.locations + np.linspace(0.0, 50.0, len(WALK))[:, None, None])
    assert sole_pitch(airborne, BODY) is None
    assert sole_pitch(WALK, Body(WALK.skeleton)) is None


@pytest.mark.clips
def test_a_skeleton_known_from_a_dance_need_not_crouch_to_walk(clips_folder):
    """Its first frame stands in for a folded rest pose and has both heels up; later it stands on its soles."""
    clip = next(each for each in annotated_clips(clips_folder) if each.name == "cmu_07_01_walk")
    dance = read_bvh(clips_folder / "dev/rokoko_jesse_dance_fingers.bvh").to_motion()
    body = find_body(dance.skeleton, motion=dance)
    mapping = name_mapping(clip.motion.skeleton, dance.skeleton, clip.body, body)
    shares = []
    for pose in (dance.part(0, 1), dance):
        options = RetargetOptions(target_pose=pose, lowering=0.2)
        bodies = {"source_body": clip.body, "target_body": body}
        report = retarget(clip.motion, dance.skeleton, mapping, options=options, **bodies).report
        assert report.slide < 0.01 * report.leg_length
        shares.append(report.root_lowered / report.leg_length)
    assert shares[1] < 0.8 * shares[0]
    assert shares[1] < 0.06
