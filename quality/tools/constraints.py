"""Joints dragged to a place, and constraints solved."""

from __future__ import annotations

import bpy
import numpy as np

from ..laws import Case, Request
from ..recording import Recording
from .subject import Plan, Subject

# A limb stretched to at least this share of its length cannot be asked for more.
_REACH = 0.97


def _handles(subject: Subject) -> dict[str, str]:
    """What can be grabbed: the figure's bone, and the bone of the rig that an animator would take for it."""
    figure = subject.figure
    found = {arm[-1]: arm[-1] for arm in figure.arms} | {leg[2]: leg[2] for leg in figure.legs}
    found |= {figure.head: figure.head, figure.pelvis: figure.pelvis}
    if subject.is_control_rig:
        found = {name: control for name in found if (control := _control(subject, name))}
    return found


def _control(subject: Subject, name: str) -> str:
    """The keyed control that moves a bone of the figure: the one whose head is at the same place."""
    bones = subject.armature.data.bones
    head = bones[name].head_local
    near = [key for key in subject.keyed_bones if (bones[key].head_local - head).length < 0.01 * subject.before.height]
    return min(near, key=lambda key: ("ik" not in key, "fk" not in key, len(key)), default="")


def _drag(subject: Subject, run_of) -> Plan | None:
    handles = _handles(subject)
    if not handles:
        return None
    grabbed = subject.pick(*sorted(handles))
    frame = subject.frame(subject.uniform(0.3, 0.7))
    direction = subject.random.normal(size=3)
    size = subject.uniform(0.03, 0.2) * subject.before.height
    move = [float(f"{value:.3g}") for value in direction / np.linalg.norm(direction) * size]
    spacing = 10

    def request(before: Recording) -> Request:
        return Request(
            distance=float(np.linalg.norm(move)),
            angle=np.degrees(np.linalg.norm(move) / (0.15 * before.height)),
            falloff=spacing,
            grabbed=frozenset({grabbed}),
            keeps_contacts=True,
        )

    def met(case: Case) -> float:
        row = int(np.abs(case.before.frames - frame).argmin())
        reached = case.after.of(grabbed)[row] - case.before.of(grabbed)[row]
        share = 1.0 - np.linalg.norm(reached - move) / np.linalg.norm(move)
        return float(np.clip(share, 0.0, 1.0)) if _is_reachable(case.before, grabbed, row, np.array(move)) else 1.0

    subject.select(None)
    parameters = {"bone": handles[grabbed], "frame": frame, "move": move}
    return Plan(parameters, run_of(handles[grabbed], frame, move), request, met=met)


def _is_reachable(before: Recording, grabbed: str, row: int, move: np.ndarray) -> bool:
    """Whether the limb alone gets there from where its top is; of heads and hips only what is small is sure."""
    limb = next((limb for limb in (*before.figure.arms, *before.figure.legs) if grabbed in limb[2:]), None)
    if limb is None:
        return bool(np.linalg.norm(move) < 0.03 * before.height and move[2] <= 0.0)
    top, middle, end = (before.of(bone)[row] for bone in limb[:3])
    length = np.linalg.norm(middle - top) + np.linalg.norm(end - middle)
    return bool(0.3 * length < np.linalg.norm(end + move - top) < _REACH * length)


def drag_joint(subject: Subject) -> Plan | None:
    """Drag Bone with default settings."""

    def run_of(bone: str, frame: int, move: list[float]):
        return lambda: bpy.ops.motion_editing.drag_joint(bone=bone, frame=frame, move=move)

    return _drag(subject, run_of)


def solve_constraints(subject: Subject) -> Plan | None:
    """A position for a bone at a frame, and Solve Constraints."""

    def run_of(bone: str, frame: int, move: list[float]):
        def run() -> None:
            bpy.context.scene.frame_set(frame)
            bpy.ops.motion_editing.add_constraint(kind="POSITION", bone=bone, start=frame, end=frame)
            item = _listed(subject)[-1]
            item.point = [at + by for at, by in zip(item.point, move, strict=True)]
            bpy.ops.motion_editing.solve_constraints(keep_contacts=True)

        return run

    return _drag(subject, run_of)


def _listed(subject: Subject):
    action = subject.armature.animation_data.action
    return action.motion_editing_constraints.listed


TOOLS = (drag_joint, solve_constraints)
