"""Values kept straight with an object: what comes back, what is refused, what stays beside them."""

from dataclasses import replace

import bpy
import numpy as np
import pytest
from motion_editing.core.errors import DamagedDataError, NewerDataError
from motion_editing.motion_editing_addon.border.saved_state import Kind, array, put, single, take

KIND = Kind(
    "kept",
    1,
    "What is kept is damaged",
    "What is kept is too new",
    {
        "count": single(int),
        "name": single(str, optional=True),
        "moving": array("i4", "m", optional=True),
        "values": array("f4 f8", "P*m*3", optional=True),
    },
)
VALUES = {"count": 2, "name": "a", "moving": np.array([4], dtype=np.int32), "values": np.arange(6.0).reshape(2, 1, 3)}


@pytest.fixture
def thing():
    thing = bpy.data.objects.new("Thing", None)
    thing["own"] = 5
    put(thing, KIND, VALUES)
    return thing


def test_values_come_back_flat_beside_what_else_there_is(thing):
    found = take(thing, KIND, P=2)
    assert found.keys() == VALUES.keys()
    np.testing.assert_array_equal(found["values"], np.arange(6.0), strict=True)
    assert (found["count"], found["name"], thing["own"]) == (2, "a", 5)
    assert take(thing, KIND, "count") == {"count": 2}


def test_what_is_put_takes_the_place_of_what_was_there(thing):
    put(thing, KIND, {"count": 3, "values": np.empty((0, 1, 3))})
    assert take(thing, KIND) == {"count": 3}
    assert thing["own"] == 5


DAMAGES = {
    "gone": lambda thing: thing.pop("count"),
    "a text": lambda thing: put_anew(thing, "count", "2"),
    "one number less": lambda thing: put_anew(thing, "values", np.arange(5.0)),
    "of another type": lambda thing: put_anew(thing, "values", np.arange(6, dtype=np.int32)),
    "no array": lambda thing: put_anew(thing, "values", 3.0),
    "not a number": lambda thing: put_anew(thing, "values", np.full(6, np.inf)),
    "no version": lambda thing: put_anew(thing, "kept version", "x"),
}


def put_anew(thing, name, value):
    thing.pop(name, None)
    thing[name] = value


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_values_are_one_line(thing, name):
    DAMAGES[name](thing)
    with pytest.raises(DamagedDataError, match="What is kept is damaged"):
        take(thing, KIND, P=2)
    put(thing, KIND, VALUES)
    assert take(thing, KIND, P=2).keys() == VALUES.keys()


def test_another_number_than_is_known_is_refused(thing):
    with pytest.raises(DamagedDataError):
        take(thing, KIND, P=3)


def test_later_versions_read_what_earlier_ones_kept(thing):
    later = replace(KIND, version=2, migrations={1: lambda values: {**values, "name": values["name"] + "b"}})
    assert take(thing, later, P=2)["name"] == "ab"
    put(thing, later, {**VALUES, "name": "c"})
    assert take(thing, later, P=2)["name"] == "c"
    with pytest.raises(NewerDataError, match="What is kept is too new"):
        take(thing, KIND)
