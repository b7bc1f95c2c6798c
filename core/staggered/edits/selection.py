"""Which joints and poses an edit is meant for."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import MotionEditError
from ...motion import shape_channels, shape_name
from ..model import StaggeredMotion


def chosen_poses(model: StaggeredMotion, poses: Any) -> NDArray[np.bool_]:
    """(K,) flags of poses given as one number, numbers, flags or, for all, nothing; both ends of a loop are one."""
    flags = _flags(poses, len(model))
    if model.timing.is_cyclic and flags[0] != flags[-1]:
        flags = flags.copy()
        flags[[0, -1]] = True
    return flags


def chosen_variables(model: StaggeredMotion, joints: Any, *, scalars: bool = True) -> NDArray[np.bool_]:
    """(V,) flags of the control variables of joints given likewise; of scalars only if all are meant."""
    of_joint = model.variables.joint_of
    flags: NDArray[np.bool_] = _flags(joints, model.variables.joints)[of_joint] & (of_joint >= 0)
    return flags | (of_joint < 0) if joints is None and scalars else flags


def chosen_knots(model: StaggeredMotion, poses: Any, joints: Any, *, shapes: bool = False) -> NDArray[np.bool_]:
    """(K, V) flags of the knots that chosen poses have for chosen joints.

    With shapes, those of a face are among them if the object is, which they go with.
    """
    variables = chosen_variables(model, joints)
    if shapes and model.source.skeleton.has_placement and _flags(joints, model.variables.joints)[0]:
        variables = variables | variables_of(model, shape_channels(model.source))
    flags: NDArray[np.bool_] = chosen_poses(model, poses)[:, None] & variables
    return flags & model.timing.present


def channels_of_shape(model: StaggeredMotion, name: str) -> list[int]:
    """Numbers of the scalar channels that are shape keys of a name; several meshes may have one.

    Raises:
        MotionEditError: None of the motion has this name.
    """
    names = model.source.scalar_names
    found = [channel for channel, each in enumerate(names) if shape_name(each) == name]
    if not found:
        raise MotionEditError(f"There is no animated shape key '{name}'")
    return found


def variables_of(model: StaggeredMotion, channels: Any) -> NDArray[np.bool_]:
    """(V,) flags of the control variables of scalar channels, given as numbers or (N,) flags."""
    count = model.variables.scalars
    flags = np.zeros(len(model.variables), dtype=np.bool_)
    flags[len(flags) - count :] = _flags(channels, count)
    return flags


def _flags(chosen: Any, count: int) -> NDArray[np.bool_]:
    if chosen is None:
        return np.ones(count, dtype=np.bool_)
    array = np.atleast_1d(np.asarray(chosen))
    if array.dtype == np.bool_:
        if array.shape != (count,):
            raise ValueError(f"{count} flags are needed, not {array.shape}")
        return array
    flags = np.zeros(count, dtype=np.bool_)
    flags[array.astype(np.intp)] = True
    return flags
