"""Writing BVH: what is read back is the same motion, and no file is ever half written."""

import numpy as np
import pytest
from made_motion import chain, random_skeleton, smooth_curves, smooth_rotations

from core.errors import MotionEditError, NotFiniteError, TooFewFramesError
from core.files.bvh import BvhFile, read_bvh, write_bvh
from core.files.bvh_hierarchy import BvhJoint
from core.motion.motion import Motion
from core.motion.skeleton import InheritScale, Skeleton
from core.numerics import quaternion
from core.numerics.rotation_channels import EULER_ORDERS


def swinging(skeleton: Skeleton, frames: int = 40, *, moving: bool = False, **channels) -> Motion:
    locations = smooth_curves(frames, len(skeleton) * 3, 7).reshape(frames, -1, 3) if moving else None
    rotations = smooth_rotations(frames, len(skeleton), 3)
    return Motion.build(skeleton, rotations, rate=50.0, locations=locations, **channels)


def assert_same_in_space(written: Motion, motion: Motion, *, degrees: float = 1e-4, units: float = 1e-5) -> None:
    """Compare joint by joint, by name: places, and orientations relative to the rest pose."""
    assert set(written.skeleton.names) == set(motion.skeleton.names)
    order = [written.skeleton.index[name] for name in motion.skeleton.names]
    np.testing.assert_allclose(written.poses.positions[:, order], motion.poses.positions, atol=units)
    turned = quaternion.multiply(motion.poses.rotations, quaternion.conjugate(motion.skeleton.rest_rotations))
    angles = quaternion.angle_between(written.poses.rotations[:, order], turned)
    assert np.degrees(angles).max() < degrees


@pytest.mark.parametrize("order", EULER_ORDERS)
def test_what_is_written_reads_back(tmp_path, order):
    motion = swinging(random_skeleton(12, seed=1), moving=True)
    assert write_bvh(tmp_path / "a.bvh", motion, euler_order=order) == ()
    bvh = read_bvh(tmp_path / "a.bvh")
    assert {joint.channels[3:] for joint in bvh.joints} == {tuple(f"{axis}rotation" for axis in order[::-1])}
    written = bvh.to_motion()
    assert written.rate == 50.0
    assert_same_in_space(written, motion)
    np.testing.assert_array_equal(written.skeleton.rest_rotations, quaternion.identity(12))
    places = [written.skeleton.rest_positions[written.skeleton.index[name]] for name in motion.skeleton.names]
    np.testing.assert_allclose(places, motion.skeleton.rest_positions, atol=1e-7)


@pytest.mark.parametrize(
    "flags",
    [
        {"connected": True},
        {"local_location": False},
        {"inherits_rotation": False},
        {"inherit_scale": InheritScale.NONE},
    ],
)
def test_any_inheritance_keeps_its_place_in_space(tmp_path, flags):
    skeleton = random_skeleton(9, seed=2, **{name: np.full(9, value) for name, value in flags.items()})
    motion = swinging(skeleton, moving=True)
    write_bvh(tmp_path / "a.bvh", motion)
    assert_same_in_space(read_bvh(tmp_path / "a.bvh").to_motion(), motion)


def test_ends_of_the_last_bones_are_kept(tmp_path):
    motion = swinging(random_skeleton(9, seed=4))
    write_bvh(tmp_path / "a.bvh", motion)
    written = read_bvh(tmp_path / "a.bvh").to_motion()
    for joint, name in enumerate(motion.skeleton.names):
        if not motion.skeleton.children[joint]:
            tips = written.poses.tips[:, written.skeleton.index[name]]
            np.testing.assert_allclose(tips, motion.poses.tips[:, joint], atol=1e-5)


def test_only_roots_and_joints_that_move_have_positions():
    motion = swinging(chain(4))
    locations = np.zeros((40, 4, 3))
    locations[5, 2, 1] = 0.01
    channels = [len(joint.channels) for joint in BvhFile.from_motion(motion.with_locations(locations)).joints]
    assert channels == [6, 3, 6, 3]


def test_a_joint_is_followed_by_all_below_it():
    skeleton = Skeleton.build("abcdef", [2, 2, -1, 0, 1, 0], np.eye(6)[:, :3])
    joints = BvhFile.from_motion(swinging(skeleton)).joints
    assert [joint.name for joint in joints] == list("cadfbe")
    assert [joint.parent for joint in joints] == [-1, 0, 1, 1, 0, 4]


def test_angles_do_not_jump():
    turns = np.linspace(0.0, 9.0 * np.pi, 200)
    vectors = np.stack([turns, 0.3 * np.sin(turns), 0.2 * np.cos(turns)], axis=-1)[:, None]
    values = BvhFile.from_motion(Motion.build(chain(1), quaternion.exp(vectors), rate=30.0)).values
    assert np.abs(np.diff(values, axis=0)).max() < 60.0
    assert values[-1, 5] - values[0, 5] > 1500.0


def test_channels_of_a_file_are_written_as_they_are(tmp_path):
    joints = (
        BvhJoint("Hips", -1, (0.0, 1.0, 0.0), ("Yposition", "Zrotation"), (0.5, 0.0, 0.0)),
        BvhJoint("Left Arm", 0, (1.0, 2.0, -3.25), ("Xrotation",), (0.0, 1e-7, 0.0)),
        BvhJoint("Ball", -1, (0.0, 0.0, 0.0), ()),
    )
    bvh = BvhFile(joints, 1001 / 24000, np.array([[1.0, -400.25, 3.0], [-0.0, 1e7, 1e-6]]))
    write_bvh(tmp_path / "a.bvh", bvh)
    again = read_bvh(tmp_path / "a.bvh")
    assert again.joints == joints
    assert again.frame_time == pytest.approx(1001 / 24000, rel=1e-14)
    np.testing.assert_array_equal(again.values, bvh.values)
    assert "-0.0" not in (tmp_path / "a.bvh").read_text()


def test_more_decimals_on_demand(tmp_path):
    motion = swinging(random_skeleton(5, seed=3), moving=True)
    write_bvh(tmp_path / "a.bvh", motion, decimals=9)
    assert_same_in_space(read_bvh(tmp_path / "a.bvh").to_motion(), motion, degrees=2e-7, units=5e-8)


def test_names_that_would_break_the_file_are_mended(tmp_path):
    names = ["a\nb", "a b", "{", "", "Hüfte", "half \ud800"]
    skeleton = Skeleton.build(names, [-1, 0, 1, 2, 3, 4], np.zeros((6, 3)))
    write_bvh(tmp_path / "a.bvh", swinging(skeleton))
    read = [joint.name for joint in read_bvh(tmp_path / "a.bvh").joints]
    assert read == ["a b", "a b.001", "(", "joint", "Hüfte", "half ?"]


def test_chains_deeper_than_any_recursion(tmp_path):
    write_bvh(tmp_path / "a.bvh", swinging(chain(1500), frames=2))
    assert len(read_bvh(tmp_path / "a.bvh").joints) == 1500
    assert (tmp_path / "a.bvh").stat().st_size < 1e6


def test_scale_and_further_channels_are_named_as_lost(tmp_path):
    scales = np.ones((40, 3, 3))
    scales[:, 0] = 2.0
    motion = swinging(chain(3), scales=scales, scalars=np.zeros((40, 2)), scalar_names=("smile", "blink"))
    warnings = write_bvh(tmp_path / "a.bvh", motion)
    assert [warning.split(":")[0] for warning in warnings] == ["BVH holds no scale", "BVH holds joints alone"]
    assert "1 joint shows" in warnings[0]
    np.testing.assert_allclose(
        read_bvh(tmp_path / "a.bvh").to_motion().poses.positions, motion.poses.positions, atol=1e-5
    )


def test_uneven_times_are_sampled_at_the_rate():
    motion = swinging(chain(3), times=np.cumsum(np.linspace(0.01, 0.05, 40)))
    bvh = BvhFile.from_motion(motion)
    assert bvh.warnings == ("BVH holds even steps of time: the motion was sampled 50 times a second",)
    even = bvh.to_motion()
    assert_same_in_space(even, motion.at(motion.times[0] + even.times))
    assert motion.times[-1] - even.times[-1] - motion.times[0] < 1 / 50


def test_the_time_between_frames_is_written_even_if_the_recorded_rate_differs():
    bvh = BvhFile.from_motion(swinging(chain(3), times=np.arange(40) / 24))
    assert bvh.frame_time == pytest.approx(1 / 24)
    assert bvh.warnings == ()
    assert BvhFile.from_motion(swinging(chain(3), frames=1)).frame_time == 1 / 50


def test_the_motion_is_left_alone(tmp_path):
    motion = swinging(random_skeleton(5, seed=5), moving=True)
    before = motion.rotations.copy(), motion.locations.copy()
    write_bvh(tmp_path / "a.bvh", motion)
    np.testing.assert_array_equal(motion.rotations, before[0])
    np.testing.assert_array_equal(motion.locations, before[1])


def test_a_failing_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "a.bvh"
    path.write_text("old")

    def full_disk(values, decimals):
        yield "1 2 3\n"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("core.files.bvh._formatted_rows", full_disk)
    with pytest.raises(MotionEditError, match=r"^a.bvh: cannot be written: No space left on device$"):
        write_bvh(path, swinging(chain(2)))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_where_nothing_can_be_written_the_reason_is_given(tmp_path, monkeypatch):
    motion = swinging(chain(2))
    with pytest.raises(MotionEditError, match=r"^a.bvh: cannot be written: No such file or directory$"):
        write_bvh(tmp_path / "none" / "a.bvh", motion)
    with pytest.raises(MotionEditError, match=r"cannot be written: it is a folder"):
        write_bvh(tmp_path, motion)
    (tmp_path / "a.bvh").write_text("locked")
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(MotionEditError, match=r"^a.bvh: cannot be written: it is a folder or may not be changed$"):
        write_bvh(tmp_path / "a.bvh", motion)
    assert (tmp_path / "a.bvh").read_text() == "locked"


def test_a_link_and_the_permissions_of_a_file_stay(tmp_path):
    (tmp_path / "real.bvh").write_text("old")
    (tmp_path / "real.bvh").chmod(0o640)
    (tmp_path / "link.bvh").symlink_to(tmp_path / "real.bvh")
    write_bvh(tmp_path / "link.bvh", swinging(chain(2)))
    assert (tmp_path / "link.bvh").is_symlink()
    assert (tmp_path / "real.bvh").stat().st_mode & 0o777 == 0o640
    assert len(read_bvh(tmp_path / "real.bvh").values) == 40


def test_mistakes_of_the_caller_are_refused(tmp_path):
    motion = swinging(chain(2))
    with pytest.raises(ValueError, match=r"euler_order must be one of XYZ, .*, not 'xyz'"):
        write_bvh(tmp_path / "a.bvh", motion, euler_order="xyz")
    with pytest.raises(TooFewFramesError, match="needs 1 frame, the motion has 0"):
        write_bvh(tmp_path / "a.bvh", motion.part(0, 0))
    turned = BvhJoint("a", -1, (0.0, 0.0, 0.0), ("Xrotation",))
    with pytest.raises(ValueError, match=r"values must have shape \(F, 1\), not \(3, 2\)"):
        BvhFile((turned,), 0.1, np.zeros((3, 2)))
    with pytest.raises(ValueError, match="frame_time must be above zero"):
        BvhFile((turned,), 0.0, np.zeros((3, 1)))
    with pytest.raises(NotFiniteError, match="holds no NaN"):
        write_bvh(tmp_path / "a.bvh", BvhFile((turned,), 0.1, np.array([[np.nan]])))
    scattered = (turned, BvhJoint("b", 0, (0.0,) * 3, ()), BvhJoint("c", -1, (0.0,) * 3, ()),
                 BvhJoint("d", 0, (0.0,) * 3, ()))  # fmt: skip
    with pytest.raises(ValueError, match="'d' must directly follow the joints below its parent"):
        write_bvh(tmp_path / "a.bvh", BvhFile(scattered, 0.1, np.zeros((1, 1))))
    assert not list(tmp_path.iterdir())


def test_real_clips_survive_the_round_trip(clips_folder, tmp_path):
    paths = sorted([*(clips_folder / "dev").glob("*.bvh"), *(clips_folder / "odd").glob("*.bvh")])
    assert len(paths) > 30
    for number, path in enumerate(paths):
        bvh = read_bvh(path)
        motion = bvh.to_motion()
        write_bvh(tmp_path / "a.bvh", motion, euler_order=EULER_ORDERS[number % 6])
        assert_same_in_space(read_bvh(tmp_path / "a.bvh").to_motion(), motion)
        write_bvh(tmp_path / "b.bvh", bvh)
        np.testing.assert_allclose(read_bvh(tmp_path / "b.bvh").values, bvh.values, atol=1e-6)
