"""The unit of files that state none."""

import pytest

from core.analysis import find_unit
from core.body import find_body, is_person
from core.files import read_bvh


@pytest.mark.parametrize("metres", [1.45, 1.6, 1.75, 1.95])
@pytest.mark.parametrize("unit", [1.0, 0.01, 0.0254, 0.001])
def test_people_get_their_size_back(metres, unit):
    size = find_unit(metres / unit, person=True)
    assert size.is_unit
    assert metres / unit * size.factor == pytest.approx(metres)


@pytest.mark.parametrize("height", [1e-5, 0.3, 3.1, 9.0, 27.0, 400.0, 1e7])
def test_no_person_is_a_dwarf_or_a_giant(height):
    assert 1.0 < height * find_unit(height, person=True).factor < 2.5


def test_units_that_are_stated_are_believed_while_they_are_possible():
    assert find_unit(0.4, person=True, stated=True).factor == 1.0
    assert find_unit(6.0, person=False, stated=True).factor == 1.0
    assert find_unit(175.0, person=True, stated=True).factor == 0.01


def test_unknown_heights_stay():
    assert find_unit(None, person=False) == (1.0, True)


@pytest.mark.clips
def test_captured_people_are_as_tall_as_people(clips_folder):
    """Joints alone are lower than the crown of the head."""
    for path in sorted((clips_folder / "corpus").glob("*.bvh"))[::21]:
        motion = read_bvh(path).to_motion()
        body = find_body(motion.skeleton, motion=motion)
        assert is_person(body), path.name
        size = find_unit(body.height, person=True)
        assert size.is_unit, path.name
        assert 1.3 < body.height * size.factor < 2.1, path.name
