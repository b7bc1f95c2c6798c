"""Whole characters led elsewhere over the ground."""

from __future__ import annotations

import numpy as np
import pytest
from annotated_clips import AnnotatedClip, annotated_clips
from made_motion import Motion, random_rotations, random_skeleton, smooth_curves, smooth_rotations
from made_person import person

from core.analysis.contacts import detect_contacts
from core.analysis.ground_paths import ground_path
from core.body import Body, find_body
from core.editing import in_place
from core.motion.ground_move import GroundMove
from core.motion.rest_axes import with_rest_rotations
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.root_motion import NoTravelError, along_curve, heading_change, moved_with_contacts
from core.solve.contact_lock import foot_slide

FRAMES, UP = 60, np.array([0.0, 1.0, 0.0])


def walker(*, speed: float = 12.0) -> tuple[Motion, Body]:
    """A person of height 17 that goes along z, bobs, sways and swings; its joints have random axes."""
    skeleton, _ = person()
    locations = np.zeros((FRAMES, len(skeleton), 3))
    locations[:, 0] = 0.3 * smooth_curves(FRAMES, 3, 5)
    locations[:, 0, 2] += speed * np.linspace(0.0, 2.0, FRAMES)
    rotations = smooth_rotations(FRAMES, len(skeleton), 3, reach=0.3)
    motion = Motion.build(skeleton, rotations, rate=30.0, locations=locations)
    motion = with_rest_rotations(motion, random_rotations(len(skeleton), seed=9))
    return motion, find_body(motion.skeleton)


def smooth_move(frames: int) -> GroundMove:
    return GroundMove.build(smooth_curves(frames, 1, 1)[:, 0] * 3.0, smooth_curves(frames, 3, 2), UP, frames=frames)


class TestGroundMove:
    def test_all_joints_move_as_one(self):
        motion, _ = walker()
        move = smooth_move(FRAMES)
        wanted = quaternion.rotate(move.rotations[:, None], motion.poses.positions) + move.shifts[:, None]
        moved = move.applied(motion)
        assert np.abs(moved.poses.positions - wanted).max() < 1e-9
        turned = quaternion.multiply(move.rotations[:, None], motion.poses.rotations)
        assert quaternion.angle_between(moved.poses.rotations, turned).max() < 1e-9

    def test_joints_that_do_not_turn_with_their_parents_are_turned_too(self):
        free = np.arange(12) % 4 == 3
        skeleton = random_skeleton(12, 3, inherits_rotation=~free, local_location=np.arange(12) % 3 > 0)
        locations = smooth_curves(FRAMES, 36, 1).reshape(FRAMES, 12, 3)
        motion = Motion.build(skeleton, smooth_rotations(FRAMES, 12, 2), rate=30.0, locations=locations)
        move = smooth_move(FRAMES)
        moved = move.applied(motion)
        wanted = quaternion.rotate(move.rotations[:, None], motion.poses.positions) + move.shifts[:, None]
        assert np.abs(moved.poses.positions - wanted).max() < 1e-9
        turned = quaternion.multiply(move.rotations[:, None], motion.poses.rotations)
        assert quaternion.angle_between(moved.poses.rotations, turned).max() < 1e-6

    def test_below_an_object_that_is_placed_and_scaled(self):
        motion, _ = walker()
        skeleton = motion.skeleton
        placed = Skeleton.build(
            ["object", *skeleton.names],
            [-1, *(skeleton.parents + 1)],
            np.vstack([np.zeros(3), skeleton.rest_positions]),
            rest_rotations=np.vstack([[1.0, 0.0, 0.0, 0.0], skeleton.rest_rotations]),
            has_placement=True,
        )
        rotations = np.concatenate([smooth_rotations(FRAMES, 1, 2), motion.rotations], axis=1)
        locations = np.concatenate([smooth_curves(FRAMES, 3, 4)[:, None], motion.locations], axis=1)
        scales = np.ones((FRAMES, len(placed), 3))
        scales[:, 0] = 0.1
        carried = Motion.build(placed, rotations, rate=30.0, locations=locations, scales=scales)
        move = smooth_move(FRAMES)
        wanted = quaternion.rotate(move.rotations[:, None], carried.poses.positions) + move.shifts[:, None]
        moved = move.applied(carried)
        assert np.abs(moved.poses.positions[:, 1:] - wanted[:, 1:]).max() < 1e-9
        assert np.array_equal(moved.rotations[:, 0], carried.rotations[:, 0])

    def test_nothing_to_do_leaves_frames_bit_for_bit(self):
        motion, _ = walker()
        angles, shifts = np.zeros(FRAMES), np.zeros((FRAMES, 3))
        angles[30:], shifts[30:] = 0.5, 1.0
        moved = GroundMove(angles, shifts, UP).applied(motion)
        assert np.array_equal(moved.rotations[:30], motion.rotations[:30])
        assert np.array_equal(moved.locations[:30], motion.locations[:30])
        assert not np.array_equal(moved.locations[30:], motion.locations[30:])

    def test_there_and_back(self):
        motion, _ = walker()
        move = smooth_move(FRAMES)
        back = move.inverse().applied(move.applied(motion))
        assert np.abs(back.poses.positions - motion.poses.positions).max() < 1e-9


class TestInPlace:
    def test_travel_is_gone_and_bob_and_turn_stay(self):
        motion, body = walker()
        still = in_place(motion, body).applied(motion)
        before, after = ground_path(motion, body), ground_path(still, body)
        assert np.abs(after.places - before.places[0]).max() < 1e-9
        assert np.abs(after.headings - before.headings).max() < 1e-9
        heights = [each.poses.positions @ UP for each in (motion, still)]
        assert np.abs(heights[0] - heights[1]).max() < 1e-9

    def test_turn_and_bob_can_go_too(self):
        motion, body = walker()
        still = in_place(motion, body, keep_turn=False, keep_bob=False).applied(motion)
        path = ground_path(still, body)
        assert np.abs(path.headings - path.headings[0]).max() < 1e-9
        assert np.ptp(still.poses.positions[:, body.root] @ UP) < 1e-9

    def test_sway_can_stay(self):
        motion, body = walker()
        swaying = ground_path(in_place(motion, body, sway=0.3).applied(motion), body).places
        travel = ground_path(motion, body).places
        assert 0.001 < np.linalg.norm(swaying - swaying[0], axis=1).max() < 0.1 * np.ptp(travel, axis=0).max()


class TestAlongCurve:
    def test_its_own_way_changes_nothing(self):
        motion, body = walker()
        path = ground_path(motion, body).places
        move = along_curve(motion, body, path, sway=0.0)
        # Between the frames the way is told by a smooth curve instead of straight lines.
        assert np.abs(move.applied(motion).poses.positions - motion.poses.positions).max() < 0.02

    def test_a_circle_is_followed_with_the_heading(self):
        motion, body = walker()
        turn = np.linspace(0.0, np.pi, 40)
        circle = 20.0 * np.stack([np.cos(turn), 0.0 * turn, -np.sin(turn)], axis=1)
        led = along_curve(motion, body, circle, sway=0.3).applied(motion)
        path, old = ground_path(led, body), ground_path(motion, body)
        away = np.linalg.norm(path.places, axis=1)
        assert np.abs(away - 20.0).max() < 0.6  # Its own sway is 0.3.
        # Not at the ends, where the direction is told from one side.
        inner = slice(12, 48)
        travelled = np.linalg.norm(np.diff(old.places[inner], axis=0), axis=1).sum()
        turned = np.ptp((path.headings - old.headings)[inner])
        assert turned == pytest.approx(travelled / 20.0, abs=0.1)

    def test_the_length_can_be_fitted(self):
        motion, body = walker()
        line = [[0.0, 0.0, 0.0], [5.0, 9.0, 0.0], [10.0, 0.0, 0.0]]
        path = ground_path(along_curve(motion, body, line, fit_length=True).applied(motion), body)
        assert np.abs(path.places[[0, -1]] - [[0, 0, 0], [10, 0, 0]]).max() < 1e-6

    def test_steps_keep_their_length_beyond_the_end(self):
        motion, body = walker()
        led = along_curve(motion, body, [[0, 0, 0], [1, 0, 0]], sway=0.0)
        travelled = np.linalg.norm(np.diff(ground_path(motion, body).places, axis=0), axis=1).sum()
        assert ground_path(led.applied(motion), body).places[-1] == pytest.approx([travelled, 0, 0], abs=1e-6)

    def test_a_standing_character_is_refused(self):
        motion, body = walker()
        still = in_place(motion, body).applied(motion)
        with pytest.raises(NoTravelError, match="does not travel"):
            along_curve(still, body, [[0, 0, 0], [1, 0, 0]])
        with pytest.raises(NoTravelError, match="leads nowhere"):
            along_curve(motion, body, [[1, 0, 0], [1, 0, 0]])


class TestHeading:
    def test_one_angle_turns_all_about_the_start(self):
        motion, body = walker()
        start = ground_path(motion, body).places[0]
        turned = heading_change(motion, body, 0.7).applied(motion).poses.positions
        turn = quaternion.from_axis_angle(UP, 0.7)
        wanted = quaternion.rotate(turn, motion.poses.positions - start) + start
        assert np.abs(turned - wanted).max() < 1e-9

    def test_a_growing_angle_bends_the_way(self):
        motion, body = walker()
        angles = np.linspace(0.0, 1.0, FRAMES)
        path, old = (ground_path(each, body) for each in (heading_change(motion, body, angles).applied(motion), motion))
        assert np.abs(path.headings - old.headings - angles).max() < 1e-9
        lengths = [np.linalg.norm(np.diff(each.places, axis=0), axis=1) for each in (path, old)]
        assert np.abs(lengths[0] - lengths[1]).max() < 1e-9

    def test_the_way_can_stay(self):
        motion, body = walker()
        move = heading_change(motion, body, np.linspace(0.0, 1.0, FRAMES), bend_path=False)
        places = [ground_path(each, body).places for each in (motion, move.applied(motion))]
        assert np.abs(places[0] - places[1]).max() < 1e-9


def walk(clips_folder) -> AnnotatedClip:
    return next(clip for clip in annotated_clips(clips_folder) if clip.name == "cmu_07_01_walk")


@pytest.mark.clips
def test_contacts_hold_along_a_bent_way(clips_folder):
    clip = walk(clips_folder)
    contacts = detect_contacts(clip.motion, clip.body)
    angles = np.linspace(0.0, 3.0, len(clip.motion))
    move = heading_change(clip.motion, clip.body, angles)
    held, report = moved_with_contacts(clip.motion, move, clip.body, contacts=contacts)
    worst = max(slide for spans in foot_slide(held, contacts).values() for slide in spans)
    assert report.slide_edited > 1.3 * report.slide_original
    assert worst == report.slide_held < 1.05 * report.slide_original + 1e-6
    assert report.largest_move < 0.2 * clip.body.height


@pytest.mark.clips
def test_contacts_hold_when_the_way_is_fitted(clips_folder):
    clip = walk(clips_folder)
    start, end = ground_path(clip.motion, clip.body).places[[0, -1]]
    move = along_curve(clip.motion, clip.body, [start, start + 1.15 * (end - start)], fit_length=True)
    _, report = moved_with_contacts(clip.motion, move, clip.body)
    assert report.slide_held < 0.5 * report.slide_edited
