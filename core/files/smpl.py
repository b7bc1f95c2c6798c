"""NPZ files of the SMPL family, as capture archives and text-to-motion programs write them: turns and places."""

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import FileFormatError, FileWriteError
from ..motion import Motion
from ..numerics import Array, quaternion
from .smpl_skeleton import average_skeleton, joint_names

# What programs call the same thing: all turns, those of the pelvis, its place, frames a second, joints at rest.
_TURNS = ("poses", "pose", "fullpose")
_PARTS = (("root_orient", "global_orient"), ("pose_body", "body_pose"), ("pose_jaw", "jaw_pose"))
_MORE_PARTS = (("pose_eye", "eye_pose"), ("pose_hand", "hand_pose"))
_PLACES = ("trans", "transl", "translation")
_RATES = ("mocap_framerate", "mocap_frame_rate", "framerate", "frame_rate", "fps")
_RESTS = ("joints", "J")
# Frames a second where the file says nothing; most programs that make motion from text or video give so many.
_USUAL_RATE = 30.0
# Numbers of a file that are read at most: more than an hour of a whole body with hands.
_MOST = 10**8


def read_smpl(path: Path) -> Motion:
    """Read a motion on an average skeleton, or on the joints that the file gives; its axes are the file's.

    Raises:
        FileFormatError: It is no such file; the reason in one line.
    """
    values = _read(Path(path))
    turns = _turns(values, Path(path).name)
    count = turns.shape[1]
    places = _first(values, _PLACES)
    if places is None:
        places = np.zeros((len(turns), 3))
    if places.shape != (len(turns), 3) or not np.isfinite(places).all() or not np.isfinite(turns).all():
        raise FileFormatError(f"{path}: places and turns do not fit each other")
    rest = _first(values, _RESTS)
    own = rest if rest is not None and rest.shape == (count, 3) and np.isfinite(rest).all() else None
    locations = np.zeros((len(turns), count, 3))
    locations[:, 0] = places
    skeleton = average_skeleton(count, places=own)
    return Motion.build(skeleton, quaternion.exp(turns), locations=locations, rate=_rate(values))


def write_smpl(path: Path, motion: Motion) -> None:
    """Write a motion of a skeleton that was read from such a file.

    Raises:
        FileWriteError: It has other joints.
    """
    known = motion.skeleton.index
    names = next((found for count in (55, 52, 24, 22) if set(found := joint_names(count)) <= set(known)), ())
    if not names:
        raise FileWriteError(f"{path}: its joints are not those of an SMPL body")
    joints = [known[name] for name in names]
    turns = quaternion.log(motion.rotations[:, joints])
    np.savez_compressed(
        path,
        poses=turns.reshape(len(motion), -1),
        trans=motion.locations[:, joints[0]],
        joints=motion.skeleton.rest_positions[joints],
        mocap_framerate=np.float64(motion.rate),
    )


def _read(path: Path) -> dict[str, Array]:
    """All arrays of numbers; nothing that would run code is read, and nothing larger than a motion can be."""
    found: dict[str, Array] = {}
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = {each.filename.removesuffix(".npy"): each.file_size for each in archive.infolist()}
        with np.load(path, allow_pickle=False) as file:
            for name in sizes.keys() & {*_TURNS, *_PLACES, *_RATES, *_RESTS, *sum((*_PARTS, *_MORE_PARTS), ())}:
                if sizes[name] > 8 * _MOST:
                    raise FileFormatError(f"{path}: '{name}' is too large")
                found[name] = np.asarray(file[name], dtype=np.float64)
    except (ValueError, OSError, KeyError, EOFError, zipfile.BadZipFile, TypeError) as error:
        raise FileFormatError(f"{path}: the file is damaged, or no NPZ file: {error}") from None
    return found


def _first(values: Mapping[str, Array], names: tuple[str, ...]) -> Any:
    return next((values[name] for name in names if name in values), None)


def _turns(values: Mapping[str, Array], name: str) -> Array:
    """(F, J, 3) rotation vectors of all joints."""
    whole = _first(values, _TURNS)
    if whole is None:
        parts = [part for names in (*_PARTS, *_MORE_PARTS) if (part := _first(values, names)) is not None]
        if len(parts) < 2 or len({len(part) for part in parts}) > 1:
            raise FileFormatError(f"{name}: there are no turns of SMPL joints in it ('poses' or 'body_pose')")
        whole = np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1)
    flat = whole.reshape(len(whole), -1) if whole.ndim and len(whole) else np.zeros((0, 0))
    count = flat.shape[1] // 3
    if not len(flat) or flat.shape[1] % 3 or not joint_names(count):
        raise FileFormatError(f"{name}: {count} joints are not those of SMPL (22, 24), SMPL-H (52) or SMPL-X (55)")
    turns: Array = flat.reshape(len(flat), count, 3)
    return turns


def _rate(values: Mapping[str, Array]) -> float:
    rate = _first(values, _RATES)
    stated = float(rate.ravel()[0]) if rate is not None and rate.size else 0.0
    return stated if np.isfinite(stated) and stated > 0.0 else _USUAL_RATE
