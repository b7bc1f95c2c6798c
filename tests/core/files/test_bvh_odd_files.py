"""Every odd file among the clips is read as a user expects, or refused with its reason."""

import re

import numpy as np
import pytest

from core.errors import FileFormatError
from core.files.bvh import read_bvh

# File: joints, rows, and what the warnings say.
READ = {
    "bvh11_scaled_metres_131_01": (31, 995, []),
    "cmu_81_16_eleven_frames": (31, 11, []),
    "cmu_90_10_three_frames": (31, 3, []),
    "cmumax_jumping_jacks_30fps": (31, 125, []),
    "makehuman_face_poseunits": (163, 60, []),
    "makehuman_tpose_1frame_6ch": (173, 1, ["positions of 143 joints are always 0"]),
    "makehuman_zombieWalk1_zup_fingers": (75, 31, []),
    "pybvh_full_precision_frame_time": (2, 3, []),
    "pybvh_rotation_first_root": (4, 4, []),
    "pymo_av_8walk_root_offset": (23, 1064, []),
    "synthetic/00_good_reference": (31, 6, []),
    "synthetic/01_declares_more_frames_than_present": (31, 6, ["10 frames are declared, 6 are there"]),
    "synthetic/02_declares_fewer_frames_than_present": (31, 6, ["3 frames are declared, 6 are there"]),
    "synthetic/03_truncated_last_row": (
        31,
        5,
        ["cut off after 40 of 96 numbers", "6 frames are declared, 5"],
    ),
    "synthetic/04_blank_lines_between_rows": (31, 6, []),
    "synthetic/05_no_end_sites": (31, 6, []),
    "synthetic/07_utf8_bom": (31, 6, []),
    "synthetic/08_lowercase_keywords": (31, 6, []),
    "synthetic/09_space_in_joint_name": (31, 6, []),
    "synthetic/11_duplicate_joint_names": (31, 6, ["second joint 'LeftFoot' is called 'LeftFoot.001'"]),
    "synthetic/12_scientific_notation": (31, 6, []),
    "synthetic/13_all_rows_on_one_line": (31, 6, []),
    "synthetic/15_cr_only_line_endings": (31, 6, []),
    "synthetic/16_frame_time_zero": (31, 6, ["frame time is '0'; 30 frames a second are assumed"]),
    "synthetic/18_euler_360_wraps": (31, 6, []),
    "synthetic/19_unicode_joint_name": (31, 6, []),
    "synthetic/21_very_long_joint_names": (31, 6, []),
}
REFUSED = {
    "synthetic/06_nan_value": "line 190: expected a number .* for 'LeftToeBase' Xrotation, found 'nan'",
    "synthetic/10_comma_decimals": "line 4: expected 'OFFSET' with three numbers .*no comma.*, found '0,00000'",
    "synthetic/14_zero_frames": "line 189: expected a row of 96 numbers, found 0",
    "synthetic/17_no_motion_block": "line 185: expected 'ROOT' or 'MOTION', the file ends",
    "synthetic/20_row_with_extra_value": "line 191: expected a row of 96 numbers, found 97",
}
# Files that say the same as the good reference in another way.
SAME_AS_REFERENCE = [
    name for name in READ if re.match("synthetic/(0[124589]|07|1[1-9]|21)", name) and "360" not in name
]


@pytest.fixture(scope="session")
def odd_folder(clips_folder):
    return clips_folder / "odd"


def test_every_odd_file_is_listed_here(odd_folder):
    there = {path.relative_to(odd_folder).with_suffix("").as_posix() for path in odd_folder.rglob("*.bvh")}
    assert there == set(READ) | set(REFUSED)


@pytest.mark.parametrize("name", READ)
def test_is_read(odd_folder, name):
    joints, rows, expected = READ[name]
    bvh = read_bvh(odd_folder / f"{name}.bvh")
    assert (len(bvh.joints), len(bvh.values)) == (joints, rows)
    assert len(bvh.warnings) == len(expected)
    for warning, part in zip(bvh.warnings, expected, strict=True):
        assert part in warning
        assert "\n" not in warning
    assert len(bvh.to_motion()) == rows


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused_in_one_line(odd_folder, name):
    path = odd_folder / f"{name}.bvh"
    with pytest.raises(FileFormatError, match=f"^{path.name}, {REFUSED[name]}$") as refusal:
        read_bvh(path)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", SAME_AS_REFERENCE)
def test_holds_the_numbers_of_the_good_reference(odd_folder, name):
    reference = read_bvh(odd_folder / "synthetic" / "00_good_reference.bvh").values
    np.testing.assert_allclose(read_bvh(odd_folder / f"{name}.bvh").values, reference, rtol=1e-6, atol=1e-9)


def test_whole_turns_more_are_the_same_motion(odd_folder):
    plain, wound = (
        read_bvh(odd_folder / "synthetic" / f"{name}.bvh").to_motion()
        for name in ("00_good_reference", "18_euler_360_wraps")
    )
    np.testing.assert_allclose(wound.rotations, plain.rotations, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "joint"),
    [
        ("09_space_in_joint_name", "Left Foot"),
        ("11_duplicate_joint_names", "LeftFoot.001"),
        ("19_unicode_joint_name", None),
        ("21_very_long_joint_names", None),
    ],
)
def test_names_are_kept(odd_folder, name, joint):
    names = [joint.name for joint in read_bvh(odd_folder / "synthetic" / f"{name}.bvh").joints]
    assert len(set(names)) == len(names)
    if joint:
        assert joint in names
    elif "unicode" in name:
        assert any(not letters.isascii() and "\ufffd" not in letters for letters in names)
    else:
        assert max(map(len, names)) > 63
