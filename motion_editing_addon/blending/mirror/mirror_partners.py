"""Numbers that have keys on one side only, or none: switches and shape keys that a mirrored motion exchanges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import bpy

from ....core.editing import mirror_paths
from ...border.action_io import Property
from ...border.action_io.any_frames import read_frames
from ...border.action_io.curves.channels import further_owners
from ...border.action_io.curves.numbers import number_at

if TYPE_CHECKING:
    from bpy.types import ID

    from ...border.action_io import Clip


def with_partners(clip: Clip) -> Clip:
    """The clip with numbers that have no keys: partners of those that do, and those that differ from their partners."""
    known = {(prop.owner, prop.path) for prop in clip.channels.scalars}
    known |= {(prop.owner, prop.path) for prop, _index in clip.channels.muted}
    wanted = [_partner(prop.owner, prop.path) for prop in clip.channels.scalars]
    wanted += [
        each
        for owner, path in _numbers(clip)
        if (other := _partner(owner, path)) is not None and number_at(owner, path) != number_at(*other)
        for each in ((owner, path), other)
    ]
    new = [each for each in dict.fromkeys(wanted) if each is not None and each not in known and not _is_driven(*each)]
    if not new:
        return clip
    scalars = [Property(owner, path) for owner, path in new]
    return read_frames(clip.armature, clip.frames, rate=clip.motion.rate, scalars=scalars)


def _partner(owner: ID, path: str) -> tuple[ID, str] | None:
    """The number of the other side, if there is one."""
    found = (each for each in mirror_paths(path) if each != path and number_at(owner, each) is not None)
    return next(((owner, each) for each in found), None)


def _numbers(clip: Clip) -> Iterator[tuple[ID, str]]:
    """Custom properties of bones, and values of shape keys."""
    for bone in clip.armature.pose.bones if clip.armature.pose else ():
        for name in bone.keys():  # noqa: SIM118
            path = f'{bone.path_from_id()}["{bpy.utils.escape_identifier(name)}"]'
            if number_at(clip.armature, path) is not None:
                yield clip.armature, path
    for shapes in further_owners(clip.armature):
        if shapes.id_type == "KEY":
            yield from ((shapes, f"{block.path_from_id()}.value") for block in shapes.key_blocks[1:])


def _is_driven(owner: ID, path: str) -> bool:
    data = owner.animation_data
    return data is not None and any(curve.data_path == path for curve in data.drivers)
