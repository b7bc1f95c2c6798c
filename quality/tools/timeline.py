"""Edit one, change all."""

from __future__ import annotations

import re

import bpy
import numpy as np

from .. import events
from ..laws import Request
from ..recording import Recording
from .staggered import turn_bone
from .subject import Plan, Subject, neighbourhood

# Seconds over which a turn is made at least: a quarter of the shortest repetition.
_SLOW_TURN = 0.1


def _window(subject: Subject) -> tuple[int, int] | None:
    """One of several like repetitions."""
    found = events.repetition(subject.before)
    return None if found is None else (int(subject.before.frames[found[0]]), int(subject.before.frames[found[1]]))


def _with_windows(subject: Subject, run, request, parameters: dict, bones: list[str] | None = None) -> Plan | None:
    window = _window(subject)
    if window is None:
        return None

    def prepare() -> None:
        subject.select(bones)
        bpy.ops.motion_editing.find_similar(start=window[0], end=window[1])

    return Plan({**parameters, "window": window}, lambda: run(window), request, prepare)


def stretch_windows(subject: Subject) -> Plan | None:
    """Stretch Windows."""
    factor = subject.uniform(0.8, 1.3)
    plan = _with_windows(
        subject,
        lambda _window: bpy.ops.motion_editing.stretch_windows(factor=factor),
        lambda _before: Request(moves_time=True, keeps_contacts=True),
        {"factor": factor},
    )
    if plan:
        plan.needs_clock = True
    return plan


def move_pose(subject: Subject) -> Plan | None:
    """Move Pose inside the window and in all like it."""
    share = subject.pick(-0.15, 0.15)

    def run(window: tuple[int, int]) -> None:
        middle = round(sum(window) / 2)
        bpy.ops.motion_editing.move_pose(frame=middle, to_frame=round(middle + share * (window[1] - window[0])))

    plan = _with_windows(subject, run, lambda _before: Request(moves_time=True, keeps_contacts=True), {"share": share})
    if plan:
        plan.needs_clock = True
    return plan


def propagate_edit(subject: Subject) -> Plan | None:
    """Turn a bone in the window with keys of Blender's own, and Propagate Edit."""
    angle, bone = subject.uniform(10.0, 30.0), subject.arm()[0]

    def run(window: tuple[int, int]) -> None:
        middle, quarter = round(sum(window) / 2), (window[1] - window[0]) // 4
        frames = [middle] if subject.is_sparse else range(middle - quarter, middle + quarter + 1)
        for frame in frames:
            share = 0.5 + 0.5 * np.cos(np.pi * (frame - middle) / max(quarter, 1))
            _key_turned(subject, bone, angle * share, frame)
        bpy.ops.motion_editing.propagate_edit()

    def request(before: Recording) -> Request:
        return Request(
            angle=2.0 * angle, falloff=_SLOW_TURN * before.rate, grabbed=subject.figure_arm(), scope=frozenset({bone})
        )

    return _with_windows(subject, run, request, {"bone": bone, "angle": angle})


def _key_turned(subject: Subject, name: str, angle: float, frame: int) -> None:
    """Turn a bone at a frame and key it."""
    bpy.context.scene.frame_set(frame)
    turn_bone(subject, name, angle)
    bone = subject.armature.pose.bones[name]
    path = "rotation_quaternion" if bone.rotation_mode == "QUATERNION" else "rotation_euler"
    bone.keyframe_insert(path, frame=frame)


def _transfer(subject: Subject, name: str, painted: list[str] | None = None) -> Plan | None:
    """Hand a feature of the first window over to the others, for an arm."""
    arm = subject.arm()

    def prepare_run(_window: tuple[int, int]) -> None:
        subject.select(painted or arm)
        bpy.ops.motion_editing.paint_bones(how="SET")
        getattr(bpy.ops.motion_editing, name)()

    def request(before: Recording) -> Request:
        near = neighbourhood(before, 1.0)
        return Request(pace=1.5, gain=1.5, bound=1.5 * near + 0.1, scope=frozenset(arm), grabbed=subject.figure_arm())

    return _with_windows(subject, prepare_run, request, {"bones": arm}, arm)


def transfer_mean(subject: Subject) -> Plan | None:
    """Transfer Mean Rotation."""
    return _transfer(subject, "transfer_mean")


def transfer_variance(subject: Subject) -> Plan | None:
    """Transfer Rotation Variance."""
    return _transfer(subject, "transfer_variance")


def transfer_trajectory(subject: Subject) -> Plan | None:
    """Transfer Trajectory, of a hand alone."""
    hands = [bone for bone in subject.arm() if re.search("[hH]and", bone)]
    return _transfer(subject, "transfer_trajectory", hands[:1]) if hands else None


def transfer_coordination(subject: Subject) -> Plan | None:
    """Transfer Coordination."""
    return _transfer(subject, "transfer_coordination")


def align_windows(subject: Subject) -> Plan | None:
    """Align Windows."""
    plan = _with_windows(
        subject,
        lambda _window: bpy.ops.motion_editing.align_windows(),
        lambda _before: Request(moves_time=True, keeps_contacts=True),
        {},
    )
    if plan:
        plan.needs_clock = True
    return plan


TOOLS = (
    stretch_windows,
    move_pose,
    align_windows,
    propagate_edit,
    transfer_mean,
    transfer_variance,
    transfer_trajectory,
    transfer_coordination,
)
