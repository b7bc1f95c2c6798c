"""A match web as plain arrays, to be saved with the motion that it was woven of.

Only the paths cost time to find. What joints are where follows from the motion and is not stored.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...body import Body
from ...errors import MotionEditError
from ...motion import Motion
from ...wording import counted
from .match_web import MatchWeb, compared_points


class StaleWebError(MotionEditError):
    """Stored paths do not belong to the motion."""


def to_arrays(web: MatchWeb) -> dict[str, NDArray[Any] | int]:
    """What `from_arrays` needs besides the motion.

    Frames of a path are whole numbers as long as a moment has a middle frame; they take four bytes
    each. Others are kept with all digits.
    """
    frames = np.concatenate([np.empty((0, 2)), *web.paths])
    whole = frames.astype(np.int32)
    return {
        "frames": web.frames,
        "stride": web.stride,
        "offsets": np.cumsum([0, *map(len, web.paths)], dtype=np.int32),
        "path_frames": (whole if (whole == frames).all() else frames).ravel(),
    }


def from_arrays(arrays: Mapping[str, Any], motion: Motion, body: Body, *, positions: Any = None) -> MatchWeb:
    """The web again; look-ups give the same windows bit for bit.

    Args:
        arrays: From `to_arrays`.
        motion: The one that the web was woven of.
        body: As it was then.
        positions: (F, J, 3) if they do not follow from the motion alone.

    Raises:
        StaleWebError: The arrays are of a motion of another length.
    """
    frames, stride = int(arrays["frames"]), int(arrays["stride"])
    if frames != len(motion):
        raise StaleWebError(
            f"The stored repetitions are of {counted(frames, 'frame')}, the motion has {len(motion)}; search them again"
        )
    up = np.asarray(body.require("up axis").vector, dtype=np.float64)
    places = motion.poses.positions if positions is None else np.asarray(positions, dtype=np.float64)
    borders = np.asarray(arrays["offsets"])[1:-1]
    paths = np.split(np.asarray(arrays["path_frames"], dtype=np.float64).reshape(-1, 2), borders)
    found = tuple(path for path in paths if len(path))
    return MatchWeb(found, frames, compared_points(places, body, stride), stride, up)
