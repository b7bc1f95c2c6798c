"""Damaged files: one line and a way out for every kind of saved data, never an error of Python, never damaged keys."""

from __future__ import annotations

import contextlib
import io
import os
import traceback

import bpy
import numpy as np
import pytest
import saved_kinds
from drawn import draw_lanes, draw_panels
from motion_editing.motion_editing_addon.layers import session as layers
from motion_editing.motion_editing_addon.staggered import session as staggered
from motion_editing.motion_editing_addon.timeline import web
from rigs import all_keys
from saved_damage import Place, damage, forget_checksums, own_properties, places

OPERATORS = bpy.ops.motion_editing
# More of them find more: 375 take some ten minutes.
CASES = int(os.environ.get("MOTION_EDITING_DAMAGES", "10"))
_CALLED = 6
_WAYS_OUT = ("remove_poses", "remove_layer", "clear_windows", "clear_keytimes", "find_character", "cancel_layer_edit")
_WAYS_OUT += ("cancel_staggered_pose", "remove_constraint", "remove_contact", "clear_mapping", "find_flaws")
_NOT_CALLED = {"bring_in_motion", "import_bvh", "export_bvh", "load_mapping", "save_mapping", "load_sample_motion"}


def callable_operators() -> list[str]:
    """All that can be called without a file or a mouse."""
    names = set(dir(OPERATORS)) - _NOT_CALLED
    return sorted(name for name in names if not name.startswith("strip_") and "tree" not in name)


def owners_of(figure: bpy.types.Object) -> list[bpy.types.ID]:
    waiting = figure.motion_editing_posing.action
    return [figure, *filter(None, {figure.animation_data.action, waiting})]


def some_place(figure: bpy.types.Object, random: np.random.Generator) -> Place:
    """Each kind of data, and then each of its values, is as likely as the others."""
    found = [place for owner in owners_of(figure) for place in places(owner)]
    kinds = sorted({place.kind for place in found})
    kind = kinds[random.integers(len(kinds))]
    names = sorted({place.name for place in found if place.kind == kind})
    name = names[random.integers(len(names))]
    alike = [place for place in found if (place.kind, place.name) == (kind, name)]
    return alike[random.integers(len(alike))]


def reopened(figure: bpy.types.Object, path: str) -> bpy.types.Object:
    """The figure as a Blender that has just been started finds it in the file."""
    name = figure.name
    bpy.ops.wm.save_as_mainfile(filepath=path)
    for session in (staggered, layers, web):
        session.forget()
    return saved_kinds.opened(path, name)


def problem_of(call) -> str:
    """The error of Python that a call ends with or that a handler prints; nothing where all is well."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
            call()
    except RuntimeError as error:
        return str(error) if "Traceback" in str(error) else ""
    except Exception:
        return traceback.format_exc()
    return printed.getvalue() if "Traceback" in printed.getvalue() else ""


def keys_are_numbers() -> bool:
    values = [
        np.frombuffer(keys["co"], np.float32) for action in bpy.data.actions for keys in all_keys(action).values()
    ]
    return all(np.isfinite(each).all() for each in values)


def problems_of_case(number: int, path: str) -> list[str]:
    """What went wrong in a file of which one value was damaged."""
    random = np.random.default_rng(number)
    figure = saved_kinds.open_figure(saved_kinds.FIGURES[number % len(saved_kinds.FIGURES)])
    if random.random() < 0.5:
        forget_checksums(owners_of(figure))  # as files of earlier versions
    what = damage(some_place(figure, random), random)
    figure = reopened(figure, path)
    names = random.permutation(callable_operators())[:_CALLED].tolist()
    calls = [draw_panels, draw_lanes, *(getattr(OPERATORS, name) for name in (*names, *_WAYS_OUT)), draw_panels]
    found = [f"{what}, {call}: {problem}" for call in calls if (problem := problem_of(call))]
    return found if keys_are_numbers() else [*found, f"{what}, {names}: keys that are no numbers"]


def test_no_damage_ends_in_an_error_of_python_or_in_damaged_keys(tmp_path):
    found = [each for number in range(CASES) for each in problems_of_case(number, str(tmp_path / "damaged.blend"))]
    assert not found, "\n".join(found)


# Each kind: its line, and its way out


def saved_group(figure: bpy.types.Object, name: str):
    """What is saved under a name with the figure's action."""
    models = own_properties(figure.animation_data.action)["motion_editing"]["saved_models"]
    return models[str(figure.animation_data.action_slot.handle)][name]


def refusal(call) -> str:
    with pytest.raises(RuntimeError) as refused:
        call()
    assert "Traceback" not in str(refused.value)
    return str(refused.value).removeprefix("Error: ").strip()


@pytest.mark.parametrize("earlier_version", [False, True])
def test_damaged_poses_are_told_and_removed(tmp_path, earlier_version):
    figure = saved_kinds.open_figure(saved_kinds.PLAIN)
    del saved_group(figure, "staggered")["data"]["model.timing.pose_times" if earlier_version else "table.times"]
    if earlier_version:
        forget_checksums(owners_of(figure))
    figure = reopened(figure, str(tmp_path / "damaged.blend"))
    keys = all_keys(figure.animation_data.action)
    line = "The saved poses are damaged: use Remove Poses, then extract them again"
    for tool in (OPERATORS.rebuild_poses, OPERATORS.exaggerate_pose, OPERATORS.insert_staggered_pose):
        assert refusal(tool) == line
    OPERATORS.remove_poses()
    assert all_keys(figure.animation_data.action) == keys
    OPERATORS.extract_poses()
    OPERATORS.exaggerate_pose()


def test_a_changed_number_in_saved_poses_is_noticed(tmp_path):
    figure = saved_kinds.open_figure(saved_kinds.PLAIN)
    times = saved_group(figure, "staggered")["data"]["table.times"]
    times[2] = times[2] + 0.01
    reopened(figure, str(tmp_path / "damaged.blend"))
    assert "are damaged" in refusal(OPERATORS.rebuild_poses)


@pytest.mark.parametrize("part", ["layers", "layers_base"])
def test_damaged_layers_are_told_and_removed(tmp_path, part):
    figure = saved_kinds.open_figure(saved_kinds.LAYERED)
    saved_group(figure, part)["layout"] = "{"
    figure = reopened(figure, str(tmp_path / "damaged.blend"))
    keys = all_keys(figure.animation_data.action)
    for tool in (OPERATORS.rebuild_layers, OPERATORS.add_layer, OPERATORS.merge_all_layers, OPERATORS.edit_layer):
        assert refusal(tool) == "The saved layers are damaged: use Remove Layer, which leaves the keys as they are"
    OPERATORS.remove_layer()
    assert all_keys(figure.animation_data.action) == keys
    assert not figure.animation_data.action.motion_editing_layers.layers
    OPERATORS.add_layer()


def test_editing_a_damaged_layer_can_be_left(tmp_path):
    figure = saved_kinds.open_figure(saved_kinds.LAYER_EDITED)
    saved_group(figure, "layers")["layout"] = "{"
    figure = reopened(figure, str(tmp_path / "damaged.blend"))
    assert "are damaged" in refusal(OPERATORS.apply_layer_edit)
    OPERATORS.cancel_layer_edit()
    assert not figure.motion_editing_layer_edit.layer
    OPERATORS.remove_layer()


def test_a_huge_size_is_refused_before_anything_is_made(tmp_path):
    figure = saved_kinds.open_figure(saved_kinds.LAYERED)
    saved = saved_group(figure, "layers")
    saved["layout"] = saved["layout"].replace(
        '"layers.0.weights": ["<f8", [1]]', '"layers.0.weights": ["<f8", [1000000000]]'
    )
    assert "1000000000" in saved["layout"]
    del saved["data"]["layers.0.weights"]
    forget_checksums(owners_of(figure))
    reopened(figure, str(tmp_path / "damaged.blend"))
    assert "are damaged" in refusal(OPERATORS.rebuild_layers)


def test_damaged_body_parts_are_told_and_found_again(tmp_path):
    figure = saved_kinds.open_figure(saved_kinds.PLAIN)
    figure.motion_editing.body = '{"limbs": [{"kind": 5}]}'
    figure = reopened(figure, str(tmp_path / "damaged.blend"))
    line = "The saved body parts are damaged: use Find Body Parts in the Character panel"
    for tool in (OPERATORS.mirror_motion, OPERATORS.lock_feet, OPERATORS.find_contacts):
        assert refusal(tool) == line
    draw_panels()
    OPERATORS.find_character()
    OPERATORS.mirror_motion()


def test_a_damaged_time_map_is_told_and_kept_anew(tmp_path):
    figure = saved_kinds.open_figure(saved_kinds.PLAIN)
    saved_group(figure, "time map Kept")["data"]["new"][3] = float("nan")
    figure = reopened(figure, str(tmp_path / "damaged.blend"))
    bpy.data.objects[saved_kinds.LAYERED].select_set(True)
    assert refusal(OPERATORS.apply_time_map).startswith("The time map 'Kept' is damaged: warp the time again")
    OPERATORS.warp_time(length=1.2, use_keytimes=False, keep_as="Kept")
    OPERATORS.apply_time_map()


def test_a_damaged_window_memory_is_told_and_remembered_anew(tmp_path):
    figure = saved_kinds.open_figure(saved_kinds.PLAIN)
    saved_group(figure, "timeline before")["data"]["channels"] = "x"
    figure = reopened(figure, str(tmp_path / "damaged.blend"))
    assert "is damaged: use Remember" in refusal(OPERATORS.propagate_edit)
    OPERATORS.remember_window()
    OPERATORS.propagate_edit()


def test_a_damaged_web_of_likeness_is_woven_again(tmp_path):
    figure = saved_kinds.open_figure(saved_kinds.PLAIN)
    windows = figure.animation_data.action.motion_editing_timeline.windows
    before = [(item.start, item.end) for item in windows]
    saved_group(figure, "match web")["data"]["offsets"][1] = -5
    figure = reopened(figure, str(tmp_path / "damaged.blend"))
    OPERATORS.find_similar(start=20.0, end=30.0)
    windows = figure.animation_data.action.motion_editing_timeline.windows
    assert [(item.start, item.end) for item in windows] == before


def test_a_damaged_list_of_flaws_is_told_and_found_again(tmp_path):
    figure = saved_kinds.open_figure(saved_kinds.PLAIN)
    figure.animation_data.action.motion_editing_flaws.found[0].kind = "1"
    reopened(figure, str(tmp_path / "damaged.blend"))
    draw_panels()
    assert refusal(OPERATORS.repair_flaws) == "The list of flaws is damaged: use Find Flaws again"
    assert OPERATORS.find_flaws() == {"FINISHED"}
    draw_panels()


# Numbers and choices in lists


def test_numbers_and_choices_that_cannot_be_are_set_back(tmp_path, capsys):
    figure = saved_kinds.open_figure(saved_kinds.PLAIN)
    action, bone = figure.animation_data.action, figure.pose.bones["hand.R"]
    constraint = own_properties(action)["motion_editing_constraints"]["listed"][0]
    constraint["start"], constraint["kind"] = float("nan"), -7
    own_properties(action)["motion_editing_contacts"]["spans"][0]["end"] = 1e30
    own_properties(action)["motion_editing"]["source_rate"] = 1e30
    bone.motion_editing_stiffness = float("nan")
    figure = reopened(figure, str(tmp_path / "damaged.blend"))
    action = figure.animation_data.action
    listed = action.motion_editing_constraints.listed
    assert (listed[0].start, listed[0].kind, listed[0].end, listed[1].start) == (0.0, "POSITION", 40.0, 20.0)
    assert action.motion_editing_contacts.spans[0].end == 0.0
    assert action.motion_editing.source_rate == 0.0
    assert figure.pose.bones["hand.R"].motion_editing_stiffness == 1.0
    assert "Motion Editing: 5 damaged values were set back" in capsys.readouterr().out


def test_whole_files_stay_as_they_are(tmp_path, capsys):
    figure = saved_kinds.open_figure(saved_kinds.PLAIN)
    reopened(figure, str(tmp_path / "whole.blend"))
    assert "damaged" not in capsys.readouterr().out


# Files of a later version


NEWER = {
    "staggered": (saved_kinds.PLAIN, OPERATORS.rebuild_poses, OPERATORS.remove_poses, OPERATORS.extract_poses),
    "layers": (saved_kinds.LAYERED, OPERATORS.rebuild_layers, OPERATORS.remove_layer, OPERATORS.add_layer),
    "layers_base": (saved_kinds.LAYERED, OPERATORS.rebuild_layers, OPERATORS.remove_layer, OPERATORS.add_layer),
    "timeline before": (
        saved_kinds.PLAIN,
        OPERATORS.propagate_edit,
        OPERATORS.remember_window,
        OPERATORS.propagate_edit,
    ),
}


@pytest.mark.parametrize("name", NEWER)
def test_newer_data_are_told_and_removed(tmp_path, name):
    who, tool, way_out, again = NEWER[name]
    figure = saved_kinds.open_figure(who)
    saved_group(figure, name)["version"] = 99
    figure = reopened(figure, str(tmp_path / "newer.blend"))
    keys = all_keys(figure.animation_data.action)
    assert "from a newer version of the extension: update it, or use " in refusal(tool)
    draw_panels()
    assert way_out() == {"FINISHED"}
    assert all_keys(figure.animation_data.action) == keys
    assert again() == {"FINISHED"}
