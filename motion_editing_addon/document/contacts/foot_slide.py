"""Foot sliding as every report tells it: in the contacts of an action, on the figure that is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.analysis.contacts import ContactSpans
from ....core.solve.contact_lock import largest_slide

if TYPE_CHECKING:
    from bpy.types import Object

    from ....core.body import Body
    from ....core.motion import Motion, Skeleton

# Part of the figure's size within which a control and the bone that it places begin at the same place at rest.
_SAME_PLACE = 1e-3


def slide_of(
    armature: Object, motion: Motion, contacts: ContactSpans, body: Body | None, positions: np.ndarray | None = None
) -> float | None:
    """How far the contact slides that slides furthest, in units of the scene; None if nothing is in contact.

    Args:
        contacts: In the motion's times.
        body: Its up axis is used.
        positions: (F, J, 3) sampled places of the joints of a control rig: there the bones that move the skin count,
            and not the controls that they may fail to follow.
    """
    if positions is not None:
        contacts = _seen(armature, motion.skeleton, contacts)
    return largest_slide(motion, contacts, body=body, positions=positions)


def _seen(armature: Object, skeleton: Skeleton, contacts: ContactSpans) -> ContactSpans:
    """Contacts of controls as those of the bones that are seen to be placed by them."""
    bones = armature.data.bones
    shown = [joint for joint, name in enumerate(skeleton.names) if name in bones and bones[name].use_deform]
    seen = {name: _bone_at(name, shown, skeleton) for name in contacts.joints}
    return ContactSpans({seen[name]: contacts.of(name) for name in contacts.joints})


def _bone_at(name: str, shown: list[int], skeleton: Skeleton) -> str:
    """The bone that moves the skin and begins where a control does; the control itself if there is none."""
    joint = skeleton.index[name]
    if joint in shown or not shown:
        return name
    away = np.linalg.norm(skeleton.rest_positions[shown] - skeleton.rest_positions[joint], axis=1)
    nearest = int(np.argmin(away))
    size = float(np.ptp(skeleton.rest_positions, axis=0).max())
    return skeleton.names[shown[nearest]] if away[nearest] <= _SAME_PLACE * size else name
