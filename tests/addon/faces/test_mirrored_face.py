"""Mirror Motion exchanges the sides of a face; done twice every key is as it was."""

import bpy
import pytest
from talking_mannequin import FRAMES, activate, all_keys, shape_action, shape_values, talking_mannequin

PAIRS = [
    ("Smile.L", "Smile.R"),
    ("smile_l", "smile_r"),
    ("mouthSmileLeft", "mouthSmileRight"),
    ("LeftBrowUp", "RightBrowUp"),
    ("Fcl_EYE_Close_L", "Fcl_EYE_Close_R"),
    ("L_squint", "R_squint"),
]
AT = (1, 17.5, 120, 300)


def renamed(mesh, names):
    """The eyes under other names; one side is quicker than the other."""
    for old, new in zip(("blink.L", "blink.R"), names, strict=True):
        mesh.data.shape_keys.key_blocks[old].name = new


@pytest.mark.parametrize("names", PAIRS, ids=[pair[0] for pair in PAIRS])
def test_shape_keys_swap_sides_and_back(names):
    armature, mesh = talking_mannequin(every=10)
    renamed(mesh, names)
    activate(mesh)
    before = all_keys(armature.animation_data.action), all_keys(shape_action(mesh))
    left, right = (shape_values(mesh, name, AT) for name in names)
    middle = shape_values(mesh, "smile", AT)
    assert bpy.ops.motion_editing.mirror_motion() == {"FINISHED"}
    assert [shape_values(mesh, name, AT) for name in names] == [right, left]
    assert shape_values(mesh, "smile", AT) == middle
    bpy.ops.motion_editing.mirror_motion()
    assert (all_keys(armature.animation_data.action), all_keys(shape_action(mesh))) == before


def test_a_side_without_keys_gets_those_of_the_other():
    _armature, mesh = talking_mannequin(every=10)
    bag = shape_action(mesh).layers[0].strips[0].channelbags[0]
    bag.fcurves.remove(bag.fcurves.find('key_blocks["blink.R"].value'))
    mesh.data.shape_keys.key_blocks["blink.R"].value = 0.25
    activate(mesh)
    left = shape_values(mesh, "blink.L", range(1, FRAMES, 40))
    bpy.ops.motion_editing.mirror_motion()
    assert shape_values(mesh, "blink.R", range(1, FRAMES, 40)) == left
    assert mesh.data.shape_keys.key_blocks["blink.L"].value == 0.25
