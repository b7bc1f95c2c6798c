"""Reading BVH text: what is understood, what it means, and what is refused with which words."""

import itertools

import bvh_reference
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import quaternion
from core.bvh import BvhFile, read_bvh, read_joints
from core.errors import FileFormatError

SMALL = """HIERARCHY
ROOT Hips
{
\tOFFSET 1 2 3
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
\tJOINT Leg
\t{
\t\tOFFSET 0 -4 0
\t\tCHANNELS 3 Zrotation Yrotation Xrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0 -3 1
\t\t}
\t}
}
MOTION
Frames: 3
Frame Time: 0.04
10 20 30 5 -6 7 8 9 -10
11 21 31 50 -60 70 80 91 -100
12 22 32 15 -16 17 18 19 -20
"""


@pytest.fixture
def read(tmp_path):
    """Read text or bytes as a file called walk.bvh."""

    def read_text(content):
        path = tmp_path / "walk.bvh"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_bvh(path)

    return read_text


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


@pytest.mark.parametrize("frame_time", ["0", "-0.04", "1e-320"])
def test_a_frame_time_that_gives_no_rate_is_replaced_with_a_warning(read, frame_time):
    bvh = read(SMALL.replace("0.04", frame_time))
    assert bvh.frame_time == 1 / 30
    assert bvh.warnings == (f"walk.bvh: the frame time is '{frame_time}'; 30 frames a second are assumed",)


@pytest.mark.parametrize(("declared", "cut"), [(2, 0), (7, 0), (0, 0), (3, 5), (3, 12)])
def test_rows_that_are_there_are_used_whatever_is_declared(read, declared, cut):
    words = SMALL.replace("Frames: 3", f"Frames: {declared}").rstrip().rsplit(None, cut)[0]
    bvh = read(words)
    rows = (27 - cut) // 9
    np.testing.assert_array_equal(bvh.values, bvh_reference.row_values(SMALL)[:rows])
    assert any(f"{declared} frames are declared, {rows} are there" in line for line in bvh.warnings)
    assert any(f"cut off after {9 - cut % 9} of 9 numbers" in line for line in bvh.warnings) == bool(cut % 9)


REFUSED = {
    "misspelt OFFSET": ("OFFSET 0 -4", "OFSET 0 -4", 8, "expected 'OFFSET' with three numbers, found 'OFSET'"),
    "two numbers": ("0 -4 0", "0 -4", 9, r"expected 'OFFSET' with three numbers \(.*\), found 'CHANNELS'"),
    "no brace": ("Leg\n\t{", "Leg", 7, "expected '{' after 'JOINT Leg', found 'OFFSET'"),
    "no name": ("JOINT Leg", "JOINT", 6, "expected a name after 'JOINT'"),
    "few channels": ("3 Zrot", "4 Zrot", 10, "expected a channel .*, found 'End'"),
    "many channels": ("3 Zrot", "2 Zrot", 9, "expected 'JOINT', .* found 'Xrotation'"),
    "unknown channel": ("3 Zrot", "3 Zscal", 9, "expected a channel .*, found 'Zscalation'"),
    "channel twice": ("3 Zrotation", "3 Xrotation", 9, "expected a channel .* each once, found 'Xrotation'"),
    "no channel count": ("CHANNELS 3", "CHANNELS", 9, "expected 'CHANNELS' with a count .* found 'Zrotation'"),
    "open brace": ("}\nMOTION", "MOTION", 15, "expected 'JOINT', 'End Site', 'CHANNELS' or '}', found 'MOTION'"),
    "brace too many": ("}\nMOTION", "}\n}\nMOTION", 16, "expected 'ROOT' or 'MOTION', found '}'"),
    "End without Site": ("End Site", "End", 11, "expected 'Site' after 'End', found '{'"),
    "no Frames": ("Frames: 3\n", "", 17, "expected 'Frames:' with a whole number, found 'Frame'"),
    "Frames of words": ("Frames: 3", "Frames: three", 17, "expected 'Frames:' .*, found 'three'"),
    "half a frame": ("Frames: 3", "Frames: 2.5", 17, "expected 'Frames:' with a whole number, found '2.5'"),
    "no frame time": ("Frame Time: 0.04\n", "", 18, "expected 'Frame Time:' with seconds, found '10'"),
    "comma frame time": ("0.04", "0,04", 18, "expected 'Frame Time:' .*no comma.*, found '0,04'"),
    "comma in a row": ("80 91", "80 91,5", 20, "expected a number .*no comma.* for 'Leg' Yrotation, found '91,5'"),
    "NaN": ("20 30 5", "NaN 30 5", 19, "expected a number .* for 'Hips' Yposition, found 'NaN'"),
    "infinite": ("-10\n", "1e999\n", 19, "expected a number .* for 'Leg' Xrotation, found '1e999'"),
    "one too many": ("8 9 -10", "8 9 -10 1", 19, "expected a row of 9 numbers, found 10"),
    "one too many later": ("91 -100", "91 -100 1", 20, "expected a row of 9 numbers, found 10"),
    "one too many at the end": ("19 -20", "19 -20 1", 21, "expected a row of 9 numbers, found 10"),
    "one too few": ("50 -60", "50", 20, "expected a row of 9 numbers, found 8"),
    "one moved to the next row": ("-10\n11", "\n-10 11", 19, "expected a row of 9 numbers, found 8"),
    "text behind the rows": ("-20\n", "-20\nend", 22, "expected a number .* for 'Hips' Xposition, found 'end'"),
    "no rows": (SMALL[SMALL.index("10 20") :], "", 19, "expected a row of 9 numbers, found 0"),
    "half a row": (SMALL[SMALL.index("7 8 9") :], "", 19, "expected a row of 9 numbers, found 5"),
    "nothing after the joints": (SMALL[SMALL.index("MOTION") :], "", 16, "expected 'ROOT' or 'MOTION', the file ends"),
    "no joints": (SMALL[SMALL.index("ROOT") : SMALL.index("MOTION")], "", 2, "expected 'ROOT', found 'MOTION'"),
    "another kind of file": (SMALL, "<?xml version='1.0'?>\n", 1, "expected 'HIERARCHY' .*, found '<.xml'"),
    "an empty file": (SMALL, "", 1, "expected 'HIERARCHY' .*, the file ends"),
    "a very long word": ("HIERARCHY", "x" * 5000, 1, "expected 'HIERARCHY' .*, found 'x{24}[.]{3}'"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_is_refused_with_file_line_and_what_was_expected(read, case):
    old, new, line, message = REFUSED[case]
    assert old in SMALL
    with pytest.raises(FileFormatError, match=f"^walk.bvh, line {line}: {message}$"):
        read(SMALL.replace(old, new, 1))


def test_a_file_without_any_channel_is_refused(read):
    text = SMALL.replace("3 Zrotation Yrotation Xrotation", "0")
    text = text.replace("6 Xposition Yposition Zposition Zrotation Yrotation Xrotation", "0")
    with pytest.raises(FileFormatError, match="line 16: expected at least one joint with 'CHANNELS'"):
        read(text)


def test_binary_content_is_refused_in_one_printable_line(read):
    for content in (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), b"\xff\xfe\x00", b"\xff\xfe\x00\xd8\x00\xd8"):
        with pytest.raises(FileFormatError, match=r"^walk.bvh, line 1: expected 'HIERARCHY'") as refusal:
            read(content)
        assert str(refusal.value).isprintable()


def test_what_cannot_be_opened_is_refused_with_the_reason(tmp_path, monkeypatch):
    with pytest.raises(FileFormatError, match=f"^{tmp_path.name}: cannot be read: Is a directory$"):
        read_bvh(tmp_path)
    with pytest.raises(FileFormatError, match=r"^none.bvh: cannot be read: No such file or directory$"):
        read_bvh(tmp_path / "none.bvh")

    def locked(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("pathlib.Path.read_bytes", locked)
    with pytest.raises(FileFormatError, match=r"^walk.bvh: cannot be read: Permission denied$"):
        read_bvh(tmp_path / "walk.bvh")


@settings(max_examples=500, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, len(SMALL)),
            st.integers(0, 12),
            st.one_of(st.binary(max_size=6), st.sampled_from([b"{", b"}", b" JOINT a ", b" 1e5 ", b"\nMOTION\n"])),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_damaged_files_are_read_or_refused_in_one_line(tmp_path_factory, damages):
    content = SMALL.encode()
    for place, length, new in damages:
        content = content[:place] + new + content[place + length :]
    path = tmp_path_factory.getbasetemp() / "damaged.bvh"
    path.write_bytes(content)
    message = "damaged.bvh, line 1: read"
    try:
        motion = read_bvh(path).to_motion()
    except FileFormatError as refusal:
        message = str(refusal)
    else:
        assert np.isfinite(motion.poses.positions).all()
    assert message.startswith("damaged.bvh, line ")
    assert message.isprintable()


def test_real_clips_follow_the_reference(clips_folder):
    for path in sorted((clips_folder / "dev").glob("*.bvh"))[::3]:
        bvh = read_bvh(path)
        np.testing.assert_array_equal(bvh.values, bvh_reference.row_values(path.read_text()))
        assert_follows_the_reference(bvh, (0, len(bvh.values) // 2, len(bvh.values) - 1))
