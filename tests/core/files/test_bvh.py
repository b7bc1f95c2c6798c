"""Reading BVH text: what is understood, and what it means."""

import itertools

import bvh_reference
import numpy as np
import pytest
from small_bvh import SMALL, reader_in

from core.files.bvh import BvhFile, read_bvh, read_joints
from core.numerics import quaternion


@pytest.fixture
def read(tmp_path):
    return reader_in(tmp_path)


def assert_follows_the_reference(bvh: BvhFile, rows) -> None:
    motion = bvh.to_motion()
    for row in rows:
        positions, matrices = bvh_reference.global_poses(bvh.joints, bvh.values[row])
        reach = max(1.0, np.abs(positions).max())
        np.testing.assert_allclose(motion.poses.positions[row], positions, atol=1e-12 * reach)
        turned = quaternion.to_matrix(motion.poses.rotations[row])
        np.testing.assert_allclose(turned, matrices, atol=1e-12)


def test_a_small_file_is_read_as_it_stands(read):
    bvh = read(SMALL)
    hips, leg = bvh.joints
    assert (hips.name, hips.parent, hips.offset, hips.end_site) == ("Hips", -1, (1.0, 2.0, 3.0), None)
    assert (leg.name, leg.parent, leg.offset, leg.end_site) == ("Leg", 0, (0.0, -4.0, 0.0), (0.0, -3.0, 1.0))
    assert leg.channels == ("Zrotation", "Yrotation", "Xrotation")
    assert bvh.frame_time == 0.04
    assert bvh.warnings == ()
    np.testing.assert_array_equal(bvh.values, bvh_reference.row_values(SMALL))
    assert not bvh.values.flags.writeable


def test_the_motion_has_world_axes_rest_places_tips_and_rate(read):
    motion = read(SMALL).to_motion()
    np.testing.assert_array_equal(motion.skeleton.rest_rotations, [quaternion.IDENTITY] * 2)
    np.testing.assert_array_equal(motion.skeleton.rest_positions, [[1, 2, 3], [1, -2, 3]])
    np.testing.assert_array_equal(motion.skeleton.tips, [[0, -4, 0], [0, -3, 1]])
    np.testing.assert_array_equal(motion.poses.positions[:, 0], [[10, 20, 30], [11, 21, 31], [12, 22, 32]])
    assert motion.rate == 25.0
    np.testing.assert_allclose(motion.times, [0.0, 0.04, 0.08])


def test_the_tip_of_a_joint_with_several_children_is_their_mean(read):
    second = "JOINT Arm { OFFSET 2 0 4 CHANNELS 0 }\n}\nMOTION"
    assert read(SMALL.replace("}\nMOTION", second)).to_motion().skeleton.tips[0].tolist() == [1.0, -2.0, 2.0]


@pytest.mark.parametrize("order", ["".join(axes) for axes in itertools.permutations("XYZ")])
@pytest.mark.parametrize("rotation_first", [False, True])
def test_every_channel_order_follows_the_reference(read, order, rotation_first):
    listed = [f"{axis}rotation" for axis in order]
    moved = ["Yposition", "Zposition", "Xposition"]
    channels = " ".join(listed + moved if rotation_first else moved + listed)
    text = SMALL.replace("Xposition Yposition Zposition Zrotation Yrotation Xrotation", channels)
    assert_follows_the_reference(
        read(text.replace("3 Zrotation Yrotation Xrotation", f"3 {' '.join(listed)}")), range(3)
    )


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6])
def test_some_of_the_channels_on_any_joint_follow_the_reference(read, count):
    every = ["Xrotation", "Yposition", "Zrotation", "Zposition", "Yrotation", "Xposition"]
    for chosen in itertools.combinations(every, count):
        heading = SMALL[: SMALL.index("Frames")]
        heading = heading.replace("3 Zrotation Yrotation Xrotation", f"{count} {' '.join(chosen)}")
        rows = np.random.default_rng(count).normal(size=(2, 6 + count)) * 50
        lines = "\n".join(" ".join(map(str, row)) for row in rows)
        bvh = read(f"{heading}Frames: 2\nFrame Time: 0.1\n{lines}\n")
        np.testing.assert_array_equal(bvh.values, rows)
        assert_follows_the_reference(bvh, range(2))


REWRITTEN = {
    "tabs between numbers": lambda text: text.replace(" ", "\t"),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR only": lambda text: text.replace("\n", "\r"),
    "blank lines": lambda text: text.replace("\n", "\n \n\n"),
    "lower case": str.lower,
    "upper case": str.upper,
    "no indentation": lambda text: text.replace("\t", ""),
    "hierarchy on one line": lambda text: text[:330].replace("\n", " ").replace(" MOTION", "\nMOTION") + text[330:],
    "braces behind names": lambda text: text.replace("Hips\n{", "Hips {").replace("Leg\n\t{", "Leg {"),
    "named End Site": lambda text: text.replace("End Site", "End Site Toe"),
    "byte order mark": lambda text: "\ufeff" + text,
    "no last line break": str.rstrip,
    "padding at the end": lambda text: text + "\n \0\0\x1a",
    "all rows on one line": lambda text: "\n".join(text.splitlines()[:18]) + "\n" + " ".join(text.splitlines()[18:]),
    "rows over several lines": lambda text: text.replace(" -", "\n\n-"),
    "five numbers on a line": lambda text: text[: text.index("10 20")] + "\n".join(
        " ".join(text[text.index("10 20") :].split()[first : first + 5]) for first in range(0, 27, 5)
    ),
    "scientific": lambda text: text.replace("10 20 30", "1e1 2.0E+01 300e-1"),
    "leading dots": lambda text: text.replace("Time: 0.04", "Time: .04").replace(" 0 -4", " .0 -4."),
    "tight colons": lambda text: text.replace("Frames: ", "Frames:").replace("Frame Time: ", "FrameTime:"),
}  # fmt: skip


@pytest.mark.parametrize("way", REWRITTEN)
def test_the_same_file_written_otherwise_reads_the_same(read, way):
    plain, other = read(SMALL), read(REWRITTEN[way](SMALL))
    assert other.warnings == ()
    assert [joint.channels for joint in other.joints] == [joint.channels for joint in plain.joints]
    assert [joint.end_site for joint in other.joints] == [joint.end_site for joint in plain.joints]
    assert other.frame_time == plain.frame_time
    np.testing.assert_array_equal(other.values, plain.values)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_joints_alone_are_those_of_the_whole_file(tmp_path, encoding):
    path = tmp_path / "walk.bvh"
    path.write_text(SMALL, encoding=encoding)
    assert read_joints(path) == tuple(read_bvh(path).joints)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_names_in_any_usual_encoding(read, encoding):
    bvh = read(SMALL.replace("Hips", "linke Hüfte").encode(encoding))
    assert bvh.joints[0].name == "linke Hüfte"


def test_several_roots(read):
    second = "}\nROOT Ball\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION"
    bvh = read(SMALL.replace("}\nMOTION", second))
    assert [joint.parent for joint in bvh.joints] == [-1, 0, -1]
    assert_follows_the_reference(bvh, range(3))


def test_names_that_occur_again_are_numbered_past_those_in_use(read):
    more = "".join(f"JOINT {name} {{ OFFSET 0 1 0 CHANNELS 0 }}\n" for name in ("Leg", "Leg.001", "Leg"))
    bvh = read(SMALL.replace("}\nMOTION", more + "}\nMOTION"))
    assert [joint.name for joint in bvh.joints] == ["Hips", "Leg", "Leg.002", "Leg.001", "Leg.003"]
    assert [warning.split(":")[0] for warning in bvh.warnings] == ["walk.bvh"] * 2


def test_chains_deeper_than_any_recursion(read):
    depth = 3000
    joints = "".join(f"JOINT j{n}\n{{\nOFFSET 0 1 0\nCHANNELS 0\n" for n in range(depth))
    bvh = read(SMALL.replace("}\nMOTION", joints + "}\n" * depth + "}\nMOTION"))
    assert len(bvh.joints) == depth + 2
    assert bvh.to_motion().skeleton.rest_positions[-1].tolist() == [1.0, 2.0 + depth, 3.0]


def test_real_clips_follow_the_reference(clips_folder):
    for path in sorted((clips_folder / "dev").glob("*.bvh"))[::3]:
        bvh = read_bvh(path)
        np.testing.assert_array_equal(bvh.values, bvh_reference.row_values(path.read_text()))
        assert_follows_the_reference(bvh, (0, len(bvh.values) // 2, len(bvh.values) - 1))
