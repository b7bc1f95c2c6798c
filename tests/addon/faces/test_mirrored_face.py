"""Mirror Motion exchanges the sides of a face; done twice every key is as it was."""

import bpy
import pytest
from talking_mannequin import FRAMES, activate, all_keys, shape_action, shape_values, talking_mannequin

OLD = ("blink", "brow_up", "brow_down")
PAIRS = [
    [("Smile.L", "Smile.R"), ("smile_l", "smile_r"), ("mouthSmileLeft", "mouthSmileRight")],
    [("LeftBrowUp", "RightBrowUp"), ("Fcl_EYE_Close_L", "Fcl_EYE_Close_R"), ("L_squint", "R_squint")],
]
AT = (1, 17.5, 60, 150)


def rename(mesh, pairs):
    """Give shape keys with two sides other names; those without keys get some, and one side differs from the other."""
    blocks = mesh.data.shape_keys.key_blocks
    for old, pair in zip(OLD, pairs, strict=True):
        for side, new, value in zip("LR", pair, (0.2, 0.7), strict=True):
            block = blocks[f"{old}.{side}"]
            block.name = new
            if old != "blink":
                for frame in (1, 50 + 100 * value):
                    block.value = value * frame / 150.0
                    block.keyframe_insert("value", frame=frame)


@pytest.mark.parametrize("pairs", PAIRS, ids=[pairs[0][0] for pairs in PAIRS])
def test_shape_keys_swap_sides_and_back(pairs):
    armature, mesh = talking_mannequin(every=10)
    rename(mesh, pairs)
    activate(mesh)
    before = all_keys(armature.animation_data.action), all_keys(shape_action(mesh))
    sides = [[shape_values(mesh, name, AT) for name in pair] for pair in pairs]
    assert all(left != right for left, right in sides)
    middle = shape_values(mesh, "smile", AT)
    assert bpy.ops.motion_editing.mirror_motion() == {"FINISHED"}
    assert [[shape_values(mesh, name, AT) for name in pair[::-1]] for pair in pairs] == sides
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
