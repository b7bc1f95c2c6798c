"""The mannequin: a closed mesh, symmetric, with weights that are smooth and a face that moves."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.spatial import cKDTree

from core.numerics import quaternion
from core.sample_motion import mannequin, sample_motion, sample_skeleton


@pytest.fixture(scope="module")
def body():
    return mannequin.mannequin()


@pytest.fixture(scope="module")
def weights(body):
    return mannequin.sample_weights(body, sample_skeleton())


def test_every_edge_of_the_skin_joins_two_faces_and_faces_look_outwards(body):
    skin = body.squares[~body.on_head[body.squares].any(axis=1)]
    edges = Counter((int(a), int(b)) for square in skin for a, b in zip(square, np.roll(square, -1), strict=True))
    assert all(edges[b, a] == count for (a, b), count in edges.items())
    corners = body.vertices[skin]
    # The volume that squares enclose is positive only if they look outwards; a person has some 60 to 80 litres.
    volume = np.einsum("qi,qi->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    volume += np.einsum("qi,qi->", corners[:, 0], np.cross(corners[:, 2], corners[:, 3])) / 6.0
    assert 0.05 < volume < 0.09


def test_it_is_as_tall_as_the_figure_and_stands_on_the_floor(body):
    assert body.vertices[:, 2].min() == pytest.approx(0.0, abs=1e-3)
    assert body.vertices[:, 2].max() == pytest.approx(1.75, abs=5e-3)


def test_both_sides_are_alike(body):
    skin = body.vertices[~body.on_head]
    distances, _ = cKDTree(skin).query(skin * [-1.0, 1.0, 1.0])
    assert distances.max() < 1e-5


def test_weights_add_up_and_are_smooth_over_every_edge(body, weights):
    table = np.stack(list(weights.values()), axis=1)
    np.testing.assert_allclose(table.sum(axis=1), 1.0, atol=1e-9)
    steps = np.abs(table[body.squares[:, 0]] - table[body.squares[:, 1]]).max(axis=1)
    assert steps.max() < 0.45
    assert np.percentile(steps, 99) < 0.25


def test_a_vertex_belongs_to_bones_beside_each_other(body, weights):
    places = sample_skeleton()
    for side, other in (("L", "R"), ("R", "L")):
        far = np.sign(body.vertices[:, 0]) == (1.0 if other == "L" else -1.0)
        limbs = [weights[f"{name}.{side}"][far & (np.abs(body.vertices[:, 0]) > 0.03)] for name in ("thigh", "hand")]
        assert max(each.max() for each in limbs) == 0.0
    assert set(weights) == set(places.names)


def test_the_face_goes_with_the_head_alone(body, weights):
    assert (weights["head"][body.on_head] == 1.0).all()


def test_soles_stay_at_the_floor_in_the_sample_motion(body, weights):
    motion = sample_motion(30.0)
    frames = [0, 45, 112, 200, 354]
    lowest = [_posed(body, weights, motion, frame)[:, 2].min() for frame in frames]
    np.testing.assert_allclose(lowest, 0.0, atol=0.012)


def _posed(body, weights, motion, frame):
    rest = motion.skeleton
    poses = motion.poses
    posed = np.zeros_like(body.vertices)
    for name, share in weights.items():
        joint = rest.index[name]
        turn = quaternion.multiply(poses.rotations[frame, joint], quaternion.conjugate(rest.rest_rotations[joint]))
        moved = quaternion.rotate(turn, body.vertices - rest.rest_positions[joint]) + poses.positions[frame, joint]
        posed += share[:, None] * moved
    return posed


@pytest.mark.parametrize("name", ["blink", "brow_up", "brow_down"])
def test_a_sided_shape_moves_one_side_and_its_mirror_the_other(body, name):
    left, right = body.shapes[f"{name}.L"], body.shapes[f"{name}.R"]
    assert body.vertices[np.abs(left).max(axis=1) > 1e-5, 0].min() > 0.0
    assert body.vertices[np.abs(right).max(axis=1) > 1e-5, 0].max() < 0.0
    assert np.abs(left).max() > 0.004


@pytest.mark.parametrize("name", ["smile", "jaw_open"])
def test_mouth_shapes_move_both_sides_alike_and_nothing_below_the_neck(body, name):
    moves = body.shapes[name]
    assert np.abs(moves).max() > 0.004
    np.testing.assert_allclose(moves[:, 0].sum(), 0.0, atol=1e-3)
    assert np.abs(moves[body.vertices[:, 2] < 1.5]).max() == 0.0


def test_the_metarig_lies_inside_the_mannequin(body):
    bones = mannequin.metarig_bones(sample_skeleton())
    heads = np.array([head for name, (head, _tail) in bones.items() if not name.startswith("heel")])
    distances = np.linalg.norm(body.vertices[None, ~body.on_head] - heads[:, None], axis=2).min(axis=1)
    assert distances.max() < 0.13
    assert {"spine.006", "f_pinky.03.R", "thumb.01.L", "heel.02.R"} <= set(bones)
