"""Recipes: everything that is wrong is said before any work starts, with place, expectation and nearest name."""

from __future__ import annotations

from math import radians
from pathlib import Path

import bpy
import pytest
from motion_editing.motion_editing_addon.batch.recipes.catalog import edits
from motion_editing.motion_editing_addon.batch.recipes.recipe import RecipeError, read_recipe
from motion_editing.motion_editing_addon.batch.run_command import SHIPPED, recipe_path
from motion_editing.motion_editing_addon.batch.running.job import run_job
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs


def written(folder: Path, text: str) -> Path:
    """A recipe with this text."""
    path = folder / "recipe.toml"
    path.write_text(text, encoding="utf-8")
    return path


def problems(folder: Path, text: str) -> list[str]:
    """What is said about a recipe, without the path in front."""
    with pytest.raises(RecipeError) as caught:
        read_recipe(written(folder, text))
    return [line.removeprefix(str(folder / "recipe.toml")) for line in str(caught.value).splitlines()]


def test_every_operator_that_is_no_gesture_and_brings_no_figure_is_an_edit():
    """A figure that a step brings would be edited by the steps after it, in the place of the clip."""
    gestures = {name for name in dir(bpy.ops.motion_editing) if name.startswith("strip_")}
    stacks = {"bake_stack", "move_edit", "remove_edit", "run_recipe", "save_recipe", "update_source"}
    stacks |= {"reopen_edit", "change_staggered_pose", "set_layers", "follow_timing", "compare_hold"}
    bringing = {"bring_in_motion", "import_bvh", "load_sample_motion"}
    assert set(edits()) == set(dir(bpy.ops.motion_editing)) - gestures - stacks - bringing


def test_defaults_are_right_values_in_the_units_of_recipes():
    from motion_editing.motion_editing_addon.batch.recipes.value_check import is_right

    for edit in edits().values():
        for parameter in edit.parameters:
            assert is_right(parameter, parameter.default), f"{edit.name}.{parameter.name} = {parameter.default!r}"


def test_angles_are_degrees_in_recipes_and_radians_in_blender():
    limit = edits()["soft_limit"].parameter("limit")
    assert (limit.unit, limit.default) == ("degrees", 45.0)
    assert limit.for_blender(90.0) == pytest.approx(radians(90.0))


def test_a_right_recipe_is_read_as_it_stands(tmp_path):
    text = """
title = "Über den Zaun"
[[step]]
edit = "low_pass"
bones = ["*arm*", "!*hand*"]
seconds = [0.5, 2]
with = { cutoff = 4, keep_contacts = true }
[[step]]
edit = "convert_keys"
[step.with]
keying = "REDUCED"
"""
    recipe = read_recipe(written(tmp_path, text))
    assert recipe.title == "Über den Zaun"
    assert [step.edit for step in recipe.steps] == ["low_pass", "convert_keys"]
    assert recipe.steps[0].bones == ("*arm*", "!*hand*")
    assert recipe.steps[0].seconds == (0.5, 2)
    assert recipe.steps[1].values == {"keying": "REDUCED"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[step]]\nedit = "warp_tim"', ":2: step 1: there is no edit 'warp_tim'; did you mean 'warp_time'?"),
        (
            '[[step]]\nedit = "warp_time"\n\nwith = { lenght = 0.8 }',
            ":4: step 1 (warp_time) has no parameter 'lenght'; did you mean 'length'?",
        ),
        (
            '[[step]]\nedit = "warp_time"\n[step.with]\nlength = "short"',
            ":4: step 1 (warp_time): 'length' must be a number of at least 0.05, not 'short'",
        ),
        (
            '[[step]]\nedit = "smooth"\n[[step]]\nedit = "low_pass"\nwith = { steepness = 9 }',
            ":5: step 2 (low_pass): 'steepness' must be a whole number from 1 to 8, not 9",
        ),
        (
            '[[step]]\nedit = "low_pass"\nwith = { steepness = 2.5 }',
            ":3: step 1 (low_pass): 'steepness' must be a whole number from 1 to 8, not 2.5",
        ),
        (
            '[[step]]\nedit = "low_pass"\nwith = { keep_contacts = 1 }',
            ":3: step 1 (low_pass): 'keep_contacts' must be true or false, not 1",
        ),
        (
            '[[step]]\nedit = "convert_keys"\nwith = { keying = "REDUCE" }',
            ":3: step 1 (convert_keys): 'keying' must be one of EVERY_FRAME, REDUCED, not 'REDUCE'; "
            "did you mean 'REDUCED'?",
        ),
        ('[[step]]\nedit = "smooth"\nframe = [1, 9]', ":3: step 1 (smooth) has no 'frame'; did you mean 'frames'?"),
        (
            '[[step]]\nedit = "smooth"\nframes = [9, 1]',
            ":3: step 1 (smooth): 'frames' must be [first, last] with first below last, not [9, 1]",
        ),
        (
            '[[step]]\nedit = "warp_time"\nframes = [1, 9]',
            ":3: step 1 (warp_time): this edit has no range; leave 'frames' out",
        ),
        ('[[step]]\nedit = "smooth"\nbones = [3]', ":3: step 1 (smooth): 'bones' must be a list of patterns"),
        ("[[step]]\n", ":1: step 1 needs an edit: `motion_edit list` names them"),
        ('[step]\nedit = "smooth"', ":1: 'step' must be a list of tables: write [[step]] above each"),
        ('title = "Nothing"', ":1: the recipe has no step"),
        ("step = []", ":1: the recipe has no step"),
        ('titel = "A"\n[[step]]\nedit = "smooth"', ":1: the recipe has no 'titel'; did you mean 'title'?"),
        ('[[step]]\nedit = "smooth', ": this is no valid TOML: "),
        ('[[step]]\nedit = ["smooth"]', ":2: step 1: there is no edit ['smooth']"),
        ("[[step]]\nedit = 5", ":2: step 1: there is no edit 5"),
        (
            '[[step]]\nedit = "smooth"\n[[steps]]\nedit = "smooth"',
            ":3: the recipe has no 'steps'; did you mean 'step'?",
        ),
        (
            '[[step]]\nedit = "smooth"\n[[step]]\nedit = "smooth"\n[step.whith]\nradius = 1.0',
            ":5: step 2 (smooth) has no 'whith'; did you mean 'with'?",
        ),
        (
            '[[step]]\nedit = "smooth"\nbones = ["@arms", "!@lef hand"]',
            ":3: step 1 (smooth): there is no body part 'lef hand'; did you mean 'left hand'?",
        ),
        (
            '[[step]]\nedit = "smooth"\nbones = "@height"',
            ":3: step 1 (smooth): there is no body part 'height'; did you mean ",
        ),
        (
            '[[step]]\nedit = "smooth"\nframes = [1, inf]',
            ":3: step 1 (smooth): 'frames' must be [first, last] with first below last, not [1, inf]",
        ),
        (
            '[[step]]\nedit = "smooth"\nframes = "window"\n[[step]]\nedit = "find_similar"',
            ":3: step 1: frames = \"window\" needs a step 'find_similar' before it, which chooses them",
        ),
        (
            '[[step]]\nedit = "find_similar"\n[[step]]\nedit = "smooth"\nseconds = "window"',
            ":5: step 2 (smooth): 'seconds' must be [first, last] with first below last, not 'window'",
        ),
        (
            '[[step]]\nedit = "smooth"\nseconds = [nan, 2]',
            ":3: step 1 (smooth): 'seconds' must be [first, last] with first below last, not [nan, 2]",
        ),
        (
            '[[reference]]\nname = "Guide"\nfile = "gone.bvh"\n[[step]]\nedit = "smooth"',
            ":3: reference 1: there is no file ",
        ),
    ],
)
def test_a_mistake_is_said_with_its_place_and_what_was_expected(tmp_path, text, said):
    found = problems(tmp_path, text)
    assert len(found) == 1
    assert found[0].startswith(said)


def test_all_mistakes_are_said_at_once(tmp_path):
    found = problems(tmp_path, '[[step]]\nedit = "smoth"\n[[step]]\nedit = "smooth"\nwith = { radius = -1, x = 2 }')
    assert [line.split(":")[1] for line in found] == ["2", "5", "5"]


def test_mistakes_are_said_in_the_order_of_the_file(tmp_path):
    text = '[[step]]\nedit = "smoth"\n[target]\nfile = "gone.bvh"\n[[reference]]\nname = "Guide"'
    assert [line.split(":")[1] for line in problems(tmp_path, text)] == ["2", "3", "4", "5"]


def test_a_mark_that_editors_put_before_a_text_is_no_mistake(tmp_path):
    plain = read_recipe(written(tmp_path, '[[step]]\nedit = "smooth"'))
    (tmp_path / "marked.toml").write_text('[[step]]\nedit = "smooth"', encoding="utf-8-sig")
    assert read_recipe(tmp_path / "marked.toml").key == plain.key


def test_a_recipe_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(RecipeError, match="cannot be read: No such file"):
        read_recipe(tmp_path / "gone.toml")
    with pytest.raises(RecipeError, match="did you mean 'shorten_keep_jumps'"):
        recipe_path(Path("shorten_keep_jump"))


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_recipes_are_right(path):
    assert read_recipe(path).steps


@pytest.fixture(scope="module")
def sample(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("shipped") / "sample.bvh"
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.motion_editing.load_sample_motion(rate=30.0)
    bpy.ops.motion_editing.export_bvh(filepath=str(path))
    return path


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_recipes_run_as_they_are(path, sample, tmp_path):
    job = plan_jobs([sample], tmp_path, pictures=False)[0]
    (clip,) = run_job(job, read_recipe(path))["clips"]
    changed = clip["turned"] is None or clip["turned"] > 0.01 or clip["frames_before"] != clip["frames_after"]
    assert changed, clip
    assert clip["slide_after"] / clip["height_after"] <= clip["slide_before"] / clip["height_before"] + 0.01


def test_two_references_cannot_have_one_name(tmp_path):
    reference = f'[[reference]]\nname = "A"\nfile = "{SHIPPED / "small_figure.bvh"}"\n'
    path = tmp_path / "recipe.toml"
    path.write_text(f'{reference}{reference}[[step]]\nedit = "smooth"\n')
    with pytest.raises(RecipeError, match=r"recipe\.toml:5: reference 2: there is a reference 'A' before it"):
        read_recipe(path)
