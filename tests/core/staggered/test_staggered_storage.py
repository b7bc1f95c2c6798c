"""Saving staggered poses as flat arrays."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import chain
from made_staggered import noisy_motion, staggered, unchanged_frames
from test_staggered_pose_edits import turned

from core.errors import MotionEditError
from core.numerics import quaternion
from core.staggered import (
    delete_poses,
    evaluate,
    from_arrays,
    from_compact_arrays,
    insert_pose,
    non_staggered_pose,
    restagger,
    retime,
    scale_stagger,
    to_arrays,
    to_compact_arrays,
    with_detail_strength,
    with_extreme_pose,
    with_motion,
)


def edited_model(model=None):
    model = model or staggered(noisy_motion())
    model = with_extreme_pose(model, 2, turned(non_staggered_pose(model, 2)))
    model = with_detail_strength(retime(model, 3, 2.3), 1.5, poses=[0])
    return scale_stagger(model, 0.0, poses=[1])


@pytest.mark.parametrize("with_source", [True, False])
@pytest.mark.parametrize("edit", [lambda m: m, lambda m: with_motion(m, noisy_motion(seed=8))])
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
    assert "rotations.values" in names


def test_other_skeletons_are_refused():
    model = staggered(noisy_motion())
    arrays = to_arrays(model, with_source=False)
    with pytest.raises(MotionEditError, match="another skeleton"):
        from_arrays(chain(5), noisy_motion(joints=5), arrays)
    with pytest.raises(ValueError, match="no source motion"):
        from_arrays(model.source.skeleton, None, arrays)


# Without what follows from the rest


def from_curves(motion):
    """The motion as curves of single precision hold it."""
    return motion.with_rotations(quaternion.normalize(motion.rotations.astype(np.float32)))


EDITS = {
    "fitted": lambda model: model,
    "edited": lambda model: edited_model(model),
    "other": lambda model: with_motion(model, noisy_motion(seed=8)),
    "inserted": lambda model: insert_pose(edited_model(model), 1.1),
    "deleted": lambda model: delete_poses(model, [2]),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("single", [True, False])
def test_compact_arrays_give_the_same_model(edit, single):
    motion = from_curves(noisy_motion()) if single else noisy_motion()
    model = EDITS[edit](staggered(motion))
    again = from_compact_arrays(model.source.skeleton, to_compact_arrays(model))
    same_arrays(to_arrays(again), to_arrays(model))
    assert unchanged_frames(evaluate(again), evaluate(model)).all()
    assert unchanged_frames(evaluate(restagger(again)), evaluate(restagger(model))).all()
    same_arrays(to_compact_arrays(again), to_compact_arrays(model))


def test_what_follows_from_the_rest_is_left_out():
    model = edited_model(staggered(from_curves(noisy_motion())))
    arrays = to_compact_arrays(model)
    assert not [name for name in arrays if ".detail." in name]
    assert arrays["source.rotations"].size == 0
    assert arrays["source.single_rotations"].dtype == np.float32
    assert len(arrays["source.single_joints"]) == len(model.source.skeleton)


def test_joints_that_single_precision_does_not_hold_are_kept_whole():
    motion = from_curves(noisy_motion())
    rotations = motion.rotations.copy()
    rotations[:, 1] = noisy_motion(seed=4).rotations[:, 1]
    model = staggered(motion.with_rotations(rotations))
    arrays = to_compact_arrays(model)
    assert 1 not in arrays["source.single_joints"]
    assert arrays["source.rotations"].size == 4 * len(motion)
    same_arrays(to_arrays(from_compact_arrays(motion.skeleton, arrays)), to_arrays(model))


def same_arrays(one, other):
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert np.asarray(value).tobytes() == np.asarray(other[name]).tobytes(), name
