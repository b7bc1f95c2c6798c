"""Feet of characters that something else carries are locked where they are seen to stand."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.document import scope
from rigs import all_keys
from walk_in_place import carrier, heads, walk_in_place


def slides(walker: bpy.types.Object) -> list[float]:
    """How far each contact of the list gets from where it begins, as Blender shows it."""
    spans = [(span.bone, span.start, span.end) for span in scope.action_of(walker).motion_editing_contacts.spans]
    shown = {frame: heads(walker, frame) for frame in range(1, int(max(end for *_, end in spans)) + 1)}
    found = []
    for bone, start, end in spans:
        places = np.array([shown[frame][bone] for frame in range(int(np.ceil(start)), int(end) + 1)])
        found.append(float(np.linalg.norm(places - places[0], axis=1).max()))
    return found


@pytest.mark.parametrize("how", ["parent", "constraint", "scaled parent and delta transforms"])
def test_a_walk_that_something_else_moves_forward_is_locked_in_the_scene(how, capsys):
    walker, way = walk_in_place()
    thing = carrier(way)
    if how == "constraint":
        constraint = walker.constraints.new("COPY_LOCATION")
        constraint.target, constraint.use_offset = thing, True
    else:
        walker.parent = thing
    if "delta" in how:
        thing.scale, walker.delta_scale, walker.delta_rotation_euler = (0.5,) * 3, (2.0,) * 3, (0.0, 0.0, 0.3)
        walker.delta_location = (0.5, 0.0, 0.0)
    bpy.context.view_layer.update()
    bpy.ops.motion_editing.find_contacts()
    before = max(slides(walker))
    assert len(scope.action_of(walker).motion_editing_contacts.spans) > 5
    assert bpy.ops.motion_editing.lock_feet() == {"FINISHED"}
    assert max(slides(walker)) < min(1e-4, before)
    keys = all_keys(scope.action_of(walker))
    capsys.readouterr()
    bpy.ops.motion_editing.lock_feet()
    assert all_keys(scope.action_of(walker)) == keys, "a second time changes nothing"
    assert "changed nothing" in capsys.readouterr().out


def test_contacts_are_looked_for_anew_when_what_carries_the_walker_moves_otherwise():
    walker, way = walk_in_place()
    thing = walker.parent = carrier(way)
    bpy.ops.motion_editing.find_contacts()
    spans = scope.action_of(walker).motion_editing_contacts.spans
    carried = [(span.bone, span.start, span.end) for span in spans]
    thing.animation_data_clear()
    thing.location = (0.0, 0.0, 0.0)
    thing.keyframe_insert("location", frame=1)
    bpy.ops.motion_editing.find_contacts()
    assert [(span.bone, span.start, span.end) for span in spans] != carried


def test_the_object_itself_is_not_touched():
    walker, way = walk_in_place()
    walker.parent = carrier(way)
    walker.keyframe_insert("location", frame=1)
    bpy.context.view_layer.update()
    keys = {key: curve for key, curve in all_keys(scope.action_of(walker)).items() if key[1] == "location"}
    assert keys
    bpy.ops.motion_editing.lock_feet()
    after = all_keys(scope.action_of(walker))
    assert {key: after[key] for key in keys} == keys
