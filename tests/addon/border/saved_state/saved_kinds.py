"""A file with everything that the extension saves: a figure for what lies beside keys, others for edits under way."""

from __future__ import annotations

from functools import cache
from tempfile import mkdtemp

import bpy
from motion_editing.motion_editing_addon.staggered.pose_mode import posing_mode
from retarget_figures import figure_like, load_walker, make_active

# What has to be done to a figure, by its name.
PLAIN, LAYERED, LAYER_EDITED, POSED, TARGET = "Plain", "Layered", "LayerEdited", "Posed", "Target"
FIGURES = (PLAIN, LAYERED, LAYER_EDITED, POSED, TARGET)
OPERATORS = bpy.ops.motion_editing


@cache
def file_with_everything() -> str:
    """Made once; Blender clears its own temporary folder when it starts anew."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for name, fill in _FILLED.items():
        figure = short_walker()
        figure.name = name
        fill(figure)
    path = f"{mkdtemp()}/everything.blend"
    bpy.ops.wm.save_as_mainfile(filepath=path)
    return path


def open_figure(name: str) -> bpy.types.Object:
    """The figure of the file, active and as it was saved."""
    return opened(file_with_everything(), name)


def opened(path: str, name: str) -> bpy.types.Object:
    """A figure of a file as in a Blender with a window, where posing goes on."""
    bpy.ops.wm.open_mainfile(filepath=path)
    posing_mode.go_on_all()
    figure = bpy.data.objects[name]
    make_active(figure)
    return figure


def short_walker(last: int = 48) -> bpy.types.Object:
    """The first seconds of the sample motion."""
    figure = load_walker()
    for curve in figure.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
        for key in reversed(curve.keyframe_points[last:]):
            curve.keyframe_points.remove(key, fast=True)
        curve.update()
    return figure


def _plain(figure: bpy.types.Object) -> None:
    OPERATORS.warp_time(length=1.1, use_keytimes=False, keep_as="Kept")
    OPERATORS.extract_poses()
    OPERATORS.find_character()
    OPERATORS.find_contacts()
    OPERATORS.add_constraint(kind="POSITION", bone="hand.R", start=20.0, end=40.0)
    OPERATORS.add_constraint(kind="JOINT_RANGE", bone="forearm.R", start=20.0, end=40.0)
    OPERATORS.set_stiffness(stiffness=4.0, everything=True)
    OPERATORS.find_flaws()
    flaw = figure.animation_data.action.motion_editing_flaws.found.add()
    flaw.kind, flaw.bone, flaw.channel, flaw.first, flaw.last, flaw.size = "SPIKE", "hand.R", "rotation", 20, 22, 0.5
    OPERATORS.find_similar(start=20.0, end=30.0)
    OPERATORS.paint_bones(bone="hand.R")
    OPERATORS.add_keytime(frame=30.0)
    OPERATORS.move_keytime(keytime=1, frame=34.0)


def _layered(figure: bpy.types.Object) -> None:
    for frame, name in ((20, "Low"), (40, "High")):
        bpy.context.scene.frame_set(frame)
        OPERATORS.add_layer(name=name)
        figure.pose.bones["upper_arm.R"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
        OPERATORS.key_layer()
    OPERATORS.key_layer_influence()


def _layer_edited(figure: bpy.types.Object) -> None:
    _layered(figure)
    OPERATORS.edit_layer()


def _posed(_figure: bpy.types.Object) -> None:
    OPERATORS.extract_poses()
    OPERATORS.edit_staggered_pose(pose=2)


def _target(figure: bpy.types.Object) -> None:
    figure.name = "Source"
    target = figure_like(figure, 0.6, name=TARGET)
    target.motion_editing_retarget.source = figure
    OPERATORS.propose_mapping()
    OPERATORS.retarget_motion()


_FILLED = dict(zip(FIGURES, (_plain, _layered, _layer_edited, _posed, _target), strict=True))
