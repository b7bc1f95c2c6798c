"""Every tool that edits motion, with what it needs on a walk of five steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import bpy
from batch_calls import call
from batch_scenes import sound
from mathutils import Quaternion
from motion_editing.motion_editing_addon.border import action_io
from walking_rigs import WalkingRig

# Bones in the calls that each kind of rig has by another name.
HAND, FOOT, ARM, ABOVE = "<hand>", "<foot>", "<arm>", "<above>"
PREVIEW = (9, 33)
# Properties that are frames of the scene.
FRAMES = ("frame", "to_frame", "start", "end")
STRIP_SHIFT = 100
PART = {"range": "PREVIEW"}


class ToolCall(NamedTuple):
    """What a tool needs.

    Attributes:
        properties: Those without which it does nothing here, or of a range; all others have their defaults.
        before: What comes first: operators with their properties, or what an animator does by hand.
    """

    properties: dict = {}
    before: tuple[tuple[str, dict] | Callable[[WalkingRig], None], ...] = ()


def move_control(rig: WalkingRig) -> None:
    """Move what has keys, as in pose mode."""
    bone = bpy.context.object.pose.bones[rig.arm]
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = bone.rotation_quaternion @ Quaternion((1.0, 0.5, 0.3), 0.3)


def flip_quaternion(rig: WalkingRig) -> None:
    """Write one rotation with the other sign."""
    for curve in _turns(rig):
        point = curve.keyframe_points[len(curve.keyframe_points) // 2]
        point.co[1] = -point.co[1]
        curve.update()


def spoil(rig: WalkingRig) -> None:
    """Turn a bone far away for one frame."""
    for index, curve in enumerate(_turns(rig)):
        shown = {frame: curve.evaluate(frame) for frame in (14, 15, 16)}
        for frame, value in shown.items():
            curve.keyframe_points.insert(frame, value + (1.5 if frame == 15 and index == 1 else 0.0))


def change_window(rig: WalkingRig) -> None:
    """Turn a bone in the window."""
    for point in _turns(rig)[1].keyframe_points:
        point.co[1] += 0.3 if 5 < point.co[0] < 13 else 0.0


def select_leg(rig: WalkingRig) -> None:
    """Select a foot in pose mode."""
    armature = bpy.context.object
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        (bone if bpy.app.version >= (5, 0) else bone.bone).select = bone.name == rig.foot


def play_clicks(_rig: WalkingRig) -> None:
    sound()


def _turns(rig: WalkingRig) -> list[bpy.types.FCurve]:
    path = f'pose.bones["{rig.arm}"].rotation_quaternion'
    return [curve for curve in action_io.channelbag(bpy.context.object).fcurves if curve.data_path == path]


POSES = (("extract_poses", {"share": 0.5}),)
WINDOW = (("find_similar", {"start": 5.0, "end": 13.0, "tick_up_to": 1.0, "show_up_to": 1.0}),)
ARM_PAINTED = (*WINDOW, ("paint_bones", {"bone": ARM}))
HAND_PAINTED = (*WINDOW, ("paint_bones", {"bone": HAND}))
EDITED = (*WINDOW, change_window)
LAYER = (("add_layer", {"name": "Top"}), move_control)
LAYER_KEYED = (*LAYER, ("key_layer", {"layer": "Top", "frame": 17.0}))
LAYERS = (("add_layer", {"name": "Low"}), *LAYER_KEYED)
TREE = (
    ("add_pose_tree", {"name": "Body", "live": False}),
    *(("add_action_pose", {"node": "Body", "action": "Walk", "frame": frame}) for frame in (1.0, 9.0, 21.0)),
)
PATH = (*TREE, ("embed_action", {"node": "Body", "action": "Walk", "count": 6}))
PICKED = (*PATH, ("pick_path_pose", {"node": "Body", "frame": 20}))
CONSTRAINT = (("add_constraint", {"bone": HAND, "start": 16.0, "end": 20.0}),)
MARKED = (("mark_contact", {"bone": FOOT, "duration": 6.0}),)

TOOLS = {
    "smooth": ToolCall(PART),
    "low_pass": ToolCall(PART),
    "high_pass": ToolCall(PART),
    "band_pass": ToolCall(PART),
    "equalize": ToolCall({"gains": [1.5] * 10, **PART}),
    "exaggerate_motion": ToolCall({"keep_contacts": True, **PART}),
    "soft_limit": ToolCall({"limit": 0.02, **PART}),
    "compress_range": ToolCall({"threshold": 0.02, **PART}),
    "remove_outliers": ToolCall(PART),
    "repair_flaws": ToolCall(
        {},
        (
            spoil,
            ("find_flaws", {"threshold": 0.5, "tolerance": 0.0}),
        ),
    ),
    "convert_keys": ToolCall(),
    "reduce_keys": ToolCall(),
    "continuous_rotations": ToolCall({}, (flip_quaternion,)),
    "switch_limbs": ToolCall({}, (select_leg,)),
    "lock_feet": ToolCall({}, MARKED),
    "in_place": ToolCall(),
    "change_heading": ToolCall({"angle": 0.5}),
    "follow_curve": ToolCall({"curve": "Path"}),
    "make_loop": ToolCall(),
    "append_transition": ToolCall({"action": "Other"}),
    "blend_action": ToolCall({"action": "Other"}),
    "bridge_gap": ToolCall(PART),
    "mirror_motion": ToolCall(),
    "warp_time": ToolCall(),
    "synchronize": ToolCall({"reference_action": "Other"}),
    "shift_time": ToolCall(),
    "reverse_time": ToolCall(),
    "trim_clip": ToolCall(PART),
    "split_clip": ToolCall({"by": "FRAME", "frame": 21.0}),
    "conform_rate": ToolCall({"rate": 30.0}),
    "apply_staggered_pose": ToolCall({}, (*POSES, ("edit_staggered_pose", {"pose": 2}), move_control)),
    "unstagger": ToolCall({"all_poses": True}, POSES),
    "restagger": ToolCall({"all_poses": True}, (*POSES, ("unstagger", {"all_poses": True}))),
    "scale_stagger": ToolCall({"all_poses": True, "factor": 0.0}, POSES),
    "random_stagger": ToolCall({"all_poses": True}, POSES),
    "succession": ToolCall({"all_poses": True, "bone": ABOVE}, POSES),
    "overlap": ToolCall(),
    "copy_stagger": ToolCall({"pose": 1, "mirror": True}, POSES),
    "retime_pose": ToolCall({"pose": 2, "frame": 20.0}, POSES),
    "exaggerate_pose": ToolCall({"pose": 2, "weight": 1.2}, POSES),
    "ease_pose": ToolCall({"pose": 2}, POSES),
    "set_tangents": ToolCall({"pose": 2}, POSES),
    "detail_strength": ToolCall({"all_poses": True}, POSES),
    "stretch_windows": ToolCall({}, WINDOW),
    "move_pose": ToolCall({"frame": 9.0, "to_frame": 10.0}, WINDOW),
    "align_windows": ToolCall({}, WINDOW),
    "propagate_edit": ToolCall({}, EDITED),
    "transfer_mean": ToolCall({}, ARM_PAINTED),
    "transfer_variance": ToolCall({}, ARM_PAINTED),
    "transfer_trajectory": ToolCall({}, HAND_PAINTED),
    "transfer_coordination": ToolCall({}, ARM_PAINTED),
    "snap_to_beats": ToolCall({}, (*MARKED, play_clicks)),
    "key_layer": ToolCall({"layer": "Top", "frame": 17.0}, LAYER),
    "retime_layer": ToolCall({"layer": "Top", "offset": 2}, LAYER_KEYED),
    "mirror_layer": ToolCall({"layer": "Top"}, LAYER_KEYED),
    "merge_layer": ToolCall({"layer": "Top"}, LAYERS),
    "drag_joint": ToolCall({"bone": HAND, "move": (0.0, 0.0, 0.05)}),
    "solve_constraints": ToolCall({}, CONSTRAINT),
    "make_tree_branch": ToolCall({"node": "Body"}, PICKED),
    "bake_pose_tree": ToolCall({"use_scene": False, "first": 1, "last": 20}, TREE),
    "retarget_motion": ToolCall({"source": "Source"}),
}

# What leaves the keys as they are where nothing differs, or makes actions of its own.
MAY_KEEP_KEYS = (
    "split_clip",
    "make_tree_branch",
    "merge_layer",
    "align_windows",
    "synchronize",
    "transfer_coordination",
)
# What changes nothing outside of the preview range.
LOCAL = tuple(name for name, tool in TOOLS.items() if tool.properties.get("range") and name != "trim_clip")


def prepare(name: str, rig: WalkingRig) -> None:
    """What a tool needs, in an opened scene."""
    scene = bpy.context.scene
    scene.use_preview_range = True
    scene.frame_preview_start, scene.frame_preview_end = (frame + _shift() for frame in PREVIEW)
    for step in TOOLS[name].before:
        if callable(step):
            step(rig)
        else:
            call(step[0], _named(step[1], rig))


def do(name: str, rig: WalkingRig) -> set[str]:
    """Call the tool."""
    return call(name, _named(TOOLS[name].properties, rig))


def _named(properties: dict, rig: WalkingRig) -> dict:
    """Properties with the bones of a rig, and with frames of the scene."""
    bones = {HAND: rig.hand, FOOT: rig.foot, ARM: rig.arm, ABOVE: rig.above}
    named = {key: bones.get(value, value) if isinstance(value, str) else value for key, value in properties.items()}
    return {key: value + _shift() if key in FRAMES else value for key, value in named.items()}


def _shift() -> int:
    """How much later the scene shows the action than its own frames say."""
    return STRIP_SHIFT if bpy.context.object.animation_data.use_tweak_mode else 0
