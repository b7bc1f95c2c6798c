"""Files of the SMPL family."""

import numpy as np
import pytest

from core.body import Axis, find_body, is_person
from core.errors import FileFormatError, FileWriteError
from core.files import average_skeleton, read_smpl, write_smpl
from core.sample_motion import sample_motion


def turns(frames: int, joints: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(scale=0.3, size=(frames, joints, 3))


def slow_places(skeleton, vectors: np.ndarray, trans: np.ndarray) -> np.ndarray:
    """Places of joints in one frame, by matrices and one joint after the other (scipy's rotation vectors)."""
    from scipy.spatial.transform import Rotation

    matrices: list = []
    places: list = []
    for joint, parent in enumerate(skeleton.parents):
        own = Rotation.from_rotvec(vectors[joint]).as_matrix()
        if parent < 0:
            matrices.append(own)
            places.append(skeleton.rest_positions[joint] + trans)
            continue
        offset = skeleton.rest_positions[joint] - skeleton.rest_positions[parent]
        matrices.append(matrices[parent] @ own)
        places.append(places[parent] + matrices[parent] @ offset)
    return np.array(places)


@pytest.mark.parametrize("joints", [22, 24, 52, 55])
def test_joints_are_where_the_turns_put_them(tmp_path, joints):
    vectors, trans = turns(4, joints), np.random.default_rng(1).normal(size=(4, 3))
    np.savez(tmp_path / "a.npz", poses=vectors.reshape(4, -1), trans=trans, mocap_framerate=120.0)
    motion = read_smpl(tmp_path / "a.npz")
    assert motion.rate == 120.0
    for frame in range(4):
        expected = slow_places(motion.skeleton, vectors[frame], trans[frame])
        np.testing.assert_allclose(motion.poses.positions[frame], expected, atol=1e-12)


def test_names_of_other_programs_give_the_same(tmp_path):
    vectors, trans = turns(3, 22), np.zeros((3, 3))
    np.savez(tmp_path / "a.npz", poses=vectors.reshape(3, -1), trans=trans)
    np.savez(tmp_path / "b.npz", global_orient=vectors[:, 0], body_pose=vectors[:, 1:], transl=trans, fps=30)
    first, second = read_smpl(tmp_path / "a.npz"), read_smpl(tmp_path / "b.npz")
    np.testing.assert_array_equal(first.rotations, second.rotations)
    assert first.rate == second.rate == 30.0


def test_joints_that_the_file_gives_are_taken(tmp_path):
    rest = 1.1 * average_skeleton(22).rest_positions
    np.savez(tmp_path / "a.npz", poses=turns(2, 22).reshape(2, -1), trans=np.zeros((2, 3)), joints=rest)
    np.testing.assert_allclose(read_smpl(tmp_path / "a.npz").skeleton.rest_positions, rest)


@pytest.mark.parametrize("joints", [22, 24, 52, 55])
def test_the_average_skeleton_is_a_person(joints):
    skeleton = average_skeleton(joints)
    body = find_body(skeleton)
    assert is_person(body)
    assert body.up is Axis.PLUS_Y
    assert body.forward is Axis.PLUS_Z
    assert 1.6 < body.height < 1.8
    mirrored = skeleton.rest_positions * [-1.0, 1.0, 1.0]
    for name, place in zip(skeleton.names, mirrored, strict=True):
        other = name.replace("left", "RIGHT").replace("right", "left").replace("RIGHT", "right")
        np.testing.assert_allclose(skeleton.rest_positions[skeleton.index[other]], place, atol=1e-12)


@pytest.mark.parametrize("joints", [22, 52])
def test_what_is_written_is_read_again(tmp_path, joints):
    vectors, trans = turns(5, joints, seed=3), np.random.default_rng(4).normal(size=(5, 3))
    np.savez(tmp_path / "a.npz", poses=vectors.reshape(5, -1), trans=trans, mocap_framerate=60.0)
    before = read_smpl(tmp_path / "a.npz")
    write_smpl(tmp_path / "b.npz", before)
    after = read_smpl(tmp_path / "b.npz")
    np.testing.assert_allclose(after.poses.positions, before.poses.positions, atol=1e-12)
    assert after.rate == before.rate


def test_other_skeletons_are_not_written(tmp_path):
    with pytest.raises(FileWriteError, match="SMPL"):
        write_smpl(tmp_path / "a.npz", sample_motion(rate=30))


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ({"trans": np.zeros((3, 3))}, "no turns"),
        ({"poses": np.zeros((3, 30))}, "10 joints"),
        ({"poses": np.zeros((3, 66)), "trans": np.zeros((2, 3))}, "do not fit"),
        ({"poses": np.full((3, 66), np.nan), "trans": np.zeros((3, 3))}, "do not fit"),
        ({"poses": np.zeros((0, 66))}, "joints"),
        ({"poses": np.array([{"a": 1}], dtype=object)}, "damaged"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_other_contents_are_refused(tmp_path, arrays, reason):
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(FileFormatError, match=reason):
        read_smpl(tmp_path / "a.npz")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and nothing more", b"\x93NUMPY"])
def test_damaged_files_are_refused(tmp_path, content):
    (tmp_path / "a.npz").write_bytes(content)
    with pytest.raises(FileFormatError):
        read_smpl(tmp_path / "a.npz")
