"""When moments of a clip were, over when they are now, as a plot in SVG."""

from __future__ import annotations

from collections.abc import Sequence

_WIDTH, _HEIGHT = 460.0, 230.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 440.0, 24.0, 190.0
_MOST_TICKS = 8


def timing_plot(timing: Sequence[Sequence[float]]) -> str:
    """The plot.

    Args:
        timing: (2, N) seconds now, and before, of the same moments.
    """
    new, old = timing
    last_new, last_old = max(*new, 1e-6), max(*old, 1e-6)
    points = " ".join(f"{_across(n, last_new):.1f},{_up(o, last_old):.1f}" for n, o in zip(new, old, strict=True))
    even = f"x1='{_LEFT}' y1='{_BOTTOM}' x2='{_RIGHT}' y2='{_TOP}'"
    parts = [
        f"<svg viewBox='0 0 {_WIDTH:g} {_HEIGHT:g}' width='{_WIDTH:g}' role='img' aria-label='Timing'>",
        *_ticks(last_new, last_old),
        f"<line {even} stroke='#bbb' stroke-dasharray='4 4'/>",
        f"<polyline points='{points}' fill='none' stroke='#2a7398' stroke-width='2'/>",
        f"<text x='{_LEFT}' y='14'>seconds before; steep is fast, the dashed line is even</text>",
        f"<text x='{_RIGHT}' y='{_BOTTOM + 34}' text-anchor='end'>seconds now</text></svg>",
    ]
    return "".join(parts)


def _across(seconds: float, last: float) -> float:
    return _LEFT + seconds / last * (_RIGHT - _LEFT)


def _up(seconds: float, last: float) -> float:
    return _BOTTOM - seconds / last * (_BOTTOM - _TOP)


def _ticks(last_new: float, last_old: float) -> list[str]:
    """Lines at whole seconds, or at tenths of short clips, with their numbers."""
    parts = []
    for second in _round_seconds(last_new):
        place = _across(second, last_new)
        parts.append(f"<line x1='{place:.1f}' y1='{_TOP}' x2='{place:.1f}' y2='{_BOTTOM}' stroke='#e2dfd8'/>")
        parts.append(f"<text x='{place:.1f}' y='{_BOTTOM + 16}' text-anchor='middle'>{second:g}</text>")
    for second in _round_seconds(last_old):
        place = _up(second, last_old)
        parts.append(f"<line x1='{_LEFT}' y1='{place:.1f}' x2='{_RIGHT}' y2='{place:.1f}' stroke='#e2dfd8'/>")
        parts.append(f"<text x='{_LEFT - 6}' y='{place + 4:.1f}' text-anchor='end'>{second:g}</text>")
    return parts


def _round_seconds(last: float) -> list[float]:
    step = 0.1
    for factor in (2.0, 2.5, 2.0) * 8:
        if last / step <= _MOST_TICKS:
            break
        step *= factor
    return [round(number * step, 3) for number in range(int(last / step + 1e-9) + 1)]
