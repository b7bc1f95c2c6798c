"""A motion embedded in a pose tree, one of its poses changed, and the branch baked."""

from __future__ import annotations

import bpy

from ..laws import Request
from ..recording import Recording
from .staggered import turn_bone
from .subject import Plan, Subject


def tree_branch(subject: Subject) -> Plan | None:
    """Embed the motion, turn an arm in one pose of it, make a branch, follow and bake it."""
    if subject.length < 40:
        return None
    angle, margin = subject.uniform(15.0, 40.0), 12
    bone, frame = subject.arm()[0], subject.frame(0.5) - subject.ends[0]

    def run() -> None:
        tools = bpy.ops.motion_editing
        subject.select(None)
        tools.add_pose_tree(live=False)
        tools.embed_action(action=subject.armature.animation_data.action.name)
        tools.pick_path_pose(frame=frame)
        tools.live_pose_tree(state="ON")
        target = next(thing.name for thing in bpy.data.objects if thing.motion_editing_control.kind == "TARGET")
        tools.go_to_tree_pose(target=target)
        turn_bone(subject, bone, angle)
        bpy.context.view_layer.update()
        tools.replace_tree_pose(target=target)
        tools.make_tree_branch(margin=margin)
        tools.follow_tree_path(use_current=False, first_frame=subject.ends[0])
        tools.bake_pose_tree()

    def request(_before: Recording) -> Request:
        return Request(angle=2.0 * angle, falloff=margin, grabbed=subject.figure_arm(), pace=1.2)

    return Plan({"bone": bone, "angle": angle, "frame": frame}, run, request)


TOOLS = (tree_branch,)
