"""Which operators need more than the sample motion when a script calls them, and calling them."""

from __future__ import annotations

import json
from typing import NamedTuple

import bpy
from batch_scenes import BY_HAND, open_scene


class Call(NamedTuple):
    """An operator with properties, and what has to be done before; `by_hand` does what is no operator of ours."""

    before: tuple[tuple[str, dict], ...] = ()
    properties: dict | None = None
    by_hand: str = ""


POSES = (("extract_poses", {"share": 0.5}),)
WINDOW = (("find_similar", {"start": 20.0, "end": 32.0, "tick_up_to": 0.3, "show_up_to": 0.5}),)
WINDOW_EDITED = (*WINDOW, ("exaggerate_motion", {"amount": 1.2, "range": "PREVIEW"}))
ARM_PAINTED = (*WINDOW, ("paint_bones", {"bone": "upper_arm.L"}))
HAND_PAINTED = (*WINDOW, ("paint_bones", {"bone": "hand.L"}))
LAYER = (("add_layer", {"name": "Top"}),)
LAYERS = (("add_layer", {"name": "Low"}), ("add_layer", {"name": "Top"}))
LAYER_OPEN = (*LAYER, ("edit_layer", {"layer": "Top"}))
LAYER_KEYED = (*LAYER, ("key_layer", {"layer": "Top", "frame": 20.0}))
TREE = (("add_pose_tree", {"name": "Body", "live": False}),)
TREE_POSED = (
    *TREE,
    *(("add_action_pose", {"node": "Body", "action": "Sample", "frame": f}) for f in (5.0, 40.0, 80.0)),
)
TREE_NAMED = (*TREE_POSED, ("add_tree_pose", {"node": "Body", "name": "Here"}))
TREE_CHILD = (*TREE_POSED, ("add_tree_node", {"name": "Child", "parent": "Body"}))
TREE_PATH = (*TREE_POSED, ("embed_action", {"node": "Body", "action": "Sample", "count": 8}))
TREE_BRANCH = (*TREE_PATH, ("pick_path_pose", {"node": "Body", "frame": 60}))
FLAWED = (("find_flaws", {"threshold": 0.5, "tolerance": 0.0}),)
CONSTRAINT = (("add_constraint", {"bone": "hand.L", "start": 20.0, "end": 24.0}),)
MARKED = (("mark_contact", {"bone": "foot.L", "duration": 5.0}),)
KEYTIME = (("add_keytime", {"frame": 60.0}),)
EDITED = (("smooth", {}),)
RETARGETED = (("retarget_motion", {"source": "Sample.001"}),)

# A hand that was turned, as Edit Pose keeps it.
_REST = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
POSED = json.dumps({"version": 1, "bones": ["hand.L"], "shown": [[_REST], []], "posed": [[[0.8, 0.6, *_REST[2:]]], []]})

# Operators that need more than the sample motion; all others are called as they are.
CALLS = {
    "bake_stack": Call(EDITED),
    "move_edit": Call((*EDITED, *EDITED)),
    "remove_edit": Call(EDITED),
    "reopen_edit": Call(EDITED),
    "update_source": Call(RETARGETED, {}, "second figure"),
    "change_staggered_pose": Call(POSES, {"pose": 2, "change": POSED}),
    "follow_timing": Call((), {"time_map": "[[[1.0, 50.0], [1.0, 80.0]]]"}),
    "set_layers": Call((), {"layers": '{"version": 1, "rate": 15.0, "layers": {"count": 0}}'}),
    "add_action_pose": Call(TREE, {"node": "Body", "action": "Sample", "frame": 10.0}),
    "add_constraint": Call((), {"bone": "hand.L", "start": 20.0, "end": 24.0}),
    "add_keytime": Call((), {"frame": 60.0}),
    "add_tree_node": Call(TREE, {"name": "Child", "parent": "Body"}),
    "add_tree_pose": Call(TREE, {"node": "Body"}),
    "align_windows": Call(WINDOW),
    "append_transition": Call((), {"action": "Other"}, "other action"),
    "apply_layer_edit": Call(LAYER_OPEN),
    "apply_staggered_pose": Call((*POSES, ("edit_staggered_pose", {"pose": 2}))),
    "apply_time_map": Call((("warp_time", {"keep_as": "Mine"}),), {"map_name": "Mine"}, "second figure"),
    "arrange_tree_node": Call(TREE_PATH, {"node": "Body"}),
    "bake_pose_tree": Call(TREE_POSED, {"use_scene": False, "first": 1, "last": 20}),
    "blend_action": Call((), {"action": "Other"}, "other action"),
    "conform_rate": Call((), {"rate": 24.0}),
    "split_clip": Call((), {"by": "FRAME", "frame": 60.0}),
    "synchronize": Call((), {"reference_action": "Other"}, "other action"),
    "blend_tree_branches": Call(
        (*TREE_BRANCH, ("make_tree_branch", {"node": "Body"})),
        {"node": "Body", "path": "Sample", "other": "Sample Branch"},
    ),
    "bridge_gap": Call((), {"range": "PREVIEW"}, "preview range"),
    "cancel_layer_edit": Call(LAYER_OPEN),
    "cancel_staggered_pose": Call((*POSES, ("edit_staggered_pose", {"pose": 2}))),
    "clear_mapping": Call(RETARGETED, {}, "second figure"),
    "clear_role": Call((), {"role": "left arm"}),
    "cluster_tree_node": Call(TREE_POSED, {"node": "Body", "count": 2}),
    "compare_original": Call(EDITED),
    "copy_layer": Call(LAYER_KEYED, {"layer": "Top", "target": "Sample.001"}, "second figure"),
    "copy_stagger": Call(POSES, {"pose": 1, "mirror": True}),
    "cull_poses": Call(POSES),
    "delete_staggered_pose": Call(POSES, {"pose": 2}),
    "detail_strength": Call(POSES, {"all_poses": True}),
    "drag_joint": Call((), {"bone": "hand.L", "move": (0.1, 0.0, 0.0)}),
    "duplicate_layer": Call(LAYER, {"layer": "Top"}),
    "ease_pose": Call(POSES, {"pose": 2}),
    "edit_layer": Call(LAYER, {"layer": "Top"}),
    "edit_staggered_pose": Call(POSES, {"pose": 2}),
    "embed_action": Call(TREE_POSED, {"node": "Body", "action": "Sample", "count": 8}),
    "end_suggesting": Call((*TREE_POSED, ("suggest_tree_place", {"node": "Body"}))),
    "exaggerate_pose": Call(POSES, {"pose": 2, "weight": 1.2}),
    "find_collisions": Call((), {}, "second character"),
    "find_similar": Call((), {"start": 20.0, "end": 32.0}),
    "follow_curve": Call((), {"curve": "Path"}, "curve"),
    "follow_tree_path": Call(TREE_PATH, {"node": "Body"}),
    "go_to_tree_pose": Call(TREE_NAMED, {"node": "Body", "target": "Here"}),
    "insert_staggered_pose": Call(POSES),
    "join_contacts": Call((("find_contacts", {}),), {"contact": 0}),
    "jump_to_constraint": Call(CONSTRAINT),
    "key_layer": Call(LAYER, {"layer": "Top", "frame": 20.0}),
    "key_layer_influence": Call(LAYER, {"layer": "Top", "frame": 20.0, "value": 0.5}),
    "key_layer_neutral": Call(LAYER, {"layer": "Top", "frame": 20.0}),
    "key_tree_cursor": Call(TREE_POSED, {"node": "Body"}),
    "keys_to_layer": Call(LAYER, {"layer": "Top"}),
    "keytimes_from_events": Call((), {"source": "Sample.001"}, "second figure"),
    "layer_scope": Call(LAYER, {"layer": "Top"}),
    "leave_tree_path": Call((*TREE_PATH, ("follow_tree_path", {"node": "Body"})), {"node": "Body"}),
    "limit_layer": Call(LAYER, {"layer": "Top"}, "selected bones"),
    "limit_tree_node": Call(TREE_POSED, {"node": "Body", "what": "NAMED", "names": "hand.L, hand.R"}),
    "live_pose_tree": Call(TREE_POSED, {"state": "OFF"}),
    "make_action_local": Call((), {}, "linked action"),
    "make_tree_branch": Call(TREE_BRANCH, {"node": "Body"}),
    "mark_contact": Call((), {"bone": "foot.L"}),
    "merge_all_layers": Call(LAYERS, {"layer": "Top"}),
    "merge_layer": Call(LAYERS, {"layer": "Top"}),
    "mirror_mapping": Call(RETARGETED, {}, "second figure"),
    "mirror_layer": Call(LAYER_KEYED, {"layer": "Top"}),
    "move_layer": Call(LAYERS, {"layer": "Top", "direction": "DOWN"}),
    "move_pose": Call(WINDOW, {"frame": 26.0, "to_frame": 28.0}),
    "paint_bones": Call((), {"bone": "hand.L"}),
    "pick_path_pose": Call(TREE_PATH, {"node": "Body", "frame": 60}),
    "pin_pose": Call(POSES, {"pose": 2}),
    "propose_mapping": Call(RETARGETED, {}, "second figure"),
    "propagate_edit": Call(WINDOW_EDITED, {}, "preview range"),
    "random_stagger": Call(POSES, {"pose": 2}),
    "rebuild_layers": Call(LAYER, {"layer": "Top"}),
    "rebuild_poses": Call(POSES),
    "remember_window": Call(WINDOW),
    "remove_constraint": Call(CONSTRAINT),
    "remove_contact": Call((("find_contacts", {}),), {"contact": 0}),
    "remove_keytime": Call(KEYTIME, {"keytime": 1}),
    "remove_layer": Call(LAYER, {"layer": "Top"}),
    "remove_pose_tree": Call(TREE),
    "remove_poses": Call(POSES),
    "remove_tree_node": Call(TREE_CHILD, {"node": "Child"}),
    "remove_tree_path": Call(TREE_PATH, {"node": "Body"}),
    "rename_tree_node": Call(TREE, {"node": "Body", "name": "Whole"}),
    "repair_flaws": Call(FLAWED, {}, "spike"),
    "repair_pose_tree": Call(TREE_POSED),
    "replace_tree_pose": Call(TREE_NAMED, {"node": "Body", "target": "Here"}),
    "restagger": Call((*POSES, ("unstagger", {"all_poses": True})), {"all_poses": True}),
    "restore_original": Call(EDITED),
    "retarget_motion": Call((), {"source": "Sample.001"}, "second figure"),
    "retime_layer": Call(LAYER_KEYED, {"layer": "Top", "offset": 2}),
    "retime_pose": Call(POSES, {"pose": 2, "frame": 40.0}),
    "scale_stagger": Call(POSES, {"pose": 2}),
    "set_pair": Call(RETARGETED, {"bone": "head", "source_bone": "neck"}, "second figure"),
    "set_role": Call((), {"role": "head", "bones": "head"}),
    "set_stiffness": Call((), {"bone": "hand.L"}),
    "set_tangents": Call(POSES, {"pose": 2}),
    "set_tree_parent": Call(TREE_CHILD, {"node": "Child", "parent": "Body"}),
    "show_pose": Call(POSES),
    "snap_to_beats": Call((), {}, "sound"),
    "solve_constraints": Call(CONSTRAINT),
    "split_contact": Call(MARKED, {"contact": 0, "frame": 60.0}),
    "stretch_windows": Call(WINDOW),
    "succession": Call(POSES, {"pose": 2, "bone": "upper_arm.L"}),
    "suggest_tree_place": Call(TREE_POSED, {"node": "Body"}),
    "switch_limbs": Call((), {}, "control rig"),
    "tick_window": Call(WINDOW, {"window": 0}),
    "transfer_coordination": Call(ARM_PAINTED),
    "transfer_mean": Call(ARM_PAINTED),
    "transfer_trajectory": Call(HAND_PAINTED),
    "transfer_variance": Call(ARM_PAINTED),
    "unkey_layer": Call(
        (*LAYER_KEYED, ("key_layer", {"layer": "Top", "frame": 60.0})), {"layer": "Top", "frame": 20.0}
    ),
    "unstagger": Call(POSES, {"all_poses": True}),
}
# What belongs to a window and says so; each with the reason that a script gets.
ONLY_WITH_A_WINDOW = {
    "compare_hold": "The key is held in a window",
    "close_equalizer": "The equalizer is not open",
    "reset_equalizer": "The equalizer is not open",
}
WITH_FILES = ("bring_in_motion", "import_bvh", "export_bvh", "save_mapping", "load_mapping")
WITH_FILES += ("save_recipe", "run_recipe")


def call(name: str, properties: dict | None = None) -> set[str]:
    return getattr(bpy.ops.motion_editing, name)("EXEC_DEFAULT", **(properties or {}))


def operators() -> list[str]:
    """All of them but gestures of the mouse, whatever packages there are."""
    names = dir(bpy.ops.motion_editing)
    return sorted(name for name in names if not name.startswith("strip_") or own_properties(name))


def working_operators() -> list[str]:
    """Those that do something without a window and without files."""
    return [name for name in operators() if name not in (*ONLY_WITH_A_WINDOW, *WITH_FILES)]


def own_properties(name: str) -> set[str]:
    properties = getattr(bpy.ops.motion_editing, name).get_rna_type().properties
    return {each.identifier for each in properties} - {"rna_type"}


def prepare(name: str) -> None:
    """A scene in which an operator has all that it needs."""
    open_scene()
    wanted = CALLS.get(name, Call())
    if wanted.by_hand:
        BY_HAND[wanted.by_hand]()
    for earlier, properties in wanted.before:
        call(earlier, properties)


def do(name: str) -> set[str]:
    """Call an operator as the table says."""
    return call(name, CALLS.get(name, Call()).properties)
