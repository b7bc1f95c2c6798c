"""Fingers and toes that correspond, in any order and under any name."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from core.body import Body, Limb, LimbKind, Side, find_body
from core.files.bvh import read_bvh
from core.motion.skeleton import Skeleton
from core.retarget import name_mapping
from core.retarget.correspondence.digit_matches import matched_digits

FINGERS = ("thumb", "index", "middle", "ring", "pinky")
# Clips of hands with five fingers; one of them counts its fingers.
HANDS = (
    "dev/rokoko_jesse_dance_fingers",
    "dev/m2m_human_fixing_kneeling_fingers",
    "odd/makehuman_zombieWalk1_zup_fingers",
    "odd/makehuman_face_poseunits",
)


def limb_of(digits: list[list[str]], kind: LimbKind = LimbKind.ARM) -> tuple[Skeleton, Limb]:
    """A wrist or ankle with digits side by side, each a chain of joints."""
    names, parents, places, numbers = ["end"], [-1], [(0.0, 0.0, 0.0)], []
    for row, digit in enumerate(digits):
        numbers.append(tuple(range(len(names), len(names) + len(digit))))
        for column, name in enumerate(digit):
            parents.append(0 if column == 0 else len(names) - 1)
            places.append((1.0 + column, float(row), 0.0))
            names.append(name)
    limb = Limb(kind, Side.LEFT, chain=(0,), end=0, digits=tuple(numbers))
    return Skeleton.build(names, np.array(parents), places), limb


def paired(one: list[list[str]], other: list[list[str]], kind: LimbKind = LimbKind.ARM) -> dict[str, str]:
    """Source by target, by name."""
    (source, mine), (target, theirs) = limb_of(one, kind), limb_of(other, kind)
    pairs = matched_digits(source, mine, target, theirs)
    return {target.names[its]: source.names[own] for own, its in pairs}


def test_fingers_are_told_by_name_whatever_their_order():
    one = [["LeftHandThumb1", "LeftHandThumb2"], ["LeftHandIndex1", "LeftHandIndex2"], ["LeftHandPinky1"]]
    other = [["f_little.01.L"], ["f_index.01.L", "f_index.02.L"], ["thumb.01.L", "thumb.02.L"]]
    assert paired(one, other) == {
        "f_little.01.L": "LeftHandPinky1",
        "f_index.01.L": "LeftHandIndex1",
        "f_index.02.L": "LeftHandIndex2",
        "thumb.01.L": "LeftHandThumb1",
        "thumb.02.L": "LeftHandThumb2",
    }


@pytest.mark.parametrize("first", [0, 1])
def test_counted_fingers_begin_with_the_thumb(first):
    one = [[f"Bip01 L Finger{first + place}"] for place in (4, 2, 0, 1, 3)]
    other = [[f"{name}.L"] for name in FINGERS]
    expected = {f"{name}.L": f"Bip01 L Finger{first + place}" for place, name in enumerate(FINGERS)}
    assert paired(one, other) == expected


def test_bones_inside_the_palm_have_no_partner_but_their_like():
    inside, plain = [["LeftInHandIndex", "LeftHandIndex1", "LeftHandIndex2"]], [["index.01.L", "index.02.L"]]
    assert paired(inside, plain) == {"index.01.L": "LeftHandIndex1", "index.02.L": "LeftHandIndex2"}
    assert paired(plain, inside) == {"LeftHandIndex1": "index.01.L", "LeftHandIndex2": "index.02.L"}
    both = paired(inside, [["index_metacarpal_l", "index_01_l"]])
    assert both == {"index_metacarpal_l": "LeftInHandIndex", "index_01_l": "LeftHandIndex1"}


def test_one_bone_for_all_toes_takes_the_middle_one():
    toes = [[f"toe{number}-1.L", f"toe{number}-2.L"] for number in (5, 4, 3, 2, 1)]
    assert paired([["LeftToeBase"]], toes, LimbKind.LEG) == {"toe3-1.L": "LeftToeBase"}
    assert paired(toes, [["LeftToeBase"]], LimbKind.LEG) == {"LeftToeBase": "toe3-1.L"}


def test_one_bone_for_all_fingers_is_no_thumb():
    hand = [[f"{name}.L"] for name in FINGERS]
    assert paired([["fingers.L"]], hand) == {"middle.L": "fingers.L"}
    assert paired([["fingers.L"]], [["thumb.L"]]) == {}


def test_without_names_equally_many_correspond_in_order():
    assert paired([["a"], ["b"]], [["c"], ["d"]]) == {"c": "a", "d": "b"}
    assert paired([["a"], ["b"]], [["c"], ["d"], ["e"]]) == {}


@cache
def _character(folder: Path, name: str) -> tuple[Skeleton, Body]:
    motion = read_bvh(folder / f"{name}.bvh").to_motion()
    return motion.skeleton, find_body(motion.skeleton, motion=motion)


def _finger(name: str) -> tuple[str, str] | None:
    """Side and finger that a joint of the clips belongs to; bones inside the palm say too little."""
    plain = name.lower()
    side = "left" if plain.startswith("left") or plain.endswith("l") else "right"
    if plain.startswith("finger"):
        return side, FINGERS[int(plain[6]) - 1]
    found = [finger for finger in FINGERS if finger in plain]
    return (side, found[0]) if found else None


@pytest.mark.parametrize(("source", "target"), tuple(permutations(HANDS, 2)))
def test_every_finger_of_a_clip_follows_the_same_finger(clips_folder, source, target):
    (one, mine), (other, theirs) = (_character(clips_folder, name) for name in (source, target))
    pairs = name_mapping(one, other, mine, theirs).pairs
    fingers = [(_finger(pair.source), _finger(pair.target)) for pair in pairs]
    told = [pair for pair in fingers if None not in pair]
    assert len(told) >= 30
    assert all(own == its for own, its in told)


@pytest.mark.parametrize("target", [*HANDS, "dev/fair1_jumping_zup", "odd/pymo_av_8walk_root_offset"])
def test_thumbs_of_a_captured_walk_find_thumbs(clips_folder, target):
    (one, mine), (other, theirs) = (_character(clips_folder, name) for name in ("dev/cmu_07_01_walk", target))
    partner = name_mapping(one, other, mine, theirs).target_of
    for thumb in ("LThumb", "RThumb"):
        found = _finger(partner[thumb])
        assert found is not None
        assert found[1] == "thumb"
