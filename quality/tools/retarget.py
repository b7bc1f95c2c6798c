"""The motion put on a skinned character of another size."""

from __future__ import annotations

import bpy

from ..laws import Request
from ..scenes import characters
from .subject import Plan, Subject, has_contacts

CHARACTERS = ("human-male", "human-female")


def retarget(subject: Subject) -> Plan | None:
    """Retarget Motion to a skinned person, with defaults."""
    folder = characters.folder()
    if folder is None or not subject.figure.walks_upright:
        return None
    name, size = subject.pick(*CHARACTERS), subject.uniform(0.6, 1.3)
    target = characters.append(folder / f"{name}.glb", size)

    def run() -> None:
        bpy.context.view_layer.objects.active = target
        bpy.ops.motion_editing.retarget_motion(source=subject.armature.name, target=target.name)

    keeps = has_contacts(subject)
    return Plan(
        {"character": name, "size": size},
        run,
        lambda _before: Request(pace=1.5, keeps_contacts=keeps),
        result=lambda: target,
    )


TOOLS = (retarget,)
