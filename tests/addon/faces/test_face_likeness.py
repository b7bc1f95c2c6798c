"""Find Similar: with the face only parts with the same expression are alike."""

import bpy
from talking_mannequin import activate

OPERATORS = bpy.ops.motion_editing


def walker():
    bpy.ops.motion_editing.load_sample_motion(character="MANNEQUIN", rate=30.0)
    armature = bpy.context.object
    return armature, next(thing for thing in armature.children if thing.type == "MESH")


def enabled(armature, **options):
    OPERATORS.find_similar(window="FRAMES", start=30.0, end=60.0, **options)
    windows = armature.animation_data.action.motion_editing_timeline.windows
    return sorted((window.start, window.end) for window in windows if window.ticked)


def test_a_step_with_another_face_is_another_step():
    armature, mesh = walker()
    activate(mesh)
    alike = enabled(armature)
    before, after = alike
    smile = mesh.data.shape_keys.key_blocks["smile"]
    middle = 0.5 * (before[1] + after[0])
    for frame, value in ((1.0, 0.0), (middle - 1.0, 0.0), (middle + 1.0, 1.0), (355.0, 1.0)):
        smile.value = value
        smile.keyframe_insert("value", frame=frame)
    assert enabled(armature) == alike
    assert enabled(armature, face=True) == [before]


def test_without_shape_keys_the_face_changes_nothing():
    armature, _mesh = walker()
    assert enabled(armature, face=True) == enabled(armature)
