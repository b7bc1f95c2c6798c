"""Staggered poses: their timing, and the poses themselves."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Quaternion

from ..laws import Request
from ..recording import Recording
from .subject import Plan, Subject, neighbourhood, operator

# How many times as fast a joint may run when a pose is moved half way to its neighbour.
_PACE = 2.0


def _extract(subject: Subject) -> None:
    subject.select(None)
    bpy.ops.motion_editing.extract_poses(share=0.5)


def _poses(subject: Subject) -> list[float]:
    """Frames of the poses that are shown."""
    return [pose.frame for pose in subject.armature.animation_data.action.motion_editing_staggered.poses]


def _middle(subject: Subject) -> int:
    return max(1, len(_poses(subject)) // 2)


def _timing(subject: Subject, name: str, **parameters: object) -> Plan:
    """An edit of timing: every joint shows what it did before, at another time."""
    keeps = subject.chance(0.4)

    def request(before: Recording) -> Request:
        near = neighbourhood(before, 0.75).max(axis=1, keepdims=True)
        return Request(pace=_PACE, bound=1.5 * near + 0.05, keeps_contacts=keeps)

    def prepare() -> None:
        _extract(subject)

    asked = {**parameters, "keep_contacts": keeps}
    return Plan(asked, operator(name, **asked), request, prepare)


def unstagger(subject: Subject) -> Plan:
    """Un-stagger all poses; Re-stagger gives the motion back."""
    plan = _timing(subject, "unstagger", all_poses=True)
    plan.back = operator("restagger", all_poses=True, keep_contacts=plan.parameters["keep_contacts"])
    plan.is_exact = True
    return plan


def restagger(subject: Subject) -> Plan:
    """Re-stagger after Un-stagger: the motion as it was before both."""
    plan = _timing(subject, "restagger", all_poses=True)
    keeps = plan.parameters["keep_contacts"]

    def run() -> None:
        bpy.ops.motion_editing.unstagger(all_poses=True, keep_contacts=keeps)
        bpy.ops.motion_editing.restagger(all_poses=True, keep_contacts=keeps)

    plan.run = run
    plan.request = lambda before: Request(asked=lambda _after: before.places, keeps_contacts=True)
    plan.met = lambda _case: 1.0
    return plan


def copy_stagger(subject: Subject) -> Plan:
    """Copy Stagger of the active pose to all."""
    return _timing(subject, "copy_stagger", mirror=subject.chance(0.3))


def scale_stagger(subject: Subject) -> Plan:
    """Scale Stagger of all poses."""
    return _timing(subject, "scale_stagger", all_poses=True, factor=subject.uniform(0.3, 2.0))


def random_stagger(subject: Subject) -> Plan:
    """Random Stagger of all poses."""
    return _timing(subject, "random_stagger", all_poses=True, reach=subject.uniform(0.02, 0.08), seed=3)


def succession(subject: Subject) -> Plan:
    """Succession down an arm."""
    arm = subject.arm()
    keeps = subject.chance(0.4)
    asked = {"all_poses": True, "offset": subject.uniform(0.02, 0.08), "keep_contacts": keeps}

    def prepare() -> None:
        _extract(subject)
        subject.select(arm)

    def request(before: Recording) -> Request:
        return Request(
            pace=_PACE,
            bound=1.5 * neighbourhood(before, 0.75) + 0.05,
            scope=_with_limb(subject, arm) if keeps else frozenset(arm),
            grabbed=subject.figure_arm(),
        )

    return Plan({**asked, "bones": arm}, operator("succession", **asked), request, prepare)


def _with_limb(subject: Subject, bones: list[str]) -> frozenset[str]:
    """Bones, and what keeping contacts needs where they are part of a leg: all of it, and what carries it."""
    legs = [leg for leg in subject.figure.legs if set(leg) & set(bones)]
    carrying = {up for leg in legs for up in _above(subject, leg[0])}
    return frozenset({*bones, *carrying, *(bone for leg in legs for bone in leg)})


def _above(subject: Subject, bone: str) -> list[str]:
    figure, found = subject.figure, []
    number = figure.index(bone)
    while figure.parents[number] >= 0:
        number = figure.parents[number]
        found.append(figure.bones[number])
    return found


def overlap(subject: Subject) -> Plan:
    """Overlap of an arm."""
    return _in_a_row(subject, "overlap", overlap=subject.uniform(0.03, 0.12))


def _in_a_row(subject: Subject, name: str, **asked: float) -> Plan:
    arm = subject.arm()

    def request(before: Recording) -> Request:
        return Request(
            pace=_PACE,
            bound=1.5 * neighbourhood(before, 0.75) + 0.1,
            scope=_with_limb(subject, arm),
            grabbed=subject.figure_arm(),
        )

    return Plan({**asked, "bones": arm}, operator(name, **asked), request, lambda: subject.select(arm))


def retime_pose(subject: Subject) -> Plan:
    """Retime Pose half way to its neighbour."""
    later = subject.chance()
    plan = _timing(subject, "retime_pose")

    def run() -> object:
        frames, pose = _poses(subject), _middle(subject)
        other = min(pose + 1, len(frames) - 1) if later else pose - 1
        frame = 0.5 * (frames[pose] + frames[other])
        keeps = plan.parameters["keep_contacts"]
        return bpy.ops.motion_editing.retime_pose(pose=pose, frame=frame, keep_contacts=keeps)

    plan.run = run
    plan.needs_clock = True  # the pose goes to another time, and all that stood there with it
    plan.parameters["to"] = "half way to the next" if later else "half way to the one before"
    return plan


def exaggerate_pose(subject: Subject) -> Plan:
    """Exaggerate Pose."""
    weight = subject.uniform(0.1, 0.5)
    keeps = subject.chance()
    asked = {"weight": weight, "keep_contacts": keeps, "all_poses": subject.chance()}
    return Plan(
        asked,
        lambda: bpy.ops.motion_editing.exaggerate_pose(pose=_middle(subject), **asked),
        lambda _before: Request(gain=1.0 + weight, pace=1.5, keeps_contacts=keeps),
        lambda: _extract(subject),
    )


def ease_pose(subject: Subject) -> Plan:
    """Ease Pose."""
    asked = {"arriving": subject.uniform(0.2, 0.9), "leaving": subject.uniform(0.2, 0.9)}
    return Plan(
        asked,
        lambda: bpy.ops.motion_editing.ease_pose(pose=_middle(subject), **asked),
        lambda _before: Request(pace=_PACE),
        lambda: _extract(subject),
    )


def set_tangents(subject: Subject) -> Plan:
    """Set Tangents."""
    asked = {"shape": subject.pick("AUTO", "STRAIGHT", "FLAT")}
    return Plan(
        asked,
        lambda: bpy.ops.motion_editing.set_tangents(pose=_middle(subject), **asked),
        lambda _before: Request(pace=_PACE),
        lambda: _extract(subject),
    )


def detail_strength(subject: Subject) -> Plan:
    """Detail Strength."""
    asked = {"strength": subject.uniform(0.0, 1.5), "all_poses": True}
    return Plan(
        asked,
        operator("detail_strength", **asked),
        lambda _before: Request(pace=1.5, gain=1.5),
        lambda: _extract(subject),
    )


def edit_pose(subject: Subject) -> Plan:
    """Edit Extreme: turn the upper arm in one pose, and apply."""
    angle = subject.uniform(15.0, 40.0)
    bone = subject.arm()[0]

    def run() -> None:
        pose = _middle(subject)
        bpy.ops.motion_editing.edit_staggered_pose(kind="EXTREME", pose=pose)
        turn_bone(subject, bone, angle)
        bpy.ops.motion_editing.apply_staggered_pose()

    def request(before: Recording) -> Request:
        frames, pose = _poses(subject), _middle(subject)
        gap = min(np.diff(frames)[max(pose - 1, 0) : pose + 1], default=1.0)
        return Request(angle=2.0 * angle, falloff=max(gap, 1.0), grabbed=subject.figure_arm(), scope=frozenset({bone}))

    return Plan({"bone": bone, "angle": angle}, run, request, lambda: _extract(subject))


def turn_bone(subject: Subject, name: str, angle: float) -> None:
    """Turn a bone about its own x axis, as R X X does."""
    bone = subject.armature.pose.bones[name]
    turn = Quaternion((1.0, 0.0, 0.0), np.radians(angle))
    if bone.rotation_mode == "QUATERNION":
        bone.rotation_quaternion = bone.rotation_quaternion @ turn
    elif bone.rotation_mode != "AXIS_ANGLE":
        bone.rotation_euler = (bone.rotation_euler.to_quaternion() @ turn).to_euler(
            bone.rotation_mode, bone.rotation_euler
        )


TOOLS = (
    unstagger,
    restagger,
    copy_stagger,
    scale_stagger,
    random_stagger,
    succession,
    retime_pose,
    exaggerate_pose,
    ease_pose,
    set_tangents,
    detail_strength,
    edit_pose,
    overlap,
)
