"""BVH text with mistakes: what is read with a warning, and what is refused with which words."""

import bvh_reference
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_bvh import SMALL, reader_in

from core.errors import FileFormatError
from core.files.bvh import read_bvh


@pytest.fixture
def read(tmp_path):
    return reader_in(tmp_path)


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
    there = "1 is there" if rows == 1 else f"{rows} are there"
    assert any(f"{declared} frames are declared, {there}" in line for line in bvh.warnings)
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
