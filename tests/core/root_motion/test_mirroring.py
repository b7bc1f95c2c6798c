"""Left and right exchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from annotated_clips import annotated_clips
from made_motion import Motion, chain, random_rotations, smooth_curves, smooth_rotations
from made_person import person

from core.analysis.ground_paths import ground_path
from core.body import Body, find_body
from core.editing.mirror import Mirror, MirrorAbout, mirrored
from core.errors import MissingRoleError, SkeletonMismatchError
from core.motion.rest_axes import with_rest_rotations
from core.numerics import quaternion

FRAMES = 40


def walker(*, axes: str = "world", scalar_names: tuple[str, ...] = ()) -> tuple[Motion, Body]:
    """A symmetric person that swings and wanders, with the world's or with random axes of its joints."""
    skeleton, _ = person()
    locations = np.zeros((FRAMES, len(skeleton), 3))
    locations[:, 0] = 3.0 * smooth_curves(FRAMES, 3, 5)
    locations[:, 4] = 0.2 * smooth_curves(FRAMES, 3, 6)
    motion = Motion.build(
        skeleton,
        smooth_rotations(FRAMES, len(skeleton), 3, reach=0.8),
        rate=30.0,
        locations=locations,
        scalars=smooth_curves(FRAMES, len(scalar_names), 8),
        scalar_names=scalar_names,
    )
    if axes == "random":
        motion = with_rest_rotations(motion, random_rotations(len(skeleton), seed=9))
    return motion, find_body(motion.skeleton)


@pytest.mark.parametrize("axes", ["world", "random"])
@pytest.mark.parametrize("about", MirrorAbout)
def test_twice_gives_back_the_motion(axes, about):
    motion, body = walker(axes=axes)
    back = mirrored(mirrored(motion, body, about=about), body, about=about)
    assert quaternion.angle_between(back.rotations, motion.rotations).max() < 1e-9
    assert np.abs(back.locations - motion.locations).max() < 1e-9


@pytest.mark.parametrize("axes", ["world", "random"])
def test_joints_are_where_the_mirror_shows_their_partners(axes):
    motion, body = walker(axes=axes)
    seen = mirrored(motion, body, about=MirrorAbout.REST)
    partners = motion.poses.positions[:, body.mirror] * [-1.0, 1.0, 1.0]
    assert np.abs(seen.poses.positions - partners).max() < 1e-9


def test_pairs_without_names_are_found_by_the_body():
    motion, _ = walker()
    names = tuple(f"part {number}" for number in range(len(motion.skeleton)))
    motion = replace(motion, skeleton=replace(motion.skeleton, names=names))
    body = find_body(motion.skeleton)
    assert body.pairs
    seen = mirrored(motion, body, about=MirrorAbout.REST)
    partners = motion.poses.positions[:, body.mirror] * [-1.0, 1.0, 1.0]
    assert np.abs(seen.poses.positions - partners).max() < 1e-9


def test_agrees_with_reflected_matrices():
    motion, body = walker(axes="random")
    seen = mirrored(motion, body, about=MirrorAbout.REST)
    reflection = np.diag([-1.0, 1.0, 1.0])
    for joint, partner in enumerate(body.mirror):
        away = quaternion.to_matrix(motion.poses.rotations[7, partner]) @ (
            quaternion.to_matrix(motion.skeleton.rest_rotations[partner]).T
        )
        wanted = reflection @ away @ reflection @ quaternion.to_matrix(motion.skeleton.rest_rotations[joint])
        assert np.abs(quaternion.to_matrix(seen.poses.rotations[7, joint]) - wanted).max() < 1e-12


def test_starts_at_the_same_place_in_the_same_direction():
    motion, body = walker()
    before, after = (ground_path(each, body) for each in (motion, mirrored(motion, body)))
    assert np.abs(before.places[0] - after.places[0]).max() < 1e-9
    assert abs(before.headings[0] - after.headings[0]) < 1e-9
    assert before.headings[-1] - before.headings[0] == pytest.approx(after.headings[0] - after.headings[-1])


def test_about_the_start_keeps_the_place_alone():
    motion, body = walker()
    rest, start = (mirrored(motion, body, about=about) for about in (MirrorAbout.REST, MirrorAbout.START))
    assert np.array_equal(rest.rotations, start.rotations)
    places = [ground_path(each, body).places[0] for each in (motion, start)]
    assert np.abs(places[0] - places[1]).max() < 1e-9


def test_a_range_leaves_all_other_frames_bit_for_bit():
    motion, body = walker()
    part = mirrored(motion, body, first=10, last=19)
    outside = np.r_[0:10, 20:FRAMES]
    for name in ("rotations", "locations", "scales"):
        assert np.array_equal(getattr(part, name)[outside], getattr(motion, name)[outside])
    alone = mirrored(motion.part(10, 20), body)
    assert quaternion.angle_between(part.rotations[10:20], alone.rotations).max() < 1e-12


def test_scalars_go_over_by_their_names():
    motion, body = walker(scalar_names=("Smile.L", "Smile.R", "Jaw"))
    assert np.array_equal(mirrored(motion, body).scalars, motion.scalars[:, [1, 0, 2]])


def test_an_edit_and_its_motion_are_mirrored_alike():
    motion, body = walker(axes="random")
    mirror = Mirror.of(body)
    turns = 0.3 * smooth_curves(FRAMES, len(motion.skeleton) * 3, 4).reshape(FRAMES, -1, 3)
    edited = motion.with_rotations(quaternion.multiply(motion.rotations, quaternion.exp(turns)))
    seen = mirror.rotations(motion.rotations)
    wanted = quaternion.multiply(seen, quaternion.exp(mirror.rotation_vectors(turns)))
    assert quaternion.angle_between(mirror.rotations(edited.rotations), wanted).max() < 1e-9


def test_the_object_that_places_the_skeleton_stays():
    motion, _ = walker()
    skeleton = motion.skeleton
    placed = type(skeleton).build(
        ["object", *skeleton.names],
        [-1, *(skeleton.parents + 1)],
        np.vstack([np.zeros(3), skeleton.rest_positions]),
        has_placement=True,
    )
    rotations = np.concatenate([smooth_rotations(FRAMES, 1, 2), motion.rotations], axis=1)
    carried = Motion.build(placed, rotations, rate=30.0)
    seen = mirrored(carried, find_body(placed), about=MirrorAbout.REST)
    assert np.array_equal(seen.rotations[:, 0], carried.rotations[:, 0])


def test_nothing_that_tells_left_from_right_is_refused():
    motion = Motion.build(chain(3), smooth_rotations(5, 3), rate=30.0)
    with pytest.raises(MissingRoleError, match="left from right"):
        mirrored(motion, Body(motion.skeleton))


def test_a_body_of_another_skeleton_is_refused():
    motion, _ = walker()
    with pytest.raises(SkeletonMismatchError, match="differ in bones"):
        mirrored(motion, Body(chain(3)))


@pytest.mark.clips
def test_clips_are_mirrored_there_and_back(clips_folder):
    for clip in annotated_clips(clips_folder):
        back = mirrored(mirrored(clip.motion, clip.body), clip.body)
        size = np.abs(clip.motion.poses.positions).max()
        assert np.abs(back.poses.positions - clip.motion.poses.positions).max() < 1e-9 * size, clip.name
