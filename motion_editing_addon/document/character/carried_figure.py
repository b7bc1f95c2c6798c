"""Whether the whole figure of a control rig follows what carries it: tried on the rig, which is then as before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....core.errors import MotionEditError
from ....core.motion import GroundMove, carriers_of
from ...border.action_io.channel_values import rotation_values
from ...border.armature import rotation_property, why_bones_move
from ...border.lengths import length_text
from ...border.rigs.rig_followers import Following
from ..scene.shown_frame import shown_at
from .carriers import rig_states

if TYPE_CHECKING:
    from bpy.types import Object

    from ....core.body import Body
    from ....core.motion import Motion
    from ...border.action_io import Clip

# How far a part of the figure may stay behind, in body heights.
_LEFT_BEHIND = 0.005
# A way that everything must go along.
_TRIAL = (0.3, -0.2, 0.0)


def refuse_left_behind(clip: Clip, carried: Motion, body: Body, move: GroundMove | None = None) -> None:
    """Raise if a part of the figure does not go where the motion's carriers are moved.

    Args:
        clip: Of any armature; only control rigs are tried.
        carried: Its motion, with carriers.
        body: Its height is the measure.
        move: What is going to be done; a step aside if not given.

    Raises:
        MotionEditError: Something stays behind.
    """
    if why_bones_move(clip.armature) is None:
        return
    rows = rig_states(clip)[0]
    if move is None:
        move = GroundMove.build(0.0, _TRIAL, (0.0, 0.0, 1.0), frames=len(clip.frames))
    else:
        rows = [*rows, int(np.argmax(np.abs(move.change_of(carried.poses.positions)).max(axis=(1, 2))))]
    worst, name = max(_try(clip, carried, move, row) for row in dict.fromkeys(rows))
    size = body.height or float(np.ptp(carried.skeleton.rest_positions, axis=0).max())
    if worst > _LEFT_BEHIND * size:
        first, *more = (carried.skeleton.names[joint] for joint in carriers_of(carried).moved)
        others = f" and {len(more)} more" if more else ""
        raise MotionEditError(
            f"'{name}' stays {length_text(worst)} behind when '{first}'{others} carry the figure: "
            "show the control that moves it, or bake the motion to bones without constraints"
        )


def _try(clip: Clip, carried: Motion, move: GroundMove, row: int) -> tuple[float, str]:
    """How far a bone of the figure is at most from where a move should bring it, and its name."""
    armature, once = clip.armature, move.frozen(np.array([row]))
    pose = once.applied(carried.part(row, row + 1))
    with shown_at(clip, row):
        moved = (carried.skeleton.names[joint] for joint in carriers_of(carried).moved)
        names = _figure(armature, Following(armature).followers(moved))
        before = _places(armature, names)
        with _posed(armature, pose):
            after = _places(armature, names)
    away = np.linalg.norm(before + once.change_of(before[None])[0] - after, axis=-1)
    return float(away.max()), names[int(np.argmax(away)) % len(names)]


def _figure(armature: Object, followers: set[str]) -> list[str]:
    """Names of the bones that move the skin and follow the carriers; all followers if none does."""
    if "" in followers:  # the object itself carries all
        followers = {*armature.pose.bones.keys()}
    return [name for name in followers if armature.data.bones[name].use_deform] or [*followers]


def _places(armature: Object, names: list[str]) -> np.ndarray:
    """(N, 3) heads, then tails, of bones in the scene."""
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    bones = [posed.pose.bones[name] for name in names]
    return np.array([posed.matrix_world @ getattr(bone, end) for end in ("head", "tail") for bone in bones])


@contextmanager
def _posed(armature: Object, pose: Motion) -> Iterator[None]:
    """The carriers of a pose, which is a motion of one frame, put on the rig for a while."""
    holders = (armature, *armature.pose.bones)
    chosen = {joint: (holders[joint], rotation_property(holders[joint])) for joint in carriers_of(pose).turned}
    channels = [(holder, name) for holder, turn in chosen.values() for name in (turn, "location")]
    before = [(holder, name, tuple(getattr(holder, name))) for holder, name in channels]
    try:
        for joint, (holder, turn) in chosen.items():
            holder.location = pose.locations[0, joint]
            setattr(holder, turn, rotation_values(holder.rotation_mode, pose.rotations[:, joint])[0])
        _update(armature)
        yield
    finally:
        for holder, name, values in before:
            setattr(holder, name, values)
        _update(armature)


def _update(armature: Object) -> None:
    armature.update_tag(refresh={"OBJECT", "DATA"})
    bpy.context.view_layer.update()
