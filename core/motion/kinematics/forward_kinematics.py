"""Global pose of every joint in every frame, from the joints' own channels.

Two ways lead there. Where every bone follows its parent fully and scales are uniform,
rotation, place and scale are composed as quaternions, one whole level of the hierarchy
and all frames at a time. Everything else (shear, switched-off inheritance) is composed
as matrices in `bone_inheritance`.
"""

from typing import Any

import numpy as np

from ...numerics import Array, quaternion
from ..skeleton import Skeleton
from . import bone_inheritance
from .global_poses import GlobalPoses

# Below this many frames the cost of NumPy calls decides, above it that of arithmetic.
_FEW_FRAMES = 100


def forward_kinematics(skeleton: Skeleton, rotations: Any, locations: Any = None, scales: Any = None) -> GlobalPoses:
    """Evaluate all frames of a motion.

    Args:
        rotations: (F, J, 4) unit quaternions relative to the rest pose.
        locations: (F, J, 3) offsets from the rest place; none if not given.
        scales: (F, J, 3); one if not given.
    """
    rotations = np.asarray(rotations, dtype=np.float64)
    steps = parent_steps(skeleton, None if locations is None else np.asarray(locations))
    scales = None if scales is None or bool((np.asarray(scales) == 1.0).all()) else np.asarray(scales)
    if skeleton.moves_rigidly and (scales is None or _uniform(scales)):
        if scales is None and len(rotations) < _FEW_FRAMES:
            return _compose_few_frames(skeleton, rotations, steps)
        size = None if scales is None else scales[..., 0]
        return _compose_quaternions(skeleton, rotations, steps, size)
    return bone_inheritance.compose(skeleton, rotations, steps, scales)


def _uniform(scales: Array) -> bool:
    return bool((scales > 0.0).all() and (scales == scales[..., :1]).all())


def parent_steps(skeleton: Skeleton, locations: Array | None) -> list[Array]:
    """Place of every joint in its parent's axes: (3,), or (3, F) where it has a location."""
    turn, place = skeleton.rest_offsets
    steps = list(place)
    if locations is not None:
        for joint in np.flatnonzero(locations.any(axis=(0, 2)) & ~skeleton.connected):
            shift = locations[:, joint]
            if skeleton.local_location[joint] and bool((turn[joint] != quaternion.IDENTITY).any()):
                shift = quaternion.rotate(turn[joint], shift)
            steps[joint] = np.ascontiguousarray((place[joint] + shift).T)
    return steps


def _compose_few_frames(skeleton: Skeleton, rotations: Array, steps: list[Array]) -> GlobalPoses:
    """One small matrix product per joint: calls cost more than arithmetic where frames are few."""
    frames, joints = rotations.shape[:2]
    order = [joint for level in skeleton.levels for joint in level.tolist()]
    parents = skeleton.parents.tolist()
    local = quaternion.multiply(skeleton.rest_offsets[0], rotations)
    products = _right_products(local.transpose(1, 0, 2))
    turn, place = np.empty((joints, frames, 4, 1)), np.empty((joints, frames, 3))
    for joint in order:
        if parents[joint] < 0:
            turn[joint, ..., 0] = local[:, joint]
        else:
            np.matmul(products[joint], turn[parents[joint]], out=turn[joint])
        place[joint] = steps[joint].T
    below = [joint for joint in order if parents[joint] >= 0]
    place[below] = quaternion.rotate(turn[skeleton.parents[below]][..., 0], place[below])
    for joint in below:
        place[joint] += place[parents[joint]]
    return GlobalPoses(place.transpose(1, 0, 2), turn[..., 0].transpose(1, 0, 2), skeleton.tips)


def _right_products(rotations: Array) -> Array:
    """(..., 4, 4) matrices that multiply a quaternion from the right by each of the given ones."""
    w, x, y, z = np.moveaxis(rotations, -1, 0)
    matrices = np.empty((*w.shape, 4, 4))
    for column, entries in enumerate(((w, x, y, z), (-x, w, -z, y), (-y, z, w, -x), (-z, -y, x, w))):
        for row, entry in enumerate(entries):
            matrices[..., row, column] = entry
    return matrices


def _compose_quaternions(skeleton: Skeleton, rotations: Array, steps: list[Array], sizes: Array | None) -> GlobalPoses:
    frames, joints = rotations.shape[:2]
    rest_turn, _ = skeleton.rest_offsets
    plain = bool((rest_turn == quaternion.IDENTITY).all())
    local = rotations.T if plain else quaternion.multiply(rest_turn, rotations).T
    size = None if sizes is None else np.array(sizes.T)
    turn, place = np.empty((4, joints, frames)), np.empty((3, joints, frames))
    scratch = np.empty((4, frames))
    for joint in (joint for level in skeleton.levels for joint in level):
        parent, step = skeleton.parents[joint], steps[joint]
        if parent < 0:
            turn[:, joint] = local[:, joint]
            place[:, joint] = step.reshape(3, -1)
            continue
        if size is not None:
            step = step.reshape(3, -1) * size[parent]
            size[joint] *= size[parent]
        _multiply(turn[:, parent], local[:, joint], turn[:, joint], scratch)
        _add_rotated(place[:, parent], turn[:, parent], step, place[:, joint], scratch)
    return GlobalPoses(place.T, turn.T, skeleton.tips, size)


def _multiply(a: Array, b: Array, product: Array, scratch: Array) -> None:
    """Quaternion product of component-first (4, F) arrays, written without temporaries."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    term = scratch[0]
    for out, plus, minus in (
        (product[0], ((aw, bw),), ((ax, bx), (ay, by), (az, bz))),
        (product[1], ((aw, bx), (ax, bw), (ay, bz)), ((az, by),)),
        (product[2], ((aw, by), (ay, bw), (az, bx)), ((ax, bz),)),
        (product[3], ((aw, bz), (ax, by), (az, bw)), ((ay, bx),)),
    ):
        np.multiply(*plus[0], out=out)
        for pair in plus[1:]:
            np.add(out, np.multiply(*pair, out=term), out=out)
        for pair in minus:
            np.subtract(out, np.multiply(*pair, out=term), out=out)


def _add_rotated(start: Array, turn: Array, step: Any, place: Array, scratch: Array) -> None:
    """place = start + step turned, component-first; the step is (3,) or (3, F)."""
    w, x, y, z = turn
    twice = 2.0 * step
    tx, ty, tz, term = scratch
    np.subtract(np.multiply(y, twice[2], out=tx), np.multiply(z, twice[1], out=term), out=tx)
    np.subtract(np.multiply(z, twice[0], out=ty), np.multiply(x, twice[2], out=term), out=ty)
    np.subtract(np.multiply(x, twice[1], out=tz), np.multiply(y, twice[0], out=term), out=tz)
    for axis, own, plus, minus in (
        (0, tx, (y, tz), (z, ty)),
        (1, ty, (z, tx), (x, tz)),
        (2, tz, (x, ty), (y, tx)),
    ):
        out = place[axis]
        np.add(start[axis], step[axis], out=out)
        np.add(out, np.multiply(w, own, out=term), out=out)
        np.add(out, np.multiply(*plus, out=term), out=out)
        np.subtract(out, np.multiply(*minus, out=term), out=out)
