"""The plain figure inside a control rig."""

from __future__ import annotations

import numpy as np
import pytest
from made_person import person

from core.motion.skeleton import Skeleton
from core.rig import SHOWN, Figure, shown_name


def rig_and_figure() -> tuple[Skeleton, Skeleton]:
    """A person below an object, and a rig that shows it: each bone hangs on a control of its own."""
    plain, _ = person()
    names, parents, places = ["", "torso"], [-1, 0], [np.zeros(3), plain.rest_positions[0]]
    shown = {}
    for joint, name in enumerate(plain.names):
        above = int(plain.parents[joint])
        control = len(names)
        names += [f"{name}_ctrl", f"{SHOWN}{name}"]
        parents += [shown[above] if above >= 0 else 1, control]
        places += [plain.rest_positions[joint]] * 2
        shown[joint] = control + 1
    rig = Skeleton.build(names, parents, np.array(places), has_placement=True)
    return rig, plain


def test_the_figure_has_the_names_places_and_parents_of_the_plain_skeleton():
    rig, plain = rig_and_figure()
    figure = Figure.of(rig)
    found = figure.plain
    assert figure.joints[0] == 0
    assert figure.skeleton.names == tuple(rig.names[joint] for joint in figure.joints)
    assert set(found.names[1:]) <= set(plain.names)
    assert len(found) > 15
    for joint, name in enumerate(found.names[1:], start=1):
        own = plain.index[name]
        np.testing.assert_array_equal(found.rest_positions[joint], plain.rest_positions[own])
        above = int(plain.parents[own])
        assert found.names[found.parents[joint]] == (plain.names[above] if above >= 0 else "")
        assert rig.names[figure.joints[joint]] == f"{SHOWN}{name}"


def test_without_marks_the_bones_that_deform_a_mesh_are_the_figure_and_segments_of_limbs_are_one():
    """A limb that is cut in two to twist has one bone in the figure."""
    plain, _ = person("unreal")
    names = ["", *plain.names, "calf_twist_l"]
    knee, foot = plain.index["calf_l"], plain.index["foot_l"]
    middle = (plain.rest_positions[knee] + plain.rest_positions[foot]) / 2.0
    places = np.array([np.zeros(3), *plain.rest_positions, middle])
    tips = np.zeros((len(names), 3))
    tips[knee + 1], tips[-1] = middle - places[knee + 1], places[foot + 1] - middle
    rig = Skeleton.build(names, [-1, *(plain.parents + 1), knee + 1], places, tips=tips, has_placement=True)
    figure = Figure.of(rig, np.array([False, *[True] * (len(names) - 1)]))
    assert "calf_twist_l" not in figure.skeleton.names
    assert {"thigh_l", "calf_l", "foot_l"} <= {*figure.skeleton.names}


@pytest.mark.parametrize(("name", "shown"), [("ORG-hand.L", "hand.L"), ("DEF-hand.L", "hand.L"), ("hand_ik.L", "")])
def test_names_in_the_figure(name, shown):
    assert shown_name(name) == shown


def test_bones_without_a_mark_hang_on_what_they_hang_on_in_the_rig():
    names = ("", "c_root", "root", "spine", "head", "thigh.l", "shin.l", "foot.l", "thigh.r", "shin.r", "foot.r")
    parents = np.array([-1, 0, 1, 2, 3, 2, 5, 6, 2, 8, 9])
    heights = (0.0, 1.0, 1.0, 1.15, 1.4, 1.0, 0.5, 0.1, 1.0, 0.5, 0.1)
    sides = np.array([0, 0, 0, 0, 0, 1, 1, 1, -1, -1, -1]) * 0.1
    places = np.stack([sides, np.zeros(11), heights], axis=1)
    rig = Skeleton.build(names, parents, places, has_placement=True)
    figure = Figure.of(rig, np.array([False, False, *[True] * 9]))
    found = dict(zip(figure.skeleton.names, figure.skeleton.parents, strict=True))
    assert figure.skeleton.names[found["thigh.l"]] == "root"
    assert figure.skeleton.names[figure.body().root] == "root"
