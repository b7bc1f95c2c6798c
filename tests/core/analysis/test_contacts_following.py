"""Contacts go with the motion: through time maps, over to the other side, in a part of it."""

import numpy as np
import pytest

from core.analysis.contacts import ContactSpans, following_contacts
from core.motion.time_maps.time_map import Ends, TimeMap

CONTACTS = ContactSpans({"foot.L": ((0.0, 1.0), (2.0, 3.0)), "foot.R": ((1.0, 2.0),)})
FEET = {"foot.L", "foot.R"}


def spans(contacts):
    return {joint: [tuple(np.round(span, 9).tolist()) for span in contacts.of(joint)] for joint in contacts.joints}


def test_nothing_changes_without_a_change():
    assert spans(following_contacts(CONTACTS, FEET)) == spans(CONTACTS)
    assert spans(following_contacts(CONTACTS, (), time_map=TimeMap.shift(1.0))) == spans(CONTACTS)


@pytest.mark.parametrize(
    "time_map", [TimeMap.shift(0.7), TimeMap.scale(2.0), TimeMap.reverse(0.0, 3.0), TimeMap.identity(0.0, 3.0)]
)
def test_a_time_map_and_its_inverse_leave_contacts_as_they_were(time_map):
    there = following_contacts(CONTACTS, FEET, time_map=time_map)
    assert spans(following_contacts(there, FEET, time_map=time_map.inverse())) == spans(CONTACTS)


def test_what_is_in_contact_is_so_when_it_is_seen():
    time_map = TimeMap.through([0.0, 1.2, 2.0, 4.0], [0.0, 1.0, 1.9, 3.0])
    times = np.linspace(0.0, 4.0, 401)
    there = following_contacts(CONTACTS, FEET, time_map=time_map)
    for joint in FEET:
        changes = np.abs(times[:, None] - there.changes()).min(axis=1) < 0.02
        assert (there.active(joint, times) == CONTACTS.active(joint, time_map(times)))[~changes].all()


def test_contacts_of_other_joints_stay():
    there = following_contacts(CONTACTS, {"foot.R"}, time_map=TimeMap.shift(1.0))
    assert spans(there) == {"foot.L": [(0.0, 1.0), (2.0, 3.0)], "foot.R": [(2.0, 3.0)]}


def test_outside_of_the_edited_times_contacts_stay():
    there = following_contacts(CONTACTS, FEET, start=0.5, end=2.5, time_map=TimeMap.reverse(0.5, 2.5))
    assert spans(there) == {"foot.L": [(0.0, 1.0), (2.0, 3.0)], "foot.R": [(1.0, 2.0)]}
    earlier = following_contacts(CONTACTS, FEET, start=2.0, end=2.5, time_map=TimeMap.shift(-0.5))
    assert spans(earlier) == {"foot.L": [(0.0, 1.0), (1.5, 2.0), (2.5, 3.0)], "foot.R": [(1.0, 2.0)]}


def test_mirrored_twice_they_are_as_they_were():
    partners = {"foot.L": "foot.R", "foot.R": "foot.L"}
    there = following_contacts(CONTACTS, FEET, partners=partners)
    assert spans(there) == {"foot.R": [(0.0, 1.0), (2.0, 3.0)], "foot.L": [(1.0, 2.0)]}
    assert spans(following_contacts(there, FEET, partners=partners)) == spans(CONTACTS)


def test_what_leaves_at_one_end_of_a_cycle_comes_in_at_the_other():
    around = TimeMap.shift(0.5, start=0.0, end=3.0, ends=Ends.CYCLE)
    around = around.compose(TimeMap.identity(0.0, 3.0, ends=Ends.HOLD))
    there = following_contacts(CONTACTS, FEET, start=0.0, end=3.0, time_map=around)
    assert spans(there) == {"foot.L": [(0.0, 1.5), (2.5, 3.0)], "foot.R": [(1.5, 2.5)]}


def test_the_contacts_that_are_given_are_left_alone():
    before = spans(CONTACTS)
    following_contacts(CONTACTS, FEET, start=0.5, time_map=TimeMap.shift(1.0), partners={"foot.L": "foot.R"})
    assert spans(CONTACTS) == before
