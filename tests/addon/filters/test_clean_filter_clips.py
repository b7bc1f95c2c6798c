"""Clean & Filter on captured clips: contacts hold, peaks stay, what is found can be repaired."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.take.clip_take import ClipTake

pytestmark = pytest.mark.clips
CLIPS = ("cmu_07_01_walk", "fair1_jumping_zup", "cmu_138_01_march", "rokoko_jesse_dance_fingers")


@pytest.fixture(params=CLIPS)
def imported(request, clips_folder, empty_scene):
    """An armature with a captured clip."""
    bpy.ops.motion_editing.import_bvh(filepath=str(clips_folder / "dev" / f"{request.param}.bvh"))
    return bpy.context.object


def facts_of(armature):
    return ClipTake(scope.read_clip(bpy.context, armature))


def test_kept_contacts_slide_no_more_than_before(imported):
    before = facts_of(imported)
    bpy.ops.motion_editing.low_pass(cutoff=2.0, keep_contacts=True)
    after = facts_of(imported).clip.motion
    assert np.abs(after.rotations - before.clip.motion.rotations).max() > 1e-3
    height = before.body.height
    assert before.slide_of(after) <= before.slide_of(before.clip.motion) + 0.003 * height


def test_every_tool_runs_and_repair_leaves_nothing_that_was_filled(imported):
    for name in ("high_pass", "band_pass", "equalize", "exaggerate_motion", "soft_limit", "compress_range"):
        assert getattr(bpy.ops.motion_editing, name)() == {"FINISHED"}
    bpy.ops.motion_editing.restore_original()
    bpy.ops.motion_editing.find_flaws(below_floor=False, gaps=False, threshold=4.0)
    flaws = imported.animation_data.action.motion_editing_flaws
    before, spikes = facts_of(imported).clip, [(f.bone, f.first, f.last) for f in flaws.found if f.kind == "SPIKE"]
    if not flaws.found:
        return
    bpy.ops.motion_editing.repair_flaws()
    after = facts_of(imported).clip.motion
    changed = quaternion.angle_between(before.motion.rotations, after.rotations) > 1e-5
    allowed = np.zeros_like(changed)
    for bone, first, last in spikes:
        inside = (before.frames >= first) & (before.frames <= last)
        allowed[inside, before.motion.skeleton.index[bone]] = True
    assert not (changed & ~allowed).any()
