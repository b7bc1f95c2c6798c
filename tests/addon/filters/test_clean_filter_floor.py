"""Keep Above Floor on hand-keyed motion: nothing sinks between the keys either, and few keys stay few."""

import bpy
import pytest
from motion_editing.core.body import find_body
from motion_editing.core.solve.whole_body import Ground
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope

RATE = 30.0
# Parts of the figure's height: what nobody sees.
UNSEEN = 1.2e-3


@pytest.fixture
def keyed():
    """The sample motion with few keys, made of reduced ones."""
    bpy.ops.motion_editing.load_sample_motion(rate=RATE)
    bpy.ops.motion_editing.reduce_keys(rotation_error=0.06, location_error=0.02)
    return bpy.context.object


def motion_of(armature):
    return scope.read_clip(bpy.context, armature).motion


def sunk(before, after):
    """Part of the height by which anything is lower than it was and than the floor."""
    body = find_body(before.skeleton, motion=before)
    ground = Ground.under(before.poses, body)
    return float((ground.lowest - after.poses.positions @ ground.up).max()) / ground.height


def keys_of(armature):
    return sum(len(curve.keyframe_points) for curve in action_io.channelbag(armature).fcurves)


@pytest.mark.parametrize(("name", "options"), [("exaggerate_motion", {"amount": 1.5}), ("soft_limit", {"limit": 0.2})])
def test_nothing_sinks_between_few_keys(keyed, name, options):
    before, keys = motion_of(keyed), keys_of(keyed)
    assert getattr(bpy.ops.motion_editing, name)(keep_contacts=False, **options) == {"FINISHED"}
    assert sunk(before, motion_of(keyed)) < UNSEEN
    assert keys_of(keyed) < 1.2 * keys
