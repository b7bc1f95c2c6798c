"""Motions of skeletons that list the same joints in another order or with other axes."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import SkeletonMismatchError
from ..numerics import Array, quaternion
from .motion import Motion
from .rest_axes import with_rest_rotations
from .skeleton import Skeleton

_PER_JOINT = ("rest_rotations", "tips", "connected", "inherits_rotation", "local_location", "inherit_scale")


def matched(motion: Motion, like: Motion) -> Motion:
    """The motion told with the joints and scalar channels of another one, in their order and axes.

    Both skeletons must stand alike at rest; lengths of bones may differ. Joints that the other does
    not have are left out, scalar channels that this one does not have are taken from there.

    Raises:
        SkeletonMismatchError: Joints are missing or hang on other parents.
    """
    skeleton = like.skeleton
    if motion.skeleton is skeleton and motion.scalar_names == like.scalar_names:
        return motion
    order = _order(motion.skeleton, skeleton)
    _refuse_other_parents(motion.skeleton, skeleton)
    chosen = motion
    if not np.array_equal(motion.skeleton.rest_rotations[order], skeleton.rest_rotations):
        rest = np.array(motion.skeleton.rest_rotations)
        rest[order] = skeleton.rest_rotations
        chosen = with_rest_rotations(motion, rest)
    return replace(
        chosen,
        skeleton=skeleton,
        rotations=chosen.rotations[:, order],
        locations=chosen.locations[:, order],
        scales=chosen.scales[:, order],
        scalars=_scalars(motion, like),
        scalar_names=like.scalar_names,
        stepped=motion.stepped | like.stepped,
        carriers=like.carriers,
    )


def at_rate_of(motion: Motion, like: Motion) -> Motion:
    """The motion at another one's frames a second; the same object if it has that rate."""
    if motion.rate == like.rate or len(motion) < 2:
        return motion
    length = motion.times[-1] - motion.times[0]
    # A length that rounding left a hair too short keeps its last frame.
    times = motion.times[0] + np.arange(int(length * like.rate + 1e-6) + 1) / like.rate
    return replace(motion.at(times), rate=like.rate)


def with_joints_of(motion: Motion, like: Motion) -> Motion:
    """The motion with joints that it lacks added at rest, so that the others can be matched."""
    own, wanted = motion.skeleton, like.skeleton
    lacking = [joint for joint, name in enumerate(wanted.names) if name not in own.index]
    if not lacking:
        return motion
    names = (*own.names, *(wanted.names[joint] for joint in lacking))
    number = {name: joint for joint, name in enumerate(names)}
    above = [number[wanted.names[wanted.parents[joint]]] for joint in lacking]
    per_joint: dict[str, Any] = {
        name: np.concatenate([getattr(own, name), getattr(wanted, name)[lacking]]) for name in _PER_JOINT
    }
    skeleton = Skeleton.build(
        names,
        [*own.parents, *above],
        np.concatenate([own.rest_positions, wanted.rest_positions[lacking]]),
        has_placement=True,
        **per_joint,
    )
    count, frames = len(lacking), len(motion)
    return replace(
        motion,
        skeleton=skeleton,
        rotations=np.concatenate([motion.rotations, quaternion.identity(frames, count)], axis=1),
        locations=np.concatenate([motion.locations, np.zeros((frames, count, 3))], axis=1),
        scales=np.concatenate([motion.scales, np.ones((frames, count, 3))], axis=1),
    )


def with_joints_held(motion: Motion, like: Motion, held: Any) -> Motion:
    """The motion with some joints (J,) held as they are in the last frame of another one."""
    arrays: dict[str, Any] = {}
    for name in ("rotations", "locations", "scales"):
        arrays[name] = np.array(getattr(motion, name))
        arrays[name][:, held] = getattr(like, name)[-1, held]
    return replace(motion, **arrays)


def joints_by_name(skeleton: Skeleton, joints: Iterable[int], other: Skeleton) -> list[int]:
    """The joints of another skeleton that have the same names.

    Raises:
        SkeletonMismatchError: Some names are missing there.
    """
    names = [skeleton.names[joint] for joint in joints]
    missing = [name for name in names if name not in other.index]
    if missing:
        raise SkeletonMismatchError(
            f"The reference has no {', '.join(repr(name) for name in missing)}; "
            "rename its bones, or leave these out of the edit"
        )
    return [other.index[name] for name in names]


def _order(skeleton: Skeleton, like: Skeleton) -> list[int]:
    missing = [name for name in like.names if name not in skeleton.index]
    if missing:
        raise SkeletonMismatchError(
            f"The other motion has no {', '.join(repr(name) for name in missing[:3])}"
            f"{' and more' if len(missing) > 3 else ''}; retarget it to this skeleton or rename its bones"
        )
    return [skeleton.index[name] for name in like.names]


def _refuse_other_parents(skeleton: Skeleton, like: Skeleton) -> None:
    for joint, name in enumerate(like.names):
        parents = [_parent_name(each, each.index[name]) for each in (like, skeleton)]
        if parents[0] != parents[1]:
            raise SkeletonMismatchError(
                f"'{name}' hangs on '{parents[0]}' in one motion and on '{parents[1]}' in the other (joint {joint}); "
                "retarget one of them"
            )


def _parent_name(skeleton: Skeleton, joint: int) -> str:
    parent = int(skeleton.parents[joint])
    return skeleton.names[parent] if parent >= 0 else ""


def _scalars(motion: Motion, like: Motion) -> Array:
    places = {name: number for number, name in enumerate(motion.scalar_names)}
    values: Any = np.zeros((len(motion), len(like.scalar_names)))
    for number, name in enumerate(like.scalar_names):
        own = motion.scalars[:, places[name]] if name in places else None
        values[:, number] = like.at(motion.times).scalars[:, number] if own is None else own
    return np.asarray(values)
