"""The plain figure inside a control rig."""

from __future__ import annotations

import numpy as np
import pytest
from made_person import person

from core.analysis.contacts import ContactSpans
from core.motion.skeleton import Skeleton
from core.retarget import SHOWN, ShownBones, shown_name


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
    figure = ShownBones.of(rig)
    found = figure.skeleton
    assert figure.joints[0] == 0
    assert set(found.names[1:]) <= set(plain.names)
    assert len(found) > 15
    for joint, name in enumerate(found.names[1:], start=1):
        own = plain.index[name]
        np.testing.assert_array_equal(found.rest_positions[joint], plain.rest_positions[own])
        above = int(plain.parents[own])
        assert found.names[found.parents[joint]] == (plain.names[above] if above >= 0 else "")
        assert rig.names[figure.joints[joint]] == f"{SHOWN}{name}"


def test_contacts_of_controls_are_those_of_the_bones_they_place():
    figure = ShownBones.of(rig_and_figure()[0])
    name = figure.skeleton.names[-1]
    spans = ContactSpans({f"{name}_ik": ((0.0, 1.0),), "elsewhere": ((0.0, 1.0),)})
    assert figure.contacts(spans) == ContactSpans({name: ((0.0, 1.0),)})


@pytest.mark.parametrize(("name", "shown"), [("ORG-hand.L", "hand.L"), ("DEF-hand.L", "hand.L"), ("hand_ik.L", "")])
def test_names_in_the_figure(name, shown):
    assert shown_name(name) == shown
