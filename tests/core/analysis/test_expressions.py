"""The face of a character: which joints it has, and the path of its expressions."""

import numpy as np
import pytest

from core.analysis import face_path
from core.body import find_body
from core.motion import Motion, Skeleton
from core.numerics import quaternion

NAMES = ["hips", "spine", "neck", "head", "jaw", "Brow.L", "tongue.01", "hair", "DEF-lip.T", "left_eye", "thigh.L"]
PARENTS = [-1, 0, 1, 2, 3, 3, 4, 3, 3, 3, 0]


def talking():
    places = np.cumsum(np.tile([0.0, 0.0, 0.2], (len(NAMES), 1)), axis=0)
    skeleton = Skeleton.build(NAMES, PARENTS, places)
    rotations = np.broadcast_to(quaternion.IDENTITY, (30, len(NAMES), 4)).copy()
    rotations[:, 4] = quaternion.exp(np.linspace(0.0, 0.35, 30)[:, None] * [1.0, 0.0, 0.0])
    rotations[:, 0] = quaternion.exp(np.linspace(0.0, 1.0, 30)[:, None] * [0.0, 0.0, 1.0])
    scalars = np.stack([np.linspace(0.0, 1.0, 30), np.full(30, 0.5), np.linspace(0.0, 9.0, 30)], axis=1)
    shapes = ('Key: key_blocks["smile"].value', 'Key: key_blocks["frown"].value', 'pose.bones["jaw"]["number"]')
    return Motion.build(skeleton, rotations, rate=30.0, scalars=scalars, scalar_names=shapes)


def test_bones_of_the_face_are_told_by_their_names():
    body = find_body(talking().skeleton)
    assert {NAMES[joint] for joint in body.face} == {"jaw", "Brow.L", "tongue.01", "left_eye"}


def test_the_path_has_moving_shapes_and_bones_alone():
    motion = talking()
    path = face_path(motion, find_body(motion.skeleton))
    assert path.shape == (30, 2)
    np.testing.assert_allclose(path, np.linspace(0.0, 1.0, 30)[:, None].repeat(2, axis=1), atol=1e-9)


@pytest.mark.parametrize("name", ["eyelid.T.L", "LipUpper", "c_eyebrow_01.r", "左目", "jaw_master", "Teeth"])
def test_names_of_a_face(name):
    skeleton = Skeleton.build(["hips", name], [-1, 0], np.zeros((2, 3)))
    assert find_body(skeleton).face == (1,)


@pytest.mark.parametrize("name", ["head", "hair", "slide", "eyrie", "clip", "thigh"])
def test_other_names(name):
    skeleton = Skeleton.build(["hips", name], [-1, 0], np.zeros((2, 3)))
    assert find_body(skeleton).face == ()
