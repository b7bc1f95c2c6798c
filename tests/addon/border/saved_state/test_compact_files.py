"""Staggered poses take little room in a file, and go on after it was opened as if it had not been closed."""

import bpy
import numpy as np
from motion_editing.core.staggered import to_arrays
from motion_editing.motion_editing_addon.staggered import session
from rigs import all_keys
from saved_damage import own_properties

OPERATORS = bpy.ops.motion_editing


def made(armature):
    OPERATORS.extract_poses()
    OPERATORS.exaggerate_pose(pose=1)
    return armature


def opened(path, name):
    """The figure as a Blender that has just been started finds it in the file."""
    session.forget()
    bpy.ops.wm.open_mainfile(filepath=str(path))
    bpy.context.view_layer.objects.active = bpy.data.objects[name]
    return bpy.data.objects[name]


def goes_on(armature, path):
    """Whether edits give the same keys in the file that was just saved as after it was closed and opened."""
    name = armature.name
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    without = edited_on(armature)
    return edited_on(opened(path, name)) == without


def edited_on(armature):
    """Keys after edits that ask for splines, detail, timing and what the poses were fitted to."""
    found = []
    for edit in (
        lambda: OPERATORS.exaggerate_pose(pose=2),
        lambda: OPERATORS.detail_strength(),
        lambda: OPERATORS.unstagger(all_poses=True),
        lambda: OPERATORS.restagger(all_poses=True),
        lambda: OPERATORS.delete_staggered_pose(pose=1),
        lambda: OPERATORS.exaggerate_pose(pose=0),
    ):
        assert edit() == {"FINISHED"}
        found.append(all_keys(armature.animation_data.action))
    return found


def sizes(armature):
    """Bytes in the file, and of all numbers."""
    data = armature.animation_data
    models = own_properties(data.action)["motion_editing"]["saved_models"][str(data.action_slot.handle)]
    kept = models["staggered"]["data"]
    stored = [kept[name] for name in kept.keys() if not isinstance(kept[name], (str, int, float))]  # noqa: SIM118
    model = to_arrays(session.load(armature).model)
    return sum(memoryview(each).nbytes for each in stored), sum(np.asarray(value).nbytes for value in model.values())


def test_the_sample_goes_on_bit_for_bit(tmp_path):
    OPERATORS.load_sample_motion(rate=30)
    assert goes_on(made(bpy.context.object), tmp_path / "sample.blend")


def test_a_captured_clip_goes_on_bit_for_bit_and_takes_little_room(clips_folder, tmp_path):
    OPERATORS.import_bvh(filepath=str(clips_folder / "corpus" / "cmu_104_15.bvh"))
    armature = made(bpy.context.object)
    stored, whole = sizes(armature)
    assert stored < 0.15 * whole
    assert goes_on(armature, tmp_path / "clip.blend")
