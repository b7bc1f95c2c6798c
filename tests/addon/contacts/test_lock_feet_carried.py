"""Feet of characters that something else carries are locked where they are seen to stand."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon import action_io, scope
from rigs import all_keys

ROOT = "hips"


def walk_in_place() -> tuple[bpy.types.Object, np.ndarray]:
    """The sample without its way along the ground, and (F, 3) that way."""
    bpy.context.scene.render.fps = 15
    bpy.ops.motion_editing.load_sample_motion(rate=15)
    walker = bpy.context.object
    clip = scope.read_clip(bpy.context, walker)
    joint = clip.motion.skeleton.index[ROOT]
    places = clip.motion.poses.positions[:, joint]
    way = (places - places[0]) * (1.0, 1.0, 0.0)
    own = clip.motion.locations[:, joint] - way @ np.array(walker.data.bones[ROOT].matrix_local.to_3x3())
    for curve in action_io.channelbag(walker).fcurves:
        if curve.data_path == f'pose.bones["{ROOT}"].location':
            write(curve, clip.frames, own[:, curve.array_index])
    return walker, way


def write(curve: bpy.types.FCurve, frames: np.ndarray, values: np.ndarray) -> None:
    curve.keyframe_points.clear()
    curve.keyframe_points.add(len(frames))
    curve.keyframe_points.foreach_set("co", np.stack([frames, values], axis=1).astype(np.float32).ravel())
    curve.update()


def carrier(way: np.ndarray) -> bpy.types.Object:
    """An empty that goes the way, a key at every frame."""
    thing = bpy.data.objects.new("Carrier", None)
    bpy.context.collection.objects.link(thing)
    thing.keyframe_insert("location", frame=1)
    for curve in action_io.channelbag(thing).fcurves:
        write(curve, np.arange(1, len(way) + 1), way[:, curve.array_index])
    return thing


def slides(walker: bpy.types.Object) -> list[float]:
    """How far each contact of the list gets from where it begins, as Blender shows it."""
    spans = [(span.bone, span.start, span.end) for span in scope.action_of(walker).motion_editing_contacts.spans]
    shown = {frame: heads(walker, frame) for frame in range(1, int(max(end for *_, end in spans)) + 1)}
    found = []
    for bone, start, end in spans:
        places = np.array([shown[frame][bone] for frame in range(int(np.ceil(start)), int(end) + 1)])
        found.append(float(np.linalg.norm(places - places[0], axis=1).max()))
    return found


def heads(walker: bpy.types.Object, frame: int) -> dict[str, np.ndarray]:
    bpy.context.scene.frame_set(frame)
    posed = walker.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return {bone.name: np.array(posed.matrix_world @ bone.head) for bone in posed.pose.bones}


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
