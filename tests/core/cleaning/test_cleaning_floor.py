"""Feet that go through the floor and are lifted out of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from annotated_clips import annotated_clips
from contact_edits import BODY, HEIGHT, INDEX, LEG_JOINTS, UP, WALK, with_root_moved

from core.analysis.contacts import detect_contacts
from core.analysis.flaws import FlawKind
from core.body import Body
from core.cleaning import find_below_floor, lifted
from core.errors import MissingRoleError
from core.motion.motion import Motion
from core.numerics import runs
from core.solve.limb_ik import Limb, reach_targets
from core.solve.whole_body.root import lowered

RIGHT = Limb.named(WALK.skeleton, "thigh.R", "shin.R", "foot.R")


def sunken() -> Motion:
    """The whole body too low for a while."""
    return with_root_moved(WALK, BODY, -0.06 * HEIGHT * UP, middle=0.4, width=0.4)


def one_foot_down() -> Motion:
    """The same with the right foot put back to where it was."""
    return reach_targets(sunken(), RIGHT, WALK.poses.positions[:, RIGHT.end])


def with_root_raised(motion: Motion, amounts: np.ndarray) -> Motion:
    return lowered(motion, BODY.root, -amounts, UP)


def find_contacts(motion: Motion) -> np.ndarray:
    """(F,) frames in which the right foot stands."""
    return detect_contacts(motion, BODY).active(motion.skeleton.names[RIGHT.end], motion.times)


def depths(motion: Motion) -> float:
    return max((flaw.size for flaw in find_below_floor(motion, BODY)), default=0.0)


def test_good_steps_are_left_alone():
    assert find_below_floor(WALK, BODY) == ()
    result, found = lifted(WALK, BODY)
    assert result is WALK
    assert found == ()


@pytest.mark.parametrize("made", [one_foot_down, sunken], ids=["one foot", "all"])
def test_feet_in_the_floor_are_found_and_lifted(made):
    low = made()
    result, found = lifted(low, BODY)
    assert found == find_below_floor(low, BODY)
    assert {flaw.kind for flaw in found} == {FlawKind.BELOW_FLOOR}
    assert depths(low) > 0.03 * HEIGHT
    assert depths(result) == 0.0


def test_the_list_names_foot_frames_and_depth():
    found = [flaw for flaw in find_below_floor(one_foot_down(), BODY) if flaw.joint == "foot.L"]
    assert len(found) == 1
    assert WALK.times[found[0].first] < 0.4 < WALK.times[found[0].last]
    assert found[0].size == pytest.approx(0.06 * HEIGHT, rel=0.05)


def test_one_foot_is_lifted_by_its_leg_alone():
    low = one_foot_down()
    result, _ = lifted(low, BODY)
    leg = [joint for joint in LEG_JOINTS if low.skeleton.names[joint].endswith("L")]
    others = np.setdiff1d(np.arange(len(low.skeleton)), leg)
    np.testing.assert_array_equal(result.rotations[:, others], low.rotations[:, others])
    np.testing.assert_array_equal(result.locations, low.locations)


def test_all_feet_are_lifted_with_the_root():
    low = sunken()
    result, _ = lifted(low, BODY)
    risen = (result.poses.positions[:, BODY.root] - low.poses.positions[:, BODY.root]) @ UP
    assert risen.max() > 0.02 * HEIGHT
    assert risen.min() > -1e-9


def test_frames_beyond_the_fade_stay_bit_for_bit():
    low = one_foot_down()
    result, found = lifted(low, BODY, fade=0.1)
    near = np.zeros(len(low), dtype=bool)
    for flaw in found:
        near |= (low.times > low.times[flaw.first] - 0.11) & (low.times < low.times[flaw.last] + 0.11)
    assert not near.all()
    np.testing.assert_array_equal(result.rotations[~near], low.rotations[~near])


def test_a_lift_does_not_jerk():
    low = one_foot_down()
    result, _ = lifted(low, BODY)
    steps = [
        np.linalg.norm(np.diff(each.poses.positions[:, INDEX["foot.L"]], axis=0), axis=1) for each in (low, result)
    ]
    assert steps[1].max() < 1.5 * steps[0].max()


def test_a_floor_that_slopes_is_no_flaw():
    """Captured floors rise by some hundredths of the height from one end of a walk to the other."""
    root = WALK.poses.positions[:, BODY.root]
    travelled = np.linalg.norm(root - root[0], axis=1)
    slope = with_root_raised(WALK, 0.08 * HEIGHT * travelled / travelled.max())
    assert find_below_floor(slope, BODY) == ()
    assert find_below_floor(with_root_raised(WALK, -0.08 * HEIGHT * travelled / travelled.max()), BODY) == ()


def test_a_body_that_pops_into_the_floor_is_lifted_without_a_pop():
    """Down by 6 hundredths of the height from one frame to the next, and up again: the foot stands as before."""
    amounts = np.zeros(len(WALK))
    first = int(runs(find_contacts(WALK))[1].start) + 4
    amounts[first : first + 5] = -0.06 * HEIGHT
    low = with_root_raised(WALK, amounts)
    result, found = lifted(low, BODY)
    assert found
    steps = [
        np.linalg.norm(np.diff(each.poses.positions[:, RIGHT.end], axis=0), axis=1)[first - 2 : first + 8].max()
        for each in (low, result)
    ]
    assert steps[1] < 0.2 * steps[0]


def test_a_higher_floor_lifts_higher():
    result, found = lifted(WALK, BODY, floor=0.05 * HEIGHT)
    assert found
    assert (result.poses.positions[:, LEG_JOINTS] @ UP).min() > (0.05 - 0.02) * HEIGHT - 1e-9


def test_a_body_without_feet_is_refused():
    with pytest.raises(MissingRoleError, match="Character panel"):
        find_below_floor(WALK, Body(WALK.skeleton, up=BODY.up, height=BODY.height))


def test_feet_that_sink_in_real_clips_are_lifted(clips_folder: Path) -> None:
    """A body that sinks by 8 hundredths of its height is found in nearly all clips, and lifted in all of those."""
    sunk = []
    for clip in annotated_clips(clips_folder):
        motion, body = clip.motion, clip.body
        if not body.legs or body.height is None or len(motion) > 1300:
            continue
        middle = float(motion.times[len(motion) // 2])
        low = with_root_moved(motion, body, -0.08 * body.height * body.up.vector, middle=middle, width=0.3)
        result, found = lifted(low, body)
        assert find_below_floor(result, body) == ()
        sunk.append(max((flaw.size / body.height for flaw in found), default=0.0))
    assert np.mean(np.array(sunk) > 0.03) > 0.8
