"""`report`: one page about a run, with everything in it, to look through a night's work."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from ...core.errors import FileWriteError
from .planning import PlanError
from .records import Records
from .replacing import write_text
from .report_style import STYLE
from .timing_plot import timing_plot

_HEADINGS = ("clip", "frames", "seconds", "keys", "largest turn", "largest move", "foot slide", "took")


def write_report(folder: Path, to: Path | None = None) -> Path:
    """Write the page; gives its path.

    Raises:
        PlanError: No run has written into this folder.
        FileWriteError: The page cannot be written.
    """
    records = list(Records(folder).all())
    if not records:
        raise PlanError(f"{folder}: no run has written here; give the folder of --out")
    path = to or folder / "report.html"
    try:
        write_text(path, page(records, title=folder.absolute().name))
    except OSError as error:
        raise FileWriteError(f"{path}: cannot be written: {error.strerror}") from None
    return path


def page(records: list[dict[str, Any]], *, title: str) -> str:
    """The page as HTML."""
    failed = [record for record in records if "error" in record]
    done = [record for record in records if "error" not in record]
    parts = [
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(title)}</title>",
        f"<style>{STYLE}</style><h1>{escape(title)}</h1>",
        f"<p>{len(done)} files edited, {len(failed)} failed.</p>",
        *_failures(failed),
        *_table(done),
        *(section for number, record in enumerate(done) for section in _sections(number, record)),
    ]
    return "\n".join(parts) + "</html>\n"


def _failures(failed: list[dict[str, Any]]) -> Iterator[str]:
    if failed:
        yield "<h2>Failed</h2><ul class='failed'>"
        for record in failed:
            yield f"<li><b>{escape(record['target'])}</b>: {escape(record['error'])}</li>"
        yield "</ul>"


def _table(done: list[dict[str, Any]]) -> Iterator[str]:
    if not done:
        return
    yield "<h2>Numbers</h2><table><thead><tr>"
    yield "".join(f"<th>{heading}</th>" for heading in _HEADINGS)
    yield "</tr></thead><tbody>"
    for number, record in enumerate(done):
        for index, clip in enumerate(record["clips"]):
            cells = _cells(record, clip)
            name = f"<a href='#clip-{number}-{index}'>{escape(_name(record, clip))}</a>"
            yield f"<tr><td>{name}</td>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
    yield "</tbody></table><p class='note'>Lengths are in scene units, and in % of the body's height.</p>"


def _name(record: dict[str, Any], clip: dict[str, Any]) -> str:
    stem = Path(record["target"]).stem
    return record["target"] if clip["action"] == stem else f"{record['target']}: {clip['action']}"


def _cells(record: dict[str, Any], clip: dict[str, Any]) -> list[str]:
    height = clip["height"]
    # Moments of a retimed clip are found by comparing poses, so that its changes are known roughly.
    about = "≈ " if clip["frames_before"] != clip["frames_after"] else ""
    return [
        _change(clip, "frames"),
        _change(clip, "length"),
        _change(clip, "keys"),
        "" if clip["turned"] is None else f"{about}{clip['turned']:.1f}°",
        "" if clip["moved"] is None else f"{about}{_length(clip['moved'], height)} {clip['moved_joint']}",
        _slides(clip, height),
        f"{record['seconds'] / len(record['clips']):.1f} s",
    ]


def _change(clip: dict[str, Any], name: str) -> str:
    before, after = clip[f"{name}_before"], clip[f"{name}_after"]
    return f"{before:g}" if before == after else f"{before:g} → {after:g}"


def _slides(clip: dict[str, Any], height: float) -> str:
    before, after = clip["slide_before"], clip["slide_after"]
    if before is None or after is None:
        return "feet not known"
    return f"{_length(before, height)} → {_length(after, height)}"


def _length(value: float, height: float) -> str:
    return f"{value:.3g}" + (f" ({100.0 * value / height:.1f} %)" if height else "")


def _sections(number: int, record: dict[str, Any]) -> Iterator[str]:
    for index, (clip, pictures) in enumerate(zip(record["clips"], record["pictures"], strict=True)):
        name = escape(_name(record, clip))
        yield f"<section id='clip-{number}-{index}'><h3>{name}</h3>"
        if "poses" in pictures:
            text = f"{name}: poses before and after"
            yield f"<img alt='{text}' src='data:image/png;base64,{pictures['poses']}'>"
        if "timing" in pictures:
            yield timing_plot(pictures["timing"])
        facts = zip(_HEADINGS[1:], _cells(record, clip), strict=True)
        yield f"<p>{' · '.join(f'{heading} {escape(cell)}' for heading, cell in facts if cell)}</p></section>"
