"""A rig with a motion embedded in its pose tree."""

import rigs
from motion_editing.motion_editing_addon.pose_tree import model
from tree_rigs import OPERATORS

FRAMES = 40


def rig_with_path(**options):
    """An armature with an embedded motion of random keys, and its matrices at every frame."""
    armature = rigs.chain_armature(4, connected=False)
    armature.pose.bones[2].rotation_mode = "ZXY"
    action = rigs.key_bones(armature, [1, 9, 20, 31, FRAMES])
    played = {frame: rigs.evaluated_matrices(armature, frame) for frame in range(1, FRAMES + 1)}
    OPERATORS.add_pose_tree(live=False)
    assert OPERATORS.embed_action(action=action.name, **options) == {"FINISHED"}
    return armature, played


def path_of(armature, number=0):
    return model.active_node(armature).paths[number]
