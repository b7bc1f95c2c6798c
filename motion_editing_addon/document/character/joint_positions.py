"""Where the joints are, for analysis: by core where it can, else sampled from Blender and remembered."""

from __future__ import annotations

from hashlib import blake2b
from time import monotonic
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....core.numerics import Recent
from ....core.rig import RigPoses, placements
from ...border import action_io
from ...border.armature import is_carried, sample_positions, why_elsewhere, why_sampled
from ...border.rigs.rig_model import rig_of
from ...border.steps import Steps, finish
from .. import scope
from ..action_users import layered_animation

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...border.action_io import Clip

# Frames at which what is worked out is compared with what Blender shows, and how near that is, in parts of the size.
_LOOKS, _EXACT = 4, 1e-3
# Seconds that sampling a control rig may take where only numbers of the report need it, and after which the
# speed is known: the first frames may take long because Blender has to build the scene anew.
_PATIENCE, _LEAST_LOOK = 2.0, 0.5
# Sampled positions of the last few actions, by everything they depend on.
_sampled: Recent[str, np.ndarray] = Recent(8)
_samplings = 0


def positions_of(context: Context, clip: Clip) -> np.ndarray:
    """(F, J, 3) joints in scene space; samples a control rig at once, without progress."""
    return finish(sample_in_steps(context, clip))


def sample_in_steps(context: Context, clip: Clip) -> Steps[np.ndarray]:
    """Yield the share that is done, return the positions; one step is one frame of a control rig.

    Closing the generator early leaves the scene as it was.
    """
    if why_sampled(clip.armature) is None:
        return clip.motion.poses.positions
    key = _key(clip)
    # What carries an armature may have changed: that is not in the key.
    known = None if is_carried(clip.armature) else _sampled.get(key)
    if known is not None:
        return known
    worked_out = _worked_out(clip)
    if worked_out is not None:
        return _remember(key, worked_out)
    frames = scope.to_scene(clip.armature, clip.frames)
    return _remember(key, (yield from sample_positions(context.scene, clip.armature, frames)))


def _worked_out(clip: Clip) -> np.ndarray | None:
    """(F, J, 3) joints in scene space as core makes them of the channels; None where Blender has to be asked."""
    armature = clip.armature
    if why_elsewhere(armature) is not None or layered_animation(armature) is not None:
        return None
    rig = rig_of(armature)
    poses = RigPoses(rig, clip.motion, range(1, len(rig.names)))
    if poses.plan.unknown:
        return None
    heads = np.stack([poses[joint][:, :, 3] for joint in range(1, len(rig.names))], axis=1)
    placed = placements(clip.motion)
    seen = (placed[:, None] @ heads[..., None])[..., :3, 0]
    positions = np.concatenate([placed[:, None, :3, 3], seen], axis=1)
    return positions if _are_seen(clip, positions) else None


def _are_seen(clip: Clip, positions: np.ndarray) -> bool:
    """Whether Blender shows joints at such places, at some frames."""
    size = float(np.ptp(clip.motion.skeleton.rest_positions, axis=0).max())
    rows = np.unique(np.linspace(0, len(positions) - 1, _LOOKS).round().astype(int))
    frames = scope.to_scene(clip.armature, clip.frames[rows])
    seen = finish(sample_positions(bpy.context.scene, clip.armature, frames))
    return bool(np.abs(seen - positions[rows]).max() < _EXACT * size)


def is_at_hand(clip: Clip) -> bool:
    """Whether the positions can be had without stepping through the frames."""
    return why_sampled(clip.armature) is None or _key(clip) in _sampled


def sampled_so_far() -> int:
    """How many times rigs were sampled: tells whether more is at hand than before."""
    return _samplings


def _remember(key: str, positions: np.ndarray) -> np.ndarray:
    global _samplings
    _samplings += 1
    positions.flags.writeable = False
    return _sampled.keep(key, positions)


def forget() -> None:
    """Drop all remembered positions."""
    _sampled.clear()


def _key(clip: Clip) -> str:
    """Keys, rest pose, frames and constraints; a change in any of them asks for new samples."""
    digest = blake2b(action_io.fingerprint(clip.armature).encode(), digest_size=16)
    digest.update(np.ascontiguousarray(clip.frames))
    digest.update(np.ascontiguousarray(clip.motion.skeleton.rest_positions))
    digest.update(repr(_constraints(clip.armature)).encode())
    return digest.hexdigest()


def _constraints(armature: Object) -> list[object]:
    owners = [armature, *armature.pose.bones]
    return [armature.name, *((owner.name, c.name, c.mute, c.influence) for owner in owners for c in owner.constraints)]


def if_quick(sampling: Steps[np.ndarray]) -> Steps[np.ndarray | None]:
    """Go on for as long as it looks as if sampling was done soon; otherwise leave it, without a result."""
    started = monotonic()
    while True:
        try:
            share = next(sampling)
        except StopIteration as end:
            places: np.ndarray | None = end.value
            return places
        spent = monotonic() - started
        if spent > _LEAST_LOOK and spent > _PATIENCE * share:
            sampling.close()
            return None
        yield share
