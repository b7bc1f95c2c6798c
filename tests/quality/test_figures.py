"""Figures are known by the names of their bones; clips belong to a half."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from made_figures import stand

from quality import clips, trials
from quality.figures import KINDS, figure_of
from quality.recording import angles_between, by_roles
from quality.report import count, quality_page, table


@pytest.mark.parametrize("names", KINDS, ids=lambda names: f"{names.pelvis}-{len(names.legs)}")
def test_every_kind_of_skeleton_is_known_again(names):
    parents = dict.fromkeys([names.pelvis, *sorted(names.all() - {names.pelvis})], "")
    found = figure_of(parents, ())
    assert set(found.bones) == names.all()
    assert found.below(names.pelvis) == set(range(len(found.bones)))


def test_a_root_below_the_pelvis_is_no_part_of_the_figure():
    parents = {"root": "", "tail01": "root", "head": "tail01", "mechanism": "root"}
    found = figure_of(parents, {"tail01", "head", "root"})
    assert found.bones == ("tail01", "head")
    assert found.parents == (-1, 0)


def test_unknown_bones_are_refused():
    with pytest.raises(ValueError, match="no known figure"):
        figure_of({"bone": ""}, ())


def test_angles_between_rotations_are_exact_near_nothing():
    turned = stand(2, upper_L=np.array([0.0, 1e-4])).turns[:, stand(2).figure.index("upper.L")]
    assert angles_between(turned[0], turned[1]) == pytest.approx(1e-4, rel=1e-6)


def test_by_roles_only_names_and_size_change():
    person = stand(3, shin_L=20.0)
    same = by_roles(person, height=2 * person.height)
    assert same.figure.legs[0] == ("leg 1 1", "leg 1 2", "leg 1 3", "leg 1 4")
    np.testing.assert_allclose(same.of("leg 1 3"), 2 * person.of("foot.L"))
    np.testing.assert_allclose(
        same.turns[:, same.figure.index("leg 1 2")], person.turns[:, person.figure.index("shin.L")]
    )


def test_halves_are_split_by_subject():
    split = tomllib.loads((Path(clips.__file__).parent / "halves.toml").read_text())
    assert clips.half_of(f"cmu_{split['tuned_subjects'][0]}_99") == clips.TUNED
    assert clips.half_of("cmu_08_02") == clips.UNTOUCHED
    assert clips.half_of("cmu_80_01") == clips.UNTOUCHED, "the number as a whole, not how it begins"


def test_a_sample_has_both_halves_and_is_the_same_again(clips_folder):
    for rig in trials.RIGS:
        chosen = trials.chosen_clips(rig, clips_folder, count=10, seed=3)
        assert chosen == trials.chosen_clips(rig, clips_folder, count=10, seed=3)
        assert len(chosen) == 10
        if rig != "quadruped":
            assert {clip.half for clip in chosen} == {clips.TUNED, clips.UNTOUCHED}


def outcome(**more):
    return {
        "tool": "smooth",
        "clip": "cmu_16_01",
        "rig": "plain",
        "seed": 1,
        "half": clips.TUNED,
        "outcome": "done",
        "laws": {},
        "parameters": {},
        "message": "",
        **more,
    }


def test_a_refusal_counts_as_broken():
    refused = [outcome(outcome="refused"), outcome(), outcome(outcome="nothing to ask")]
    assert str(count(refused, "works")) == "1/2"


def test_the_page_tells_commands_of_the_tuned_half_alone():
    broken = {"floor": {"value": 9.0, "bound": 2.0, "text": "mm below", "broken": True}}
    page = quality_page([outcome(laws=broken), outcome(laws=broken, half=clips.UNTOUCHED, clip="cmu_08_02")], about="")
    assert "--clip cmu_16_01" in page
    assert "cmu_08_02" not in page
    assert page.count("1/1") == 4, "by tool and by rig, in both halves"
    assert len(table([], lambda each: each["tool"])) == 2
