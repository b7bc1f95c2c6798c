"""A keyed chain whose last bone is held, and what Blender itself evaluates of its targets."""

from __future__ import annotations

import bpy
import numpy as np
from motion_editing.motion_editing_addon.constraints.constraint_list import read_list
from motion_editing.motion_editing_addon.document import scope
from rigs import chain_armature, key_bones

FRAMES = (10, 20)
CORNERS = [(0.0, 0.0, 0.0), (1.0, 0.0, 1.0), (1.0, 2.0, 1.5), (3.0, 2.0, 2.0)]


def keyed_chain():
    rig = chain_armature(4)
    key_bones(rig, [1, 12, 24])
    for bone in rig.pose.bones:
        bone.scale = (1.0, 1.0, 1.0)
    return rig


def add(kind="POSITION", **options):
    settings = bpy.context.object.animation_data.action.motion_editing_constraints
    added = bpy.ops.motion_editing.add_constraint(kind=kind, bone="bone3", start=FRAMES[0], end=FRAMES[1], **options)
    assert added == {"FINISHED"}
    return settings.listed[-1]


def link(thing):
    bpy.context.scene.collection.objects.link(thing)
    return thing


def constraint(armature):
    """The first of the list as core takes it, and the clip."""
    clip = scope.read_clip(bpy.context, armature)
    listed = read_list(clip, armature.animation_data.action.motion_editing_constraints.listed, first=0, last=999)
    return listed.constraints[0], clip


def evaluated(thing, frames, bone=""):
    """World matrices of an object or a bone, frame by frame."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame))
        posed = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found.append(np.array(posed.matrix_world @ posed.pose.bones[bone].matrix if bone else posed.matrix_world))
    return np.array(found)


def moving_empty(name="Ball"):
    thing = link(bpy.data.objects.new(name, None))
    for frame, place in ((1, (0.0, 0.0, 2.0)), (24, (3.0, 1.0, 4.0))):
        thing.location = place
        thing.rotation_euler = (0.0, 0.05 * frame, 0.02 * frame)
        thing.keyframe_insert("location", frame=frame)
        thing.keyframe_insert("rotation_euler", frame=frame)
    return thing


def curve(kind, points, *, splines=1, cyclic=False):
    data = bpy.data.curves.new("Way", "CURVE")
    data.dimensions = "3D"
    for number in range(splines):
        spline = data.splines.new(kind)
        if kind == "BEZIER":
            spline.bezier_points.add(len(points) - 1)
            for point, place in zip(spline.bezier_points, points, strict=True):
                point.co = np.add(place, (0.0, 0.0, 10.0 * number))
                point.handle_left_type = point.handle_right_type = "AUTO"
        else:
            spline.points.add(len(points) - 1)
            for point, place in zip(spline.points, points, strict=True):
                point.co = (*np.add(place, (0.0, 0.0, 10.0 * number)), 1.0)
        spline.use_cyclic_u = cyclic
        if kind == "NURBS":
            spline.use_endpoint_u, spline.order_u = True, 3
    return link(bpy.data.objects.new("Way", data))
