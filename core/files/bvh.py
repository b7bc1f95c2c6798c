"""BVH files: reading, writing, and their conversion to and from a motion."""

import codecs
import contextlib
import os
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import FileFormatError, FileWriteError, NotFiniteError, TooFewFramesError
from ..motion import Motion
from ..numerics import EULER_ORDERS, Array
from ..wording import counted
from . import bvh_motion
from .bvh_hierarchy import BvhJoint, BvhText, format_hierarchy, parse_hierarchy
from .bvh_rows import parse_motion

# Rows formatted at once: one operation per block is fast, and the text of a block stays small.
_ROWS_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class BvhFile:
    """What a BVH file says.

    Attributes:
        joints: Every joint directly followed by all that are below it.
        frame_time: Seconds from row to row.
        values: (F, channels) degrees and lengths, in the order of the joints' channels.
        warnings: One line for everything that was mended or left out on the way.
    """

    joints: tuple[BvhJoint, ...]
    frame_time: float
    values: Array
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        channels = sum(len(joint.channels) for joint in self.joints)
        values = np.asarray(self.values, dtype=np.float64).view()
        if values.ndim != 2 or values.shape[1] != channels:
            raise ValueError(f"values must have shape (F, {channels}), not {values.shape}")
        if not 0.0 < self.frame_time < np.inf:
            raise ValueError("frame_time must be above zero")
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    def to_motion(self) -> Motion:
        """The motion in the file's length unit, at the rate 1 / frame time.

        Position channels are absolute in the parent's axes and replace the OFFSET, as in
        Blender. Where a joint has only some of them the other axes keep its OFFSET.
        """
        return Motion.build(
            bvh_motion.skeleton_of(self.joints),
            bvh_motion.rotations_of(self.joints, self.values),
            rate=1.0 / self.frame_time,
            locations=bvh_motion.locations_of(self.joints, self.values),
        )

    @classmethod
    def from_motion(cls, motion: Motion, *, euler_order: str = "XYZ") -> "BvhFile":
        """Put a motion into the channels of a BVH file.

        Roots and joints that leave their rest place get position channels; angles are
        continuous. BVH has no rest orientation, so rotations are expressed in the
        world's axes; positions and orientations in space stay what they were. What BVH
        cannot hold (scale, further channels, uneven times) is named in `warnings`.

        Args:
            motion: Joints are put into the order that BVH needs, each followed by all below it.
            euler_order: One of EULER_ORDERS, the axes in order of application: 'XYZ' is
                listed as Z, Y, X. Choose another if a program reads the file that expects it.

        Raises:
            TooFewFramesError: The motion has no frame.
        """
        if euler_order not in EULER_ORDERS:
            raise ValueError(f"euler_order must be one of {', '.join(EULER_ORDERS)}, not {euler_order!r}")
        if not len(motion):
            raise TooFewFramesError("A BVH file needs 1 frame, the motion has 0")
        even, frame_time = bvh_motion.evenly_timed(motion)
        joints, values = bvh_motion.channels_of(even, euler_order)
        return cls(joints, frame_time, values, tuple(bvh_motion.losses(motion)))


def read_bvh(path: str | os.PathLike[str]) -> BvhFile:
    """Read a BVH file.

    Raises:
        FileFormatError: It cannot be read; one line with file, line number and what was
            expected there.
    """
    path = Path(path)
    text = _text_of(path)
    joints, name_warnings = parse_hierarchy(text)
    frame_time, values, row_warnings = parse_motion(text, joints)
    warnings = [*name_warnings, *row_warnings]
    if collapsed := bvh_motion.collapsed_joints(joints, values):
        warnings.append(
            f"{path.name}: the positions of {counted(collapsed, 'joint')} are always 0 and put them on their parents"
        )
    return BvhFile(joints, frame_time, values, tuple(warnings))


def read_joints(path: str | os.PathLike[str]) -> tuple[BvhJoint, ...]:
    """Read only the joints of a BVH file.

    Raises:
        FileFormatError: They cannot be read; one line with file, line number and what was expected there.
    """
    return tuple(parse_hierarchy(_text_of(Path(path)))[0])


def _text_of(path: Path) -> BvhText:
    return BvhText(path.name, _as_utf8(path.name, _file_content(path)))


def _file_content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileFormatError(f"{path.name}: cannot be read: {error.strerror or error}") from error


def _as_utf8(name: str, data: bytes) -> bytes:
    """Drop a byte order mark; turn the 16-bit text that some editors save into bytes."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16").encode()
        except UnicodeError as error:
            raise FileFormatError(f"{name}, line 1: expected 'HIERARCHY', found no readable text") from error
    return data.removeprefix(codecs.BOM_UTF8)


def write_bvh(
    path: str | os.PathLike[str],
    content: Motion | BvhFile,
    *,
    euler_order: str = "XYZ",
    decimals: int = 6,
) -> tuple[str, ...]:
    """Write a motion, or a file's channels as they are, and give back the warnings.

    The file appears whole or not at all: a new file is written beside it and then renamed.

    Args:
        path: The file to make or to replace.
        content: What to write.
        euler_order: For a motion: axes in order of application; 'XYZ' is listed as Z, Y, X.
        decimals: Digits after the point. 6 keep a millionth of a degree and of the unit;
            raise it for skeletons in kilometres, lower it for smaller files.

    Raises:
        MotionEditError: The file cannot be written.
    """
    bvh = content if isinstance(content, BvhFile) else BvhFile.from_motion(content, euler_order=euler_order)
    if not np.isfinite(bvh.values).all():
        raise NotFiniteError("A BVH file holds no NaN or infinite values; repair the channels first")
    heading = format_hierarchy(bvh.joints)
    # Names from elsewhere may hold what UTF-8 cannot: such letters become question marks.
    with (
        _replaced(Path(path)) as partial,
        open(partial, "x", encoding="utf-8", errors="replace", newline="\n") as file,
    ):
        file.write(heading)
        file.write(f"Frames: {len(bvh.values)}\nFrame Time: {bvh.frame_time:.15g}\n")
        file.writelines(_formatted_rows(bvh.values, decimals))
    return bvh.warnings


def _formatted_rows(values: Array, decimals: int) -> Iterator[str]:
    row = " ".join([f"%.{decimals}f"] * values.shape[1]) + "\n"
    for first in range(0, len(values), _ROWS_AT_ONCE):
        # Adding zero turns the -0 that rounding leaves into 0.
        block = np.round(values[first : first + _ROWS_AT_ONCE], decimals) + 0.0
        yield row * len(block) % tuple(block.ravel().tolist())


@contextlib.contextmanager
def _replaced(path: Path) -> Iterator[Path]:
    """Give a new file's name beside a file; afterwards it takes the file's place."""
    # A link stays a link: what it points to is replaced.
    target = Path(os.path.realpath(path))
    partial = target.with_name(f".{uuid.uuid4().hex}.part")
    try:
        if target.exists() and not (target.is_file() and os.access(target, os.W_OK)):
            raise OSError("it is a folder or may not be changed")
        yield partial
        if target.exists():
            shutil.copymode(target, partial)
        os.replace(partial, target)
    except OSError as error:
        raise FileWriteError(f"{path.name}: cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()
