"""A recipe of three steps: what is known of a motion is not looked for again."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest
from motion_editing.core.analysis.contacts import detection
from motion_editing.core.body import search
from motion_editing.core.motion.kinematics import forward_kinematics as kinematics
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.running.job import run_job
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs
from motion_editing.motion_editing_addon.border.action_io import clip
from motion_editing.motion_editing_addon.border.action_io.memory import draft, slot_curves

# Taking keys into memory and writing them, evaluating curves, searching a body and its contacts, and working out where
# joints are.
_WORK = (
    slot_curves.read_curves,
    draft.Draft.write,
    clip._evaluate,
    search._parts,
    detection._detect,
    kinematics.forward_kinematics,
)


class Work:
    """How often each of these functions was called, and for how many different motions kinematics were."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.motions: Counter[tuple[bytes, ...]] = Counter()

    def count(self, name: str, given: dict[str, Any]) -> None:
        self.calls[name] += 1
        if name == "forward_kinematics" and len(given["rotations"]) > 1:
            parts = (given["skeleton"].rest_positions, given["rotations"], given["locations"], given["scales"])
            self.motions[tuple(part.tobytes() for part in parts)] += 1


@contextmanager
def counted(*functions: Callable[..., Any]) -> Iterator[Work]:
    """Count calls within, by whatever name and way."""
    work, names = Work(), {function.__code__: function.__name__ for function in functions}

    def look(frame: FrameType, event: str, _argument: object) -> None:
        code: CodeType = frame.f_code
        if event == "call" and code in names:
            work.count(names[code], frame.f_locals)

    sys.setprofile(look)
    try:
        yield work
    finally:
        sys.setprofile(None)


class Recipe(NamedTuple):
    """Three steps, how often their curves are evaluated at most, and how often kinematics."""

    steps: tuple[str, str, str]
    evaluations: int
    motions: int


# Evaluated are the curves of the file, those that get other frames, and those with few new keys. Kinematics: of the
# file's joints and of its armature's, with the reference pose at the start and without; of what each step gives, with
# the rounds in which it is found; and of the result's joints.
_LOCKED = Recipe(
    ('edit = "low_pass"\nwith = {keep_contacts = true}', 'edit = "lock_feet"', 'edit = "reduce_keys"'), 2, 23
)
_WARPED = Recipe(('edit = "low_pass"', 'edit = "warp_time"\nwith = {length = 0.8}', 'edit = "reduce_keys"'), 3, 21)


@pytest.fixture(scope="module", params=[_LOCKED, _WARPED], ids=["locked", "warped"])
def done(request, clips_folder, tmp_path_factory) -> tuple[Recipe, Work]:
    folder = tmp_path_factory.mktemp("once")
    path = folder / "recipe.toml"
    path.write_text("".join(f"[[step]]\n{step}\n" for step in request.param.steps))
    recipe, (job,) = read_recipe(path), plan_jobs([clips_folder / "dev" / "cmu_07_01_walk.bvh"], folder / "out")
    search._searched.clear()
    with counted(*_WORK) as found:
        run_job(job, recipe)
    return request.param, found


def test_keys_are_taken_into_memory_and_written_once(done):
    assert done[1].calls["read_curves"] == done[1].calls["write"] == 1


def test_curves_are_evaluated_only_where_what_they_give_is_not_known(done):
    assert done[1].calls["_evaluate"] <= done[0].evaluations


def test_the_body_is_searched_once(done):
    # In the bones of the armature; their file has others, as nothing carries them.
    assert done[1].calls["_parts"] <= 1 + 1


def test_contacts_are_searched_once_in_a_motion(done):
    # What a step lists the next one has; steps that list none leave a motion with contacts of its own.
    assert done[1].calls["_detect"] <= (1 if done[0] is _LOCKED else 2)


def test_no_motion_has_its_joints_worked_out_twice(done):
    assert max(done[1].motions.values()) == 1
    assert len(done[1].motions) <= done[0].motions
