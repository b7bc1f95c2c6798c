"""Layers: a pose keyed in one, merged or taken away again."""

from __future__ import annotations

from dataclasses import replace

import bpy

from ..laws import Request
from ..recording import Recording
from .staggered import turn_bone
from .subject import Plan, Subject, operator


def key_layer(subject: Subject) -> Plan:
    """Turn the upper arm in a layer; removing the layer gives every key back."""
    angle, reach = subject.uniform(15.0, 60.0), subject.uniform(0.2, 0.6)
    bone, frame = subject.arm()[0], subject.frame(0.5)

    def run() -> None:
        subject.select([bone])
        bpy.context.scene.frame_set(frame)
        bpy.ops.motion_editing.add_layer(reach=reach)
        turn_bone(subject, bone, angle)
        bpy.ops.motion_editing.key_layer()

    def request(before: Recording) -> Request:
        return Request(
            angle=2.0 * angle,
            falloff=max(reach * before.rate, 1.0),
            grabbed=subject.figure_arm(),
            scope=frozenset({bone}),
        )

    parameters = {"bone": bone, "angle": angle, "reach": reach, "frame": frame}
    return Plan(parameters, run, request, back=operator("remove_layer"), is_exact=True)


def retime_layer(subject: Subject) -> Plan:
    """A layer, begun later."""
    plan, offset = key_layer(subject), int(subject.random.integers(3, 8))
    key = plan.run

    def run() -> None:
        key()
        bpy.ops.motion_editing.retime_layer(offset=offset)

    plan.run, plan.parameters["offset"] = run, offset
    return plan


def mirror_layer(subject: Subject) -> Plan | None:
    """A layer, on the other side."""
    if not subject.figure.arms:
        return None
    plan = key_layer(subject)
    key, request = plan.run, plan.request
    both = {*subject.arm("left")[:1], *subject.arm("right")[:1]}

    def run() -> None:
        key()
        bpy.ops.motion_editing.mirror_layer()

    def both_arms(before: Recording) -> Request:
        grabbed = subject.figure_arm("left") | subject.figure_arm("right")
        return replace(request(before), scope=frozenset(both), grabbed=grabbed)

    plan.run, plan.request = run, both_arms
    return plan


TOOLS = (key_layer, retime_layer, mirror_layer)
