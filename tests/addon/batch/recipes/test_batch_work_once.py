"""A recipe of three steps: what is known of a motion is not looked for again."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

import pytest
from motion_editing.core.analysis.contacts import detection
from motion_editing.core.body import search
from motion_editing.core.motion.kinematics import forward_kinematics as kinematics
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.running.job import run_job
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs
from motion_editing.motion_editing_addon.border.action_io import clip

# Evaluating curves, searching a body and its contacts, and working out where joints are.
_WORK = (clip._evaluate, search._parts, detection._detect, kinematics.forward_kinematics)


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


@pytest.fixture(scope="module")
def work(clips_folder, tmp_path_factory) -> Work:
    folder = tmp_path_factory.mktemp("once")
    path = folder / "recipe.toml"
    path.write_text(
        '[[step]]\nedit = "low_pass"\nwith = {keep_contacts = true}\n'
        '[[step]]\nedit = "lock_feet"\n[[step]]\nedit = "reduce_keys"\n'
    )
    recipe, (job,) = read_recipe(path), plan_jobs([clips_folder / "dev" / "cmu_07_01_walk.bvh"], folder / "out")
    with counted(*_WORK) as found:
        run_job(job, recipe)
    return found


def test_curves_are_evaluated_once_for_each_state_of_the_action(work):
    # As it came and after each of three steps; when it comes and goes once more, with the reference pose at its start.
    assert work.calls["_evaluate"] <= 4 + 2


def test_the_body_is_searched_once(work):
    # In the bones of the armature; their file has others, as nothing carries them.
    assert work.calls["_parts"] <= 1 + 1


def test_contacts_are_searched_once(work):
    assert work.calls["_detect"] == 1  # the second step has them in the action's list


def test_no_motion_has_its_joints_worked_out_twice(work):
    assert max(work.motions.values()) == 1
