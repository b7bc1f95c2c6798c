"""The sample motion with constraints, and where its bones are."""

from __future__ import annotations

from functools import cache
from tempfile import mkdtemp

import bpy
import numpy as np
from motion_editing.motion_editing_addon.document import scope

RATE = 30


@cache
def sample_file():
    """The sample motion in a file, which opens quicker than the sample is made."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.motion_editing.load_sample_motion(rate=RATE)
    # Blender clears its own temporary folder when it starts anew.
    file = f"{mkdtemp()}/sample.blend"
    bpy.ops.wm.save_as_mainfile(filepath=file)
    return file


def open_sample():
    bpy.ops.wm.open_mainfile(filepath=sample_file())
    return bpy.context.object


def listed(armature):
    return armature.animation_data.action.motion_editing_constraints.listed


def add(kind, bone, start, end=None, **options):
    end = start if end is None else end
    assert bpy.ops.motion_editing.add_constraint(kind=kind, bone=bone, start=start, end=end, **options) == {"FINISHED"}
    return listed(bpy.context.object)[-1]


def positions(armature):
    """(F, J, 3) of the keys as they are, and the clip."""
    clip = scope.read_clip(bpy.context, armature)
    return clip, clip.motion.poses.positions


def path(armature, bone):
    clip, places = positions(armature)
    return places[:, clip.motion.skeleton.index[bone]]


def row(armature, frame):
    return int(np.abs(positions(armature)[0].frames - frame).argmin())


def solve(**options):
    assert bpy.ops.motion_editing.solve_constraints(**options) == {"FINISHED"}
