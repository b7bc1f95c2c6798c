"""The side from which icons are seen."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.pose_features import horizontal_frame
from core.analysis.view import screen_axes
from core.body import find_body
from core.errors import NotFiniteError
from core.numerics.quaternion import Array
from core.sample_motion import sample_motion
from core.timeline.projection import ViewBy, view_angles

UPS = [(0.0, 0.0, 1.0), (0.0, 1.0, 0.0)]


def cloud(up: tuple[float, ...], frames: int = 40) -> tuple[Array, Array]:
    """Joints around a wandering middle that are spread unevenly, and their times."""
    random = np.random.default_rng(4)
    body = random.normal(size=(1, 12, 3)) * [1.0, 0.4, 0.7] + 0.05 * random.normal(size=(frames, 12, 3))
    body += np.cumsum(random.normal(size=(frames, 1, 3)), axis=0)
    order = [0, 1, 2] if up[2] else [0, 2, 1]
    return body[..., order], np.arange(frames) / 30.0


def across(points: Array, angle: float, up: tuple[float, ...]) -> Array:
    return points @ screen_axes(angle, up)[0]


@pytest.mark.parametrize("up", UPS)
def test_no_other_side_shows_a_wider_spread(up: tuple[float, ...]) -> None:
    points, times = cloud(up)
    found = view_angles(points, times, up, smoothing=0.0)
    for frame in (0, 17, 39):
        widest = across(points[frame], found[frame], up).var()
        others = [across(points[frame], angle, up).var() for angle in range(180)]
        assert widest >= max(others) - 1e-9
        assert widest > 1.5 * min(others)


@pytest.mark.parametrize("up", UPS)
def test_no_other_side_shows_more_motion(up: tuple[float, ...]) -> None:
    points, times = cloud(up)
    velocities = np.gradient(points, times, axis=0)
    found = view_angles(points, times, up, by=ViewBy.VELOCITY, smoothing=0.0)
    for frame in (0, 17, 39):
        most = (across(velocities[frame], found[frame], up) ** 2).sum()
        assert most >= max((across(velocities[frame], angle, up) ** 2).sum() for angle in range(180)) - 1e-6


@pytest.mark.parametrize("by", ViewBy)
@pytest.mark.parametrize("turn", [33.0, 140.0, 260.0])
def test_turning_the_scene_turns_the_view(by: ViewBy, turn: float) -> None:
    points, times = cloud((0.0, 0.0, 1.0))
    angle = np.radians(turn)
    matrix = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    before = view_angles(points, times, (0, 0, 1), by=by)
    after = view_angles(points @ matrix.T, times, (0, 0, 1), by=by)
    assert np.abs((after - before - turn + 180.0) % 360.0 - 180.0).max() < 1e-6


def test_angles_have_no_jumps_where_the_direction_passes_half_a_turn() -> None:
    times = np.arange(200) / 30.0
    heading = np.linspace(0.0, 4 * np.pi, 200)
    line = np.linspace(-1.0, 1.0, 5)[None, :, None]
    points = line * np.stack([np.cos(heading), np.sin(heading), 0 * heading], axis=1)[:, None]
    found = view_angles(points, times, (0, 0, 1), smoothing=0.0)
    assert np.diff(found) == pytest.approx(np.degrees(np.diff(heading)))


def test_smoothing_calms_the_view() -> None:
    points, times = cloud((0.0, 0.0, 1.0), 200)
    rough = view_angles(points, times, (0, 0, 1), by=ViewBy.VELOCITY, smoothing=0.0)
    calm = view_angles(points, times, (0, 0, 1), by=ViewBy.VELOCITY, smoothing=0.6)
    assert np.abs(np.diff(calm)).mean() < 0.3 * np.abs(np.diff(rough)).mean()


def test_smoothing_averages_directions_around_each_frame() -> None:
    points, times = cloud((0.0, 0.0, 1.0))
    found = view_angles(points, times, (0, 0, 1), smoothing=4.2 / 30.0)
    flat = points[..., :2] - points[..., :2].mean(axis=1, keepdims=True)
    for frame in (0, 1, 20, 39):
        near = flat[max(0, frame - 2) : frame + 3].reshape(-1, 2)
        axis = np.linalg.eigh(near.T @ near)[1][:, 1]
        assert abs(np.cos(np.radians(found[frame])) * axis[1] - np.sin(np.radians(found[frame])) * axis[0]) < 1e-6


def test_a_motion_leads_to_the_right_or_faces_the_viewer() -> None:
    motion = sample_motion(30.0)
    body = find_body(motion.skeleton, motion=motion)
    places = motion.poses.positions
    frame = horizontal_frame(places, body)
    moving = view_angles(places, motion.times, body.up.vector, by=ViewBy.VELOCITY)
    steps = np.diff(frame.origin, axis=0)
    rights = np.array([screen_axes(angle, body.up.vector)[0] for angle in moving[:-1]])
    assert (rights * steps).sum() > 0.9 * np.linalg.norm(steps.sum(axis=0))
    spread = view_angles(places, motion.times, body.up.vector, forward=frame.axes[:, 1])
    towards = np.array([screen_axes(angle, body.up.vector)[2] for angle in spread])
    assert (towards * frame.axes[:, 1]).sum(axis=1).mean() > 0.25
    behind = view_angles(places, motion.times, body.up.vector, forward=-frame.axes[:, 1])
    assert np.abs(behind - spread) == pytest.approx(np.full(len(motion), 180.0))


def test_still_frames_keep_the_view_of_their_neighbours() -> None:
    points = np.zeros((30, 4, 3))
    points[:10, :, 1] = np.arange(10)[:, None]
    points[10:, :, 1] = 9.0
    found = view_angles(points, np.arange(30) / 30.0, (0, 0, 1), by=ViewBy.VELOCITY, smoothing=0.0)
    assert found == pytest.approx(np.full(30, 90.0))
    assert (view_angles(np.zeros((5, 4, 3)), np.arange(5), (0, 0, 1)) == 0.0).all()
    assert (view_angles(np.zeros((1, 4, 3)), [0.0], (0, 0, 1), by=ViewBy.VELOCITY) == 0.0).all()


def test_input_is_left_alone_and_bad_places_are_refused() -> None:
    points, times = cloud((0.0, 0.0, 1.0))
    kept = points.copy()
    view_angles(points, times, (0, 0, 1))
    assert (points == kept).all()
    points[3, 2, 1] = np.nan
    with pytest.raises(NotFiniteError, match="NaN or infinite"):
        view_angles(points, times, (0, 0, 1))
