"""The MOTION part of a BVH file: frame time and one row of numbers for every frame."""

import itertools
import re

import numpy as np

from ..errors import FileFormatError
from ..motion import Indices
from ..numerics import Array
from ..wording import counted
from .bvh_hierarchy import BvhJoint, BvhText, shown
from .bvh_numbers import NotANumberError, NumberBlock, parse_numbers, read_number

# Seconds between rows where a file gives none; most programs that write BVH use 30 rows a second.
DEFAULT_FRAME_TIME = 1.0 / 30.0

_FRAMES = re.compile(rb"\s*(frames\s*:?)\s*", re.IGNORECASE)
_FRAME_TIME = re.compile(rb"\s*(frame\s*time\s*:?)\s*", re.IGNORECASE)
_FILLED_LINE = re.compile(rb"\S[^\r\n]*")
_WORD = re.compile(rb"\S+")
# What copying and old editors leave behind the last number.
_PADDING = b"\0\x1a \t\r\n"


def parse_motion(text: BvhText, joints: tuple[BvhJoint, ...]) -> tuple[float, Array, list[str]]:
    """Read what follows the word MOTION: frame time in seconds, values (F, channels), warnings."""
    channels = [f"'{joint.name}' {channel}" for joint in joints for channel in joint.channels]
    if not channels:
        raise text.error("expected at least one joint with 'CHANNELS', no joint has any", text.position)
    declared = _read_frame_count(text)
    frame_time, warnings = _read_frame_time(text)
    block = _read_numbers(text, channels)
    count = _complete_rows(text, block, len(channels), declared)
    values = block.values[: count * len(channels)].reshape(count, len(channels))
    if surplus := len(block.values) - values.size:
        warnings.append(
            f"{text.file_name}: the last row is cut off after {surplus} of {len(channels)} numbers; it is left out"
        )
    if count != declared:
        frames, used = counted(declared, "frame is", "frames are"), counted(count, "is", "are")
        warnings.append(f"{text.file_name}: {frames} declared, {used} there and used")
    return frame_time, values, warnings


def _read_frame_count(text: BvhText) -> int:
    word = _word_after(text, _FRAMES, "'Frames:' with a whole number")
    number = read_number(word)
    if number is None or number != int(number):
        text.refuse_word("'Frames:' with a whole number")
    return int(number)


def _read_frame_time(text: BvhText) -> tuple[float, list[str]]:
    word = _word_after(text, _FRAME_TIME, "'Frame Time:' with seconds")
    frame_time = read_number(word)
    if frame_time is None:
        text.refuse_word("'Frame Time:' with seconds (decimal point, no comma)")
    # The rate 1 / frame time must be a number as well.
    if frame_time > 0.0 and 1.0 / frame_time < np.inf:
        return frame_time, []
    reason = f"{text.file_name}: the frame time is {shown(word)}; 30 frames a second are assumed"
    return DEFAULT_FRAME_TIME, [reason]


def _word_after(text: BvhText, heading: re.Pattern[bytes], expected: str) -> bytes:
    match = heading.match(text.data, text.position)
    if match is None:
        text.word()
        text.refuse_word(expected)
    text.position = match.end()
    return text.word()


def _read_numbers(text: BvhText, channels: list[str]) -> NumberBlock:
    try:
        return parse_numbers(text.data.rstrip(_PADDING), text.position)
    except NotANumberError as error:
        owner = channels[_words_before(text, error.position) % len(channels)]
        raise text.unexpected(f"a number (decimal point, no comma) for {owner}", error.position) from None


def _words_before(text: BvhText, position: int) -> int:
    """Count the words between the start of a line of numbers and a place in it."""
    breaks = (text.data.rfind(mark, text.position, position) for mark in (b"\n", b"\r"))
    return len(_WORD.findall(text.data, max(text.position, *breaks), position))


def _complete_rows(text: BvhText, block: NumberBlock, width: int, declared: int) -> int:
    """Count the rows, having made sure that none has a number too many or too few.

    A last row that is cut off is not counted.
    """
    ends = block.line_ends
    rows = len(block.values) // width
    if not rows:
        raise _wrong_row(text, width, len(block.values), 0)
    ended = np.isin(np.arange(1, rows + 1) * width, ends)
    if not (ended.all() or _is_stream(ends, width, declared)):
        last_good = int(np.argmin(ended)) * width
        by_rows = ends[0] >= width
        line = int(np.argmax(ends % width > 0) if by_rows else np.searchsorted(ends, last_good, side="right"))
        raise _wrong_row(text, width, int(np.diff(ends, prepend=0)[line]), line)
    return rows


def _is_stream(ends: Indices, width: int, declared: int) -> bool:
    """Whether rows may end inside lines without hiding a number too many or too few.

    Either all lines hold whole rows, the last of which may be cut off, or all lines are
    equally long and hold as many numbers as declared.
    """
    wanted = declared * width
    if not (ends[:-1] % width).any():
        return bool(ends[-1] % width == 0 or ends[-1] < wanted)
    return bool(ends[-1] == wanted) and _equally_long(np.diff(ends, prepend=0))


def _equally_long(lengths: Indices) -> bool:
    return len(lengths) > 1 and bool((lengths[:-1] == lengths[0]).all() and lengths[-1] <= lengths[0])


def _wrong_row(text: BvhText, width: int, found: int, line: int) -> FileFormatError:
    """The error for a line, counted among those that hold numbers."""
    lines = itertools.islice(_FILLED_LINE.finditer(text.data, text.position), line, None)
    position = next((match.start() for match in lines), len(text.data))
    return text.error(f"expected a row of {width} numbers, found {found}", position)
