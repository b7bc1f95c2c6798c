"""Files of the first version: all that they keep is read, and edited on with the same result."""

import bpy
import numpy as np
import pytest
from earlier_files import FIRST_VERSION, figure_with, keys_of, put_models
from motion_editing.motion_editing_addon.border import action_io, saved_state
from motion_editing.motion_editing_addon.document import watched_keys
from motion_editing.motion_editing_addon.document.watched_keys import State
from motion_editing.motion_editing_addon.guided_warp import kept_maps
from motion_editing.motion_editing_addon.layers import layer_list
from motion_editing.motion_editing_addon.layers import session as layers
from motion_editing.motion_editing_addon.staggered import pose_list
from motion_editing.motion_editing_addon.staggered import session as staggered
from saved_arrays import place_of

OPERATORS = bpy.ops.motion_editing


def opened(name):
    """A figure with what was saved, read by a Blender that has just been started."""
    saved = FIRST_VERSION[name]
    figure = figure_with(saved["keys"])
    put_models(figure, saved["models"])
    staggered.forget()
    layers.forget()
    return figure


def entry_of(figure, kind):
    action = figure.animation_data.action
    return action.motion_editing["saved_models"][str(figure.animation_data.action_slot.handle)][kind.name]


def same(one, other):
    assert one.keys() == other.keys()
    for name, value in one.items():
        np.testing.assert_array_equal(np.asarray(value), np.asarray(other[name]), err_msg=name)


def test_poses_are_edited_on():
    figure = opened("poses")
    assert watched_keys.state(figure, saved_state.STAGGERED, exact=True) is State.CURRENT
    pose_list.refresh(figure, staggered.load(figure))
    assert OPERATORS.exaggerate_pose(pose=0) == {"FINISHED"}
    assert keys_of(figure) == FIRST_VERSION["poses"]["after"]
    assert entry_of(figure, saved_state.STAGGERED)["version"] == saved_state.STAGGERED.version


def test_layers_are_edited_on():
    figure = opened("layers")
    assert watched_keys.state(figure, saved_state.LAYERS, exact=True) is State.CURRENT
    layer_list.refresh(figure, layers.load(figure))
    figure.animation_data.action.motion_editing_layers.layers[0].influence = 0.5
    assert keys_of(figure) == FIRST_VERSION["layers"]["after"]
    assert entry_of(figure, saved_state.LAYERS)["version"] == saved_state.LAYERS.version


def test_layers_become_the_first_edit_of_the_stack():
    figure = opened("layers")
    layer_list.refresh(figure, layers.load(figure))
    bpy.context.view_layer.objects.active = figure
    action, before = figure.animation_data.action, action_io.fingerprint(figure)
    OPERATORS.exaggerate_motion(amount=1.3)
    entries = action.motion_editing_stack.entries
    assert [entry.tool for entry in entries] == ["set_layers", "exaggerate_motion"]
    entries[1].is_muted = True
    assert action_io.fingerprint(figure) == before
    entries[0].is_muted = True
    assert action_io.fingerprint(figure) != before
    assert not action.motion_editing_layers.layers
    entries[0].is_muted = False
    assert action_io.fingerprint(figure) == before
    assert len(action.motion_editing_layers.layers) > 0


def test_editing_a_layer_is_cancelled():
    figure = opened("layers")
    layer_list.refresh(figure, layers.load(figure))
    figure.motion_editing_layer_edit.layer = "Low"
    assert OPERATORS.cancel_layer_edit() == {"FINISHED"}
    assert keys_of(figure) == FIRST_VERSION["layers"]["keys"]
    assert layers.load(figure).layers[0].name == "Low"


def test_time_maps_are_read():
    figure = figure_with(FIRST_VERSION["poses"]["keys"])
    put_models(figure, {"time map Map": FIRST_VERSION["time map"]})
    found, (_letter, *new) = kept_maps.load(figure, "Map"), FIRST_VERSION["time map"]["data"]["new"]
    assert np.array(found.new_times).tolist() == new


def entry(layout, **data):
    return {"version": 1, "fingerprint": "", "layout": layout, "data": data}


OTHERS = {
    saved_state.MATCH_WEB: (
        entry(
            '{"header": ["<i4", [3]], "offsets": ["<i4", [2]], "path_frames": ["<i4", [4]]}',
            **{"first frame": 1.0, "header": ["i", 1, 53, 2], "offsets": ["i", 0, 2], "path_frames": ["i", 1, 4, 2, 5]},
        ),
        {"first frame": 1.0, "frames": 53, "stride": 2, "offsets": [0, 2], "path_frames": [1, 4, 2, 5]},
    ),
    saved_state.WINDOW: (
        entry(
            '{"rotations": ["<f8", [1, 1, 4]], "locations": ["<f8", [1, 1, 3]], "scales": ["<f8", [1, 1, 3]],'
            ' "scalars": ["<f8", [1, 0]]}',
            **{"first frame": 2.0, "channels": "bone1", "rotations": ["d", 1.0, 0.0, 0.0, 0.0]},
            locations=["d", 0.1, 0.2, 0.3],
            scales=["d", 1.0, 1.0, 1.0],
        ),
        {
            "first frame": 2.0,
            "channels": "bone1",
            "rotations": [[[1.0, 0.0, 0.0, 0.0]]],
            "scalars": [[]],
            "locations": [[[0.1, 0.2, 0.3]]],
            "scales": [[[1.0, 1.0, 1.0]]],
        },
    ),
    saved_state.MIRRORED: (
        entry(
            '{"values": ["<f8", [1]]}',
            curves="[]",
            choices="X",
            still='[["bone", 0]]',
            values=["d", 0.25],
        ),
        {"curves": "[]", "choices": "X", "still": '[["bone", 0]]', "values": [0.25]},
    ),
    saved_state.REDUCED: (entry("{}", states='{"a": "b"}'), {"states": '{"a": "b"}'}),
}


@pytest.mark.parametrize("kind", OTHERS, ids=lambda kind: kind.name)
def test_other_kinds_are_read_and_saved_anew(kind):
    figure = figure_with(FIRST_VERSION["poses"]["keys"])
    saved, expected = OTHERS[kind]
    put_models(figure, {kind.name: saved})
    arrays = saved_state.load(*place_of(figure), kind).arrays
    same(arrays, expected)
    saved_state.save(*place_of(figure), kind, arrays, "")
    assert entry_of(figure, kind)["version"] == kind.version
    same(saved_state.load(*place_of(figure), kind).arrays, expected)


def test_documents_without_a_version_are_of_the_first_one():
    values = {"pairs": [], "source": ["a"], "target": ["b"]}
    assert saved_state.from_text(saved_state.MAPPING, '{"pairs": [], "source": ["a"], "target": ["b"]}') == values
    text = saved_state.to_text(saved_state.MAPPING, values)
    assert text.startswith('{"version": 1, ')
    assert saved_state.from_text(saved_state.MAPPING, text) == values
