"""Pose strips: what is drawn where, the PNG format, and refusals."""

import struct
import zlib

import numpy as np
import pytest

from core.analysis.view import best_view, screen_axes, side_of
from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.timeline.pose_picture import StripStyle, pose_strip, write_png
from core.timeline.pose_picture.canvas import Canvas
from core.timeline.pose_picture.lettering import _GLYPHS, draw_text, text_width

WHITE, BLACK = (1.0, 1.0, 1.0), (0.0, 0.0, 0.0)
STYLE = StripStyle(figure_height=80.0)


def puppet(frames=20, *, swing_axis=(1.0, 0.0, 0.0), travel=(0.0, 0.0, 0.0)):
    """A trunk with a head, two arms that swing about an axis and two legs."""
    names = ("hips", "chest", "head", "hand.L", "hand.R", "foot.L", "foot.R")
    places = [[0, 0, 1], [0, 0, 1.4], [0, 0, 1.5], [0.2, 0, 1.4], [-0.2, 0, 1.4], [0.1, 0, 1], [-0.1, 0, 1]]
    tips = [[0, 0, 0.4], [0, 0, 0.1], [0, 0, 0.2], *[[0, 0, -0.6]] * 2, *[[0, 0, -1.0]] * 2]
    skeleton = Skeleton.build(names, [-1, 0, 1, 1, 1, 0, 0], places, tips=tips)
    angle = np.sin(np.linspace(0, 6, frames))
    rotations = quaternion.identity(frames, 7)
    for joint, side in ((3, 1.0), (4, -1.0), (5, -0.6), (6, 0.6)):
        rotations[:, joint] = quaternion.from_axis_angle(np.array(swing_axis), side * angle)
    locations = np.zeros((frames, 7, 3))
    locations[:, 0] = np.linspace(0, 1, frames)[:, None] * np.array(travel)
    return Motion.build(skeleton, rotations, rate=30, locations=locations)


def has_colour(picture, colour, tolerance=3):
    wanted = np.rint(np.array(colour) * 255)
    return np.abs(picture[..., :3].astype(int) - wanted).max(axis=-1) <= tolerance


def read_png(path):
    """Width, height and pixels of an 8-bit RGBA file without filters."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, offset = {}, 8
    while offset < len(data):
        (size,) = struct.unpack(">I", data[offset : offset + 4])
        kind, body = data[offset + 4 : offset + 8], data[offset + 8 : offset + 8 + size]
        (checksum,) = struct.unpack(">I", data[offset + 8 + size : offset + 12 + size])
        assert checksum == zlib.crc32(kind + body)
        chunks[kind] = body
        offset += 12 + size
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, colour) == (8, 6)
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), dtype=np.uint8).reshape(height, 1 + 4 * width)
    assert (rows[:, 0] == 0).all()
    return rows[:, 1:].reshape(height, width, 4)


def test_png_reads_back_pixel_for_pixel(tmp_path):
    picture = np.random.default_rng(2).integers(0, 256, (17, 31, 4), dtype=np.uint8)
    write_png(tmp_path / "picture.png", picture)
    np.testing.assert_array_equal(read_png(tmp_path / "picture.png"), picture)


@pytest.mark.parametrize("wrong", [np.zeros((4, 4, 3), np.uint8), np.zeros((4, 4, 4)), np.zeros((0, 4, 4), np.uint8)])
def test_png_refuses_other_arrays(tmp_path, wrong):
    with pytest.raises(ValueError, match="uint8"):
        write_png(tmp_path / "picture.png", wrong)
    assert not (tmp_path / "picture.png").exists()


def test_a_stroke_covers_as_much_as_its_area():
    canvas = Canvas(60, 40, WHITE)
    canvas.stroke((10.3, 12.7), (45.1, 25.2), 4.0, BLACK)
    length = np.hypot(45.1 - 10.3, 25.2 - 12.7)
    assert (1.0 - canvas.pixels[..., 0]).sum() == pytest.approx(8.0 * length + np.pi * 16.0, rel=0.02)


def test_edges_are_soft_and_the_outside_is_untouched():
    canvas = Canvas(40, 40, WHITE)
    canvas.disc((20.0, 20.0), 8.3, BLACK)
    assert ((canvas.pixels > 0.05) & (canvas.pixels < 0.95)).any()
    y, x = np.mgrid[:40, :40] + 0.5
    assert (canvas.pixels[np.hypot(x - 20, y - 20) > 10] == 1.0).all()
    assert (canvas.pixels[np.hypot(x - 20, y - 20) < 7] == 0.0).all()


def test_drawing_beyond_the_border_is_cut_off():
    canvas = Canvas(20, 20, WHITE)
    canvas.stroke((-50.0, 10.0), (70.0, 10.0), 2.0, BLACK)
    canvas.disc((300.0, 300.0), 5.0, BLACK)
    assert (canvas.pixels[10] == 0.0).all()
    assert (canvas.pixels[15:] == 1.0).all()


def test_every_letter_differs_and_stays_in_its_box():
    drawn = {}
    for letter in _GLYPHS:
        canvas = Canvas(40, 40, WHITE)
        draw_text(canvas, letter, (10.0, 30.0), size=18.0, colour=BLACK)
        ink = np.argwhere(canvas.pixels[..., 0] < 0.5)
        assert ink[:, 0].min() + 1 >= 10
        assert ink[:, 0].max() <= 32
        assert ink[:, 1].min() >= 8
        assert ink[:, 1].max() <= 10 + text_width(letter, 18.0) + 2
        drawn[letter] = canvas.pixels.tobytes()
    same = [letter for letter in drawn if list(drawn.values()).count(drawn[letter]) > 1]
    assert same == []


def test_text_is_placed_by_its_alignment():
    columns = []
    for align in (0.0, 0.5, 1.0):
        canvas = Canvas(200, 30, WHITE)
        draw_text(canvas, "Frame 12", (100.0, 20.0), size=10.0, colour=BLACK, align=align)
        ink = np.flatnonzero((canvas.pixels[..., 0] < 0.5).any(axis=0))
        columns.append((ink.min(), ink.max()))
    assert columns[0][0] >= 98
    assert abs(columns[1][0] + columns[1][1] - 200) < 6
    assert columns[2][1] <= 102


def test_the_picture_shows_both_sides_head_ground_and_numbers():
    picture = pose_strip(puppet(), 5, style=STYLE)
    assert picture.dtype == np.uint8
    assert (picture[..., 3] == 255).all()
    colours = STYLE.colours
    for part in ("left", "right", "middle", "ground", "background"):
        assert has_colour(picture, colours[part]).sum() > 30
    # The margins stay empty.
    for edge in (picture[:4], picture[-4:], picture[:, :4], picture[:, -4:]):
        assert has_colour(edge, colours["background"]).all()


def test_all_figures_of_all_rows_share_one_scale():
    small = puppet()
    narrow, wide = pose_strip(small, 4, style=STYLE), pose_strip(small, 8, style=STYLE)
    assert wide.shape[0] == narrow.shape[0]
    assert wide.shape[1] > 1.7 * narrow.shape[1]
    two = pose_strip([small, small], 4, style=STYLE)
    assert two.shape[1] == narrow.shape[1]
    assert two.shape[0] > 1.6 * narrow.shape[0]


def test_a_raised_figure_is_drawn_higher():
    base = puppet(2)
    locations = np.array(base.locations)
    locations[1, 0, 2] = 0.5
    picture = pose_strip(base.with_locations(locations), [0, 1], style=STYLE, view=0.0)
    half = picture.shape[1] // 2
    scale = STYLE.figure_height / 1.7
    tops = []
    for part in (picture[:, :half], picture[:, half:]):
        tops.append(np.flatnonzero(has_colour(part, STYLE.colours["middle"]).any(axis=1)).min())
    assert tops[0] - tops[1] == pytest.approx(0.5 * scale, abs=2.0)


def test_the_nearer_arm_covers_the_farther_one():
    motion = puppet(1)
    for view, near, far in ((90.0, "left", "right"), (270.0, "right", "left")):
        picture = pose_strip(motion, [0], style=STYLE, view=view)
        assert has_colour(picture, STYLE.colours[near]).sum() > 3 * has_colour(picture, STYLE.colours[far]).sum()


def test_automatic_view_shows_the_plane_of_the_swing_moving_to_the_right():
    sideways = best_view(puppet(travel=(0.0, -2.0, 0.0)))
    right, up, _ = screen_axes(sideways, (0.0, 0.0, 1.0))
    np.testing.assert_allclose(up, [0, 0, 1])
    assert right @ [0.0, -1.0, 0.0] > 0.99
    right, _, _ = screen_axes(best_view(puppet(swing_axis=(0.0, 1.0, 0.0))), (0.0, 0.0, 1.0))
    assert right @ [1.0, 0.0, 0.0] > 0.99


@pytest.mark.parametrize("up", [(0, 0, 1), (0, 1, 0), (1, 0, 0), (0.3, 0.2, 0.9)])
def test_screen_axes_are_a_right_handed_frame(up):
    right, vertical, towards = screen_axes(33.0, up)
    np.testing.assert_allclose(np.cross(right, vertical), towards, atol=1e-12)
    np.testing.assert_allclose(vertical, np.array(up) / np.linalg.norm(up))
    assert abs(right @ vertical) < 1e-12
    assert np.linalg.norm(right) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "side"),
    [
        ("upper_arm.L", "left"),
        ("DEF-thigh.R.001", "right"),
        ("LeftUpLeg", "left"),
        ("RightHand", "right"),
        ("hand_l", "left"),
        ("mixamorig:RightArm", "right"),
        ("rCollar", "right"),
        ("l_hip", "left"),
        ("LHipJoint", "left"),
        ("spine", "middle"),
        ("upper_chest", "middle"),
        ("pelvis", "middle"),
        ("Collar", "middle"),
    ],
)
def test_sides_are_read_from_names(name, side):
    assert side_of(name) == side


def test_frames_may_be_chosen_in_every_way():
    motion = puppet(20)
    by_count = pose_strip(motion, 3, style=STYLE)
    chosen = pose_strip(motion, [0, 10, -1], style=STYLE)
    np.testing.assert_array_equal(by_count, chosen)
    rows = pose_strip([motion, motion], [[0, 1], [5, 6, 7]], labels=["before", "after"], style=STYLE)
    alone = pose_strip(motion, [5, 6, 7], style=STYLE)
    assert rows.shape[1] == alone.shape[1]


def test_travelling_figures_stand_where_they_are():
    motion = puppet(20, travel=(0.0, -6.0, 0.0))
    style = StripStyle(figure_height=80.0, travel=True)
    picture = pose_strip(motion, [0, 19], style=style)
    columns = np.flatnonzero(has_colour(picture, style.colours["middle"]).any(axis=0))
    assert np.ptp(columns) * 1.7 / 80.0 == pytest.approx(6.0, abs=0.5)


def test_numbers_of_crowded_figures_are_left_out():
    motion = puppet(20, travel=(0.0, -0.5, 0.0))
    style = StripStyle(figure_height=80.0, travel=True)
    every, few = (pose_strip(motion, frames, style=style) for frames in (range(20), [0, 19]))
    # Below the ground there are only numbers: twenty on half a metre would be one smear.
    ink = [has_colour(picture[-22:], style.colours["text"], 60).sum() for picture in (every, few)]
    assert ink[0] < 2.5 * ink[1]


@pytest.mark.parametrize(
    ("motions", "frames", "labels", "reason"),
    [
        ([], 3, (), "at least one motion"),
        ([puppet(5)], 0, (), "at least one frame"),
        ([puppet(5)], [], (), "at least one frame"),
        ([puppet(5)], [0, 5], (), "Frame 5 lies outside a motion of 5 frames"),
        ([puppet(5)], 2, ("a", "b"), "2 labels for 1 rows"),
    ],
)
def test_refusals(motions, frames, labels, reason):
    with pytest.raises(ValueError, match=reason):
        pose_strip(motions, frames, labels=labels)


def test_a_skeleton_without_a_head_or_tips_is_drawn():
    skeleton = Skeleton.build(("a", "b", "c"), [-1, 0, 1], [[0, 0, 0], [0, 1, 0], [0, 2, 0]])
    motion = Motion.build(skeleton, quaternion.identity(4, 3), rate=30)
    style = StripStyle(figure_height=60.0, up=(0.0, 1.0, 0.0))
    picture = pose_strip(motion, 2, style=style)
    assert has_colour(picture, style.colours["middle"]).sum() > 50


def test_the_object_that_carries_the_bones_takes_no_room():
    bare = puppet(travel=(0.0, -9.0, 0.0))
    skeleton = bare.skeleton
    carried = Skeleton.build(
        ["", *skeleton.names],
        [-1, *(parent + 1 for parent in skeleton.parents)],
        [(0.0, 0.0, 0.0), *skeleton.rest_positions],
        tips=[(0.0, 0.0, 0.0), *skeleton.tips],
        has_placement=True,
    )
    rotations = np.insert(bare.rotations, 0, quaternion.IDENTITY, axis=1)
    motion = Motion.build(carried, rotations, rate=bare.rate, locations=np.insert(bare.locations, 0, 0.0, axis=1))
    np.testing.assert_array_equal(pose_strip(motion, 5), pose_strip(bare, 5))
