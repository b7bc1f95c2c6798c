"""Text drawn with strokes: a plain one-line alphabet of our own, small letters as small capitals."""

from itertools import pairwise

from .canvas import Canvas, Colour

# Every glyph is a list of polylines separated by blanks. A point is two digits: x from 0 (left)
# to 4 (right), y from 0 (base line) to 6 (top of a capital).
_GLYPHS = {
    "A": "002640 1242",
    "B": "03334536060030414233",
    "C": "4536160501103041",
    "D": "00062645412000",
    "E": "46060040 0333",
    "F": "460600 0333",
    "G": "45361605011030414323",
    "H": "0006 4046 0343",
    "I": "2026 1030 1636",
    "J": "4641301001",
    "K": "0006 4603 1440",
    "L": "060040",
    "M": "0006234640",
    "N": "00064046",
    "O": "103041453616050110",
    "P": "00063645443303",
    "Q": "103041453616050110 2240",
    "R": "00063645443303 2340",
    "S": "453616050413334241301001",
    "T": "0646 2620",
    "U": "060110304146",
    "V": "062046",
    "W": "0610243046",
    "X": "0046 0640",
    "Y": "062346 2320",
    "Z": "06460040",
    "0": "103041453616050110 1135",
    "1": "152620 1030",
    "2": "05163645440040",
    "3": "0516364544334241301001 1333",
    "4": "30360242",
    "5": "460603334241301001",
    "6": "4536160501103041423303",
    "7": "064610",
    "8": "13334445361605041302011030414233",
    "9": "0110304145361605041333 3344",
    ".": "2020",
    ",": "2110",
    ":": "2121 2424",
    "-": "1333",
    "+": "1333 2224",
    "=": "1232 1434",
    "/": "0046",
    "%": "0046 1515 3131",
    "(": "36242230",
    ")": "16242210",
    ">": "153311",
    "<": "351331",
    "_": "0040",
    "'": "2625",
    "#": "1016 3036 0242 0444",
    "?": "0516364544232221 2020",
    "!": "2622 2020",
}
_ADVANCE = 5.6 / 6.0
_SPACE = 3.4 / 6.0
_SMALL = 0.76


def text_width(text: str, size: float) -> float:
    """Width in pixels of a line whose capitals are `size` pixels high."""
    return sum(_advance(letter, size) for letter in text) - (_ADVANCE - 4.0 / 6.0) * size


def draw_text(
    canvas: Canvas, text: str, place: tuple[float, float], *, size: float, colour: Colour, align: float = 0.0
) -> None:
    """Write one line.

    Args:
        text: Letters that the alphabet lacks are drawn as a box.
        place: Left end of the base line, in pixels.
        size: Height of a capital in pixels.
        colour: Of the strokes.
        align: Part of the width by which the text is moved left: 0.5 centres it, 1 ends it there.
    """
    pen = place[0] - align * text_width(text, size)
    for letter in text:
        height = size * (_SMALL if letter.islower() else 1.0)
        for line in _polylines(letter):
            points = [(pen + x * height / 6.0, place[1] - y * height / 6.0) for x, y in line]
            for start, end in pairwise(points):
                canvas.stroke(start, end, 0.055 * size + 0.25, colour)
        pen += _advance(letter, size)


def _advance(letter: str, size: float) -> float:
    if letter == " ":
        return _SPACE * size
    return _ADVANCE * size * (_SMALL if letter.islower() else 1.0)


def _polylines(letter: str) -> list[list[tuple[int, int]]]:
    if letter == " ":
        return []
    strokes = _GLYPHS.get(letter.upper(), "0006464000")
    return [[(int(a), int(b)) for a, b in zip(s[::2], s[1::2], strict=True)] for s in strokes.split()]
