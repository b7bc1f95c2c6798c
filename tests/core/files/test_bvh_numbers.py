"""The fast number reader gives, bit for bit, what float() gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.files import bvh_numbers
from core.files.bvh_numbers import NotANumberError, parse_numbers, read_number

finite = st.floats(allow_nan=False, allow_infinity=False)
usual = st.floats(-1e6, 1e6)
written_numbers = st.one_of(
    finite.map(repr),
    st.tuples(usual, st.integers(0, 20)).map(lambda pair: f"{pair[0]:.{pair[1]}f}"),
    st.tuples(usual, st.integers(0, 20)).map(lambda pair: f"{pair[0]:+.{pair[1]}e}"),
    st.integers(-(10**19), 10**19).map(str),
    st.from_regex(r"\A[+-]?([0-9]{1,20}\.?|[0-9]{0,10}\.[0-9]{1,20})([eE][+-]?[0-9]{1,2})?\Z"),
)
blanks = st.sampled_from([" ", "  ", "\t", "\n", "\r\n", "\r", " \n\n\t"])


def bits(values):
    return np.asarray(values, dtype=np.float64).view(np.int64)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(written_numbers, blanks), max_size=40), blanks)
def test_agrees_with_float_in_every_bit(pairs, lead):
    text = (lead + "".join(number + blank for number, blank in pairs)).encode()
    expected = [float(number) for number, _ in pairs]
    np.testing.assert_array_equal(bits(parse_numbers(text).values), bits(expected))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(written_numbers, blanks), max_size=40), st.integers(1, 30))
def test_where_the_text_is_cut_into_chunks_does_not_matter(pairs, size):
    text = "".join(number + blank for number, blank in pairs).encode()
    whole = parse_numbers(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bvh_numbers, "_CHUNK", size)
        parts = parse_numbers(text)
    np.testing.assert_array_equal(bits(parts.values), bits(whole.values))
    np.testing.assert_array_equal(parts.line_ends, whole.line_ends)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(written_numbers, blanks), max_size=40))
def test_line_ends_agree_with_splitting_the_lines(pairs):
    text = "".join(number + blank for number, blank in pairs)
    lengths = [len(line.split()) for line in text.splitlines() if line.strip()]
    assert parse_numbers(text.encode()).line_ends.tolist() == np.cumsum(lengths, dtype=int).tolist()


def test_every_last_digit_is_right_where_the_mantissa_fills_a_float():
    words = [f"{sign}{mantissa}.{tail}" for sign in ("", "-") for mantissa in (9007199254740, 900719925474)
             for tail in ("991", "992", "993", "0", "00", "995", "")]  # fmt: skip
    values = parse_numbers(" ".join(words).encode()).values
    np.testing.assert_array_equal(bits(values), bits([float(word) for word in words]))


def test_reading_starts_at_the_given_byte():
    assert parse_numbers(b"MOTION 1 2 3", 6).values.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    "word",
    ["nan", "-inf", "infinity", "1_000", "0,5", "1.2.3", "--1", "1-2", "+-3", ".", "-", "e5", "1e", "0x10",
     "1.#QNAN", "1e999", "1/2", "12:", "\x000", "٣", "1" * 400, "9" * 300 + "e99"],
)  # fmt: skip
def test_what_is_no_finite_number_is_refused_at_its_place(word):
    text = f"1.5 -2\n 3 {word} 4".encode()
    with pytest.raises(NotANumberError) as refusal:
        parse_numbers(text)
    assert refusal.value.position == text.index(word.encode(), 9)
    assert read_number(word.encode()) is None
