"""Decimal numbers of a large text block, read as whole arrays, each bit for bit what float() gives.

The digits of all numbers of a chunk are walked together, one column at a time from the
right. That yields each number as an integer and a count of decimals; one division by a
power of ten then gives the nearest float64, because both are exact. Numbers for which
this does not hold (exponents, more digits than a float64 keeps) go through float().
"""

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion import Indices
from ..numerics import Array

Characters = NDArray[np.uint8]

# Bytes handled at once: the working arrays of a chunk stay near the processor, whatever the file's size.
_CHUNK = 1 << 19
# Characters of the longest number read by columns: its digits fit an int64.
_LONGEST = 17
# Integers up to here are exact in a float64.
_EXACT = 1 << 53

_PLACES = range(_LONGEST + 2)
# Indexed by the place of the decimal point counted from the right, from 1; 0 is "no point".
_LEFT_OF_POINT = np.array([float(10**place) for place in _PLACES])
_NINES = np.array([0] + [9 * 10 ** (place - 1) for place in _PLACES[1:]], dtype=np.int64)
_DIVISORS = np.array([1.0] + [float(10 ** (place - 1)) for place in _PLACES[1:]])

_SPACE = re.compile(rb"\s")
_NUMBER_CHARACTERS = b"0123456789+-.eE"


class NotANumberError(ValueError):
    """A word is no finite number; `position` is its first byte."""

    def __init__(self, position: int) -> None:
        super().__init__(f"no finite number at byte {position}")
        self.position = position


@dataclass(frozen=True)
class NumberBlock:
    """All numbers of a text.

    Attributes:
        values: (N,) the numbers.
        line_ends: Numbers read up to the end of each line that holds any; the last is N.
    """

    values: Array
    line_ends: Indices


def parse_numbers(text: bytes, begin: int = 0) -> NumberBlock:
    """Read numbers separated by white space from a position to the end of a text.

    Raises:
        NotANumberError: A word is not a finite decimal number.
    """
    values, line_ends, count = [np.empty(0)], [np.zeros(1, dtype=np.intp)], 0
    for first, last in _chunks(text, begin):
        characters = np.frombuffer(text, dtype=np.uint8, count=last - first, offset=first)
        starts, ends = _words(characters)
        values.append(_read_words(text, first, characters, starts, ends))
        breaks = np.flatnonzero((characters == ord("\n")) | (characters == ord("\r")))
        line_ends.append(count + np.searchsorted(starts, breaks))
        count += len(starts)
    line_ends.append(np.array([count], dtype=np.intp))
    ends_of_lines = np.unique(np.concatenate(line_ends))
    return NumberBlock(np.concatenate(values), ends_of_lines[ends_of_lines > 0])


def read_number(word: bytes) -> float | None:
    """One finite decimal number, or nothing; float() alone would take 'nan' and '1_000' too."""
    if word.strip(_NUMBER_CHARACTERS):
        return None
    try:
        number = float(word)
    except ValueError:
        return None
    return number if abs(number) < np.inf else None


def _chunks(text: bytes, begin: int) -> Iterator[tuple[int, int]]:
    """Cut the text at white space into pieces of about the same size."""
    while begin < len(text):
        gap = _SPACE.search(text, begin + _CHUNK)
        end = gap.start() if gap else len(text)
        yield begin, end
        begin = end


def _words(characters: Characters) -> tuple[Indices, Indices]:
    """First byte of every word and the byte after its last."""
    inside = np.zeros(len(characters) + 2, dtype=np.bool_)
    # Tab, line feed, vertical tab, form feed and carriage return are 9 to 13.
    np.logical_and(characters != ord(" "), characters - np.uint8(9) > 4, out=inside[1:-1])
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    return np.ascontiguousarray(edges[0::2]), np.ascontiguousarray(edges[1::2])


def _read_words(text: bytes, offset: int, characters: Characters, starts: Indices, ends: Indices) -> Array:
    if not len(starts):
        return np.empty(0)
    lengths = np.minimum(ends - starts, 255).astype(np.uint8)
    places, points, marks = _walk_columns(characters, ends, lengths)
    first = characters[starts]
    negative = first == ord("-")
    signs = negative | (first == ord("+"))
    mantissas = _without_point(places, points)
    values: Array = mantissas / np.take(_DIVISORS, points, mode="clip")
    np.negative(values, out=values, where=negative)
    # Besides digits only one point and one leading sign are allowed, and at least one digit.
    plain = (marks == signs + (points > 0).view(np.uint8)) & (marks < lengths)
    plain &= (lengths <= _LONGEST) & (mantissas <= _EXACT)
    for_float = np.flatnonzero(~plain)
    if len(for_float):
        values[for_float] = _read_by_float(text, offset + starts[for_float], offset + ends[for_float])
    return values


def _walk_columns(
    characters: Characters, ends: Indices, lengths: Characters
) -> tuple[NDArray[np.int64], Characters, Characters]:
    """Digits as one integer (the point counted as 0), place of the point, count of other characters."""
    index = ends.copy()
    count = len(ends)
    places, product = np.zeros(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    points, marks = np.zeros(count, dtype=np.uint8), np.zeros(count, dtype=np.uint8)
    column = np.empty(count, dtype=np.uint8)
    for place in range(min(int(lengths.max()), _LONGEST)):
        index -= 1
        # Left of the first word the index is clipped; what is read there is masked below.
        np.take(characters, index, out=column, mode="clip")
        inside = (lengths > place).view(np.uint8)
        column -= np.uint8(ord("0"))
        digit = (column < 10).view(np.uint8) & inside
        points += ((column == 254).view(np.uint8) & inside) * np.uint8(place + 1)
        marks += digit ^ inside
        column *= digit
        # The type is named: NumPy 1 would multiply by a small power of ten in 8 bits.
        places += np.multiply(column, 10**place, out=product, dtype=np.int64)
    return places, points, marks


def _without_point(places: NDArray[np.int64], points: Characters) -> NDArray[np.int64]:
    """Close the gap that the decimal point left among the digits.

    The gap's own digit is 0, so the quotient's fraction stays below a tenth and rounding
    never carries it to the next integer.
    """
    left = np.floor(places / np.take(_LEFT_OF_POINT, points, mode="clip")).astype(np.int64)
    mantissas: NDArray[np.int64] = places - left * np.take(_NINES, points, mode="clip")
    return mantissas


def _read_by_float(text: bytes, starts: Any, ends: Any) -> Array:
    """Read words one by one; checked all at once, since a whole file may need this way."""
    words = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    if not b"".join(words).translate(None, _NUMBER_CHARACTERS):
        with contextlib.suppress(ValueError):
            values = np.array([float(word) for word in words])
            if np.isfinite(values).all():
                return values
    wrong = next(index for index, word in enumerate(words) if read_number(word) is None)
    raise NotANumberError(int(starts[wrong]))
