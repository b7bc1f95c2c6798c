"""Saving staggered poses as flat arrays."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import chain
from made_staggered import noisy_motion, staggered, unchanged_frames
from test_staggered_pose_edits import turned

from core.errors import MotionEditError
from core.staggered import (
    evaluate,
    from_arrays,
    non_staggered_pose,
    restagger,
    retime,
    scale_stagger,
    to_arrays,
    with_detail_strength,
    with_extreme_pose,
    with_layer,
)


def edited_model():
    model = staggered(noisy_motion())
    model = with_extreme_pose(model, 2, turned(non_staggered_pose(model, 2)))
    model = with_detail_strength(retime(model, 3, 2.3), 1.5, poses=[0])
    return scale_stagger(model, 0.0, poses=[1])


@pytest.mark.parametrize("with_source", [True, False])
@pytest.mark.parametrize("edit", [lambda m: m, lambda m: with_layer(m, noisy_motion(seed=8))])
def test_round_trip_is_exact(with_source, edit):
    model = edit(edited_model())
    arrays = to_arrays(model, with_source=with_source)
    again = from_arrays(model.source.skeleton, None if with_source else model.source, arrays)
    assert unchanged_frames(evaluate(again), evaluate(model)).all()
    assert unchanged_frames(evaluate(restagger(again)), evaluate(restagger(model))).all()
    second = to_arrays(again, with_source=with_source)
    assert second.keys() == arrays.keys()
    for name, value in arrays.items():
        np.testing.assert_array_equal(second[name], value)


def test_unedited_model_still_copies_its_source():
    model = staggered(noisy_motion())
    again = from_arrays(model.source.skeleton, model.source, to_arrays(model, with_source=False))
    assert evaluate(again) is model.source


def test_only_flat_arrays_numbers_and_strings_are_written():
    for name, value in to_arrays(edited_model()).items():
        if isinstance(value, np.ndarray):
            assert value.ndim == 1, name
            assert value.dtype in (np.float64, np.int32), name
        else:
            assert isinstance(value, (int, float, str)), name


def test_unchanged_parts_are_written_once():
    model = staggered(noisy_motion())
    names = to_arrays(model)
    assert not any(name.startswith("fitted") and "values" in name for name in names)
    assert "rotations.0.values" in names


def test_other_skeletons_are_refused():
    model = staggered(noisy_motion())
    arrays = to_arrays(model, with_source=False)
    with pytest.raises(MotionEditError, match="another skeleton"):
        from_arrays(chain(5), noisy_motion(joints=5), arrays)
    with pytest.raises(ValueError, match="no source motion"):
        from_arrays(model.source.skeleton, None, arrays)
