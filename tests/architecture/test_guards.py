"""The guards see what they look for."""

from __future__ import annotations

import pytest
import test_border
import test_folders
import test_imports
import test_reports
import test_rooms
from source import Module


@pytest.fixture
def module(tmp_path):
    """Makes a module of the filters in core."""

    def made(text: str) -> Module:
        path = tmp_path / "made.py"
        path.write_text(text)
        return Module(path, "core.filters.made")

    return made


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from ..timeline import Segment", ("core.timeline", "Segment")),
        ("from ..timeline.segment import Segment", ("core.timeline.segment", "Segment")),
        ("from ..numerics import quaternion", ("core.numerics.quaternion", "")),
        ("def later():\n    from .bands import filtered", ("core.filters.bands", "filtered")),
    ],
)
def test_imports_are_found(module, text, found):
    assert list(module(text).imports()) == [found]


def test_neighbours_and_closed_doors_are_refused(module):
    assert not test_rooms._allowed("core", "filters", "timeline")
    assert not test_rooms._allowed("core", "motion", "body")
    assert test_rooms._allowed("core", "body", "motion")
    other = module("")
    assert not test_rooms._by_the_door(other, "core.timeline.segment", "Segment")
    assert test_rooms._by_the_door(other, "core.numerics.quaternion", "")


def test_matters_of_the_border_and_activities_are_noticed(module):
    assert test_border._matters(module("bone.matrix_local, bpy.app.version, thing.version")) == {
        "matrix_local",
        "version",
    }
    assert test_folders._is_activity("lingering")
    assert not test_folders._is_activity("smooth_timing")


@pytest.mark.parametrize(
    ("line", "is_english"),
    [
        ("self.report({'INFO'}, f'Wrote {count} frames')", True),
        ("text = f'Wrote {count} frames'; self.report({'INFO'}, text)", True),
        ("self.tell(f'Wrote {count} frames', ())", True),
        ("self.report({'INFO'}, report_text('Wrote {count} frames', count=count))", False),
        ("self.report({'INFO'}, f'{name}: {text}')", False),
        ("path = f'Wrote {count} frames'", False),
    ],
)
def test_reports_with_words_around_values_are_found(module, line, is_english):
    assert test_reports._tells_english(module(f"def work(self):\n    {line}")) == is_english
    assert test_reports._tells_english(module("from ..wording import counted"))


def test_imports_within_functions_are_found(module):
    made = module("import math\n\ndef later():\n    import numpy as np\n    from .bands import filtered\n")
    assert sorted(test_imports._imported_later(made)) == [".bands", "numpy"]
