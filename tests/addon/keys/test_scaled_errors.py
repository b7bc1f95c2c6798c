"""Errors of reduced keys are distances in the scene, however large the unit of a bone is there."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border import action_io
from rigs import chain_armature

FRAMES = np.arange(1, 121)
BOUND = 0.01


def wandering(size: float) -> bpy.types.Object:
    """A bone whose place has keys on every frame, and wanders by the same way in the scene for every size."""
    armature = chain_armature(1, connected=False)
    bone = armature.pose.bones[0]
    random = np.random.default_rng(0)
    way = np.cumsum(np.cumsum(random.normal(size=(len(FRAMES), 3)), axis=0), axis=0)
    way *= 2.0 / np.ptp(way)
    for frame, place in zip(FRAMES.tolist(), way, strict=True):
        bone.location = place / size
        bone.keyframe_insert("location", frame=frame)
    return armature


def by_object(armature: bpy.types.Object, size: float) -> None:
    armature.scale = (size,) * 3


def by_parent(armature: bpy.types.Object, size: float) -> None:
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.scale = (size,) * 3
    armature.parent = parent


def by_delta(armature: bpy.types.Object, size: float) -> None:
    armature.delta_scale = (size,) * 3


def places(armature: bpy.types.Object) -> np.ndarray:
    """(F, 3) where the bone is in the scene."""
    found = []
    for frame in FRAMES.tolist():
        bpy.context.scene.frame_set(frame)
        found.append(armature.matrix_world @ armature.pose.bones[0].head)
    return np.array(found)


def keys(armature: bpy.types.Object) -> list[int]:
    return [len(curve.keyframe_points) for curve in action_io.channelbag(armature).fcurves]


@pytest.mark.parametrize("scaled", [by_object, by_parent, by_delta])
@pytest.mark.parametrize("size", [0.01, 100.0])
@pytest.mark.parametrize("tool", ["convert_keys", "reduce_keys"])
def test_the_error_of_a_location_is_that_in_the_scene(tool, size, scaled):
    # What counts as an extreme depends on the size of the figure.
    options = {"keep_extremes": False} if tool == "reduce_keys" else {}
    wandering(1.0)
    getattr(bpy.ops.motion_editing, tool)(location_error=BOUND, **options)
    usual = keys(bpy.context.object)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = wandering(size)
    scaled(armature, size)
    bpy.context.view_layer.update()
    before = places(armature)
    getattr(bpy.ops.motion_editing, tool)(location_error=BOUND, **options)
    away = np.linalg.norm(places(armature) - before, axis=1).max()
    assert 0.5 * BOUND < away <= 1.001 * BOUND
    assert np.sum(keys(armature)) == pytest.approx(np.sum(usual), rel=0.1)


@pytest.mark.parametrize("scaled", [by_object, by_parent])
def test_what_is_told_is_measured_in_the_scene(scaled, capfd):
    armature = wandering(100.0)
    scaled(armature, 100.0)
    bpy.context.view_layer.update()
    before = places(armature)
    bpy.ops.motion_editing.reduce_keys(location_error=BOUND)
    away = np.linalg.norm(places(armature) - before, axis=1).max()
    millimetres = float(capfd.readouterr().out.partition("° and ")[2].partition(" mm")[0])
    assert away == pytest.approx(0.001 * millimetres, abs=0.001)
