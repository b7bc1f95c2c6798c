"""All sorts of characters: giants, stilts, one-sided and four-legged ones, and those that grow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from annotated_clips import annotated_clips
from contact_edits import BODY, CONTACTS, HEIGHT, INDEX, WALK
from resized_skeletons import LEG_BONES, resized, without_joint

from core.analysis.contacts import ContactSpans, detect_contacts
from core.body import find_body
from core.files.bvh import read_bvh
from core.motion.motion import Motion
from core.motion.rest_axes import turned
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.retarget import Retargeted, RetargetOptions, name_mapping, retarget
from core.solve.contact_lock import foot_slide

SKELETON = WALK.skeleton
NOTHING = ContactSpans()
TORSO = [SKELETON.names[joint] for joint in BODY.torso]


def _on(motion: Motion, skeleton: Skeleton, **more) -> Retargeted:
    source, target = find_body(motion.skeleton, motion=motion), find_body(skeleton)
    mapping = name_mapping(motion.skeleton, skeleton, source, target)
    return retarget(motion, skeleton, mapping, source_body=source, target_body=target, **more)


def _without(skeleton: Skeleton, *names: str) -> Skeleton:
    for name in names:
        skeleton = without_joint(skeleton, name)
    return skeleton


@pytest.mark.parametrize(
    ("factor", "only"),
    [(0.4, LEG_BONES), (0.25, LEG_BONES), (1.8, LEG_BONES), (50.0, ()), (0.01, ())],
    ids=["short legs", "very short legs", "stilts", "giant", "thumbling"],
)
def test_everybody_walks_without_skating(factor, only):
    result = _on(WALK, resized(SKELETON, factor, only=only), contacts=CONTACTS)
    leg = result.report.leg_length
    assert result.report.slide < 1e-3 * leg
    assert result.report.missed == ()
    assert result.report.below_floor < 1e-4 * leg
    way = [np.ptp(each.poses.positions[:, BODY.root], axis=0)[:2].max() for each in (result.motion, WALK)]
    assert way[0] == pytest.approx(result.report.scale * way[1], rel=0.02)


@pytest.mark.parametrize("size", [0.5, 2.0])
def test_another_size_has_legs_of_that_size(size):
    own, resized_legs = (
        _on(WALK, resized(SKELETON, 0.8), contacts=CONTACTS, options=RetargetOptions(size=each)).report.leg_length
        for each in (1.0, size)
    )
    assert resized_legs == pytest.approx(size * own)


@pytest.mark.parametrize("end", [0.5, 2.0], ids=["shrinks", "grows"])
def test_who_changes_size_does_not_skate(end):
    sizes = np.interp(WALK.times, [0.5, 3.0], [1.0, end])
    result = _on(WALK, resized(SKELETON, 0.8), contacts=CONTACTS, options=RetargetOptions(size=sizes))
    assert result.report.slide < 0.01 * result.report.leg_length
    assert result.report.remaining_error < 0.01 * result.report.leg_length
    places = result.motion.poses.positions
    thighs = np.linalg.norm(places[:, INDEX["shin.L"]] - places[:, INDEX["thigh.L"]], axis=1)
    np.testing.assert_allclose(thighs / thighs[0], sizes, atol=1e-9)
    # Toes that take over from a heel do so where they are.
    toes = places[:, INDEX["toe.L"]]
    steps = np.linalg.norm(np.diff(toes, axis=0), axis=1)
    taken = CONTACTS.active("foot.L", WALK.times[:-1]) & CONTACTS.active("toe.L", WALK.times[1:])
    assert steps[taken].max() < 0.02 * HEIGHT


@pytest.mark.parametrize("fewer", ["target", "source"])
def test_a_spine_of_one_joint_carries_head_and_arms_as_a_longer_one_does(fewer):
    short = _without(SKELETON, *TORSO[1:-1])
    motion, skeleton = WALK, short
    if fewer == "source":
        motion, skeleton = _on(WALK, short).motion, resized(SKELETON, 1.001)
    result = _on(motion, skeleton, contacts=CONTACTS)
    for name in ("head", "hand.L", TORSO[-1]):
        turns = [each.poses.rotations[:, each.skeleton.index[name]] for each in (motion, result.motion)]
        assert quaternion.angle_between(*turns).max() < 1e-6
    assert result.report.slide < 1e-3 * result.report.leg_length


def test_what_one_side_lacks_leaves_the_rest_as_it_is():
    lacking = ("toe.L", "hand.L", "shoulder.R")
    whole = _on(WALK, resized(SKELETON, 0.6), contacts=NOTHING).motion
    target = _on(WALK, _without(resized(SKELETON, 0.6), *lacking), contacts=NOTHING)
    assert set(target.report.unmatched_source) == set(lacking)
    bare = _on(WALK, _without(SKELETON, *lacking), contacts=NOTHING).motion
    source = _on(bare, resized(SKELETON, 0.6), contacts=NOTHING)
    assert set(source.report.unmatched_target) == set(lacking)
    for result in (target.motion, source.motion):
        for name in ("foot.L", "forearm.L", "hand.R", "head"):
            turns = [each.poses.rotations[:, each.skeleton.index[name]] for each in (whole, result)]
            assert quaternion.angle_between(*turns).max() < 1e-6


def test_a_source_without_toes_lets_feet_stand_flat():
    bare = _on(WALK, _without(SKELETON, "toe.L", "toe.R")).motion
    ankles = ContactSpans({name: CONTACTS.of(name) for name in ("foot.L", "foot.R")})
    result = _on(bare, resized(SKELETON, 0.45, only=LEG_BONES), contacts=ankles)
    slides = foot_slide(result.motion, ankles)
    toes = foot_slide(result.motion, ContactSpans({"toe.L": ankles.of("foot.L"), "toe.R": ankles.of("foot.R")}))
    assert max(each for found in (slides, toes) for values in found.values() for each in values) < 1e-6 * HEIGHT


def _other_name(name: str) -> str:
    """The name of a horse's joint in another convention."""
    words = {"front": "Fore", "back": "Hind", "hips": "Pelvis", "humerus": "UpperArm"}
    *parts, last = name.split("_")
    side = {"l": "Left", "r": "Right"}.get(last, "")
    parts = parts if side else [*parts, last]
    return "Beast:" + side + "".join(words.get(part, part.capitalize()) for part in parts)


@pytest.mark.clips
@pytest.mark.parametrize("clip", ["quad_horse_walk", "quad_horse_rear"])
def test_a_horse_s_motion_goes_to_a_beast_with_other_names_axes_and_legs(clips_folder, clip):
    motion = read_bvh(clips_folder / "dev" / f"{clip}.bvh").to_motion()
    legs = tuple(name for name in motion.skeleton.names if name.startswith(("front_leg", "back_leg")))
    about = quaternion.from_axis_angle([1.0, 0.0, 0.0], -0.5 * np.pi)
    lying = turned(motion, about, scale=30.0).skeleton
    beast = resized(lying, 0.7, only=legs)
    beast = replace(beast, names=tuple(_other_name(name) for name in beast.names))
    body = find_body(motion.skeleton, motion=motion)
    mapping = name_mapping(motion.skeleton, beast, body, find_body(beast))
    assert all(pair.target == _other_name(pair.source) for pair in mapping.pairs)
    # Ends of chains and a second rib are nowhere in a body.
    assert len(mapping.pairs) >= len(beast) - 6
    result = _on(motion, beast, contacts=detect_contacts(motion, body))
    assert result.report.slide_carried > 0.0
    assert result.report.slide < 1e-3 * result.report.leg_length
    assert result.report.remaining_error < 1e-3 * result.report.leg_length


@pytest.mark.clips
def test_captured_walks_of_who_shrinks_or_grows_do_not_skate(clips_folder):
    clip = next(clip for clip in annotated_clips(clips_folder) if clip.name == "cmu_07_01_walk")
    for end in (0.5, 2.0):
        sizes = np.linspace(1.0, end, len(clip.motion))
        small = resized(clip.motion.skeleton, 0.8)
        result = _on(clip.motion, small, options=RetargetOptions(size=sizes))
        assert result.report.slide_carried > 0.02 * result.report.leg_length
        assert result.report.slide < 0.01 * result.report.leg_length
        assert result.report.missed == ()
