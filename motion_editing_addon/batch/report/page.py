"""`report`: one page about a run, with everything in it, to look through a night's work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ....core.errors import FileWriteError
from ..formats.file_replacement import write_text
from ..running.plan import PlanError
from ..running.records import Records, warnings_of
from .numbers import HEADINGS, SLIDE, Number, numbers_of
from .style import SORTING, STYLE
from .timing_plot import timing_plot

Record = dict[str, Any]


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


def page(records: list[Record], *, title: str) -> str:
    """The page as HTML."""
    failures = [failure for record in records for failure in _failures(record)]
    done = [record for record in records if "error" not in record]
    parts = [
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(title)}</title>",
        "<meta name='viewport' content='width=device-width'>",
        f"<style>{STYLE}</style><h1>{escape(title)}</h1>",
        *_recipes(done),
        *_tiles(done, failures),
        *_failed(failures),
        *_table(done),
        *(section for number, record in enumerate(done) for section in _sections(number, record)),
    ]
    return "\n".join(parts) + f"<script>{SORTING}</script></html>\n"


def _recipes(done: list[Record]) -> Iterator[str]:
    """With what the results were made: one recipe, or several if later runs had others."""
    for title, edits in sorted({(record["recipe"], " → ".join(record["edits"])) for record in done}):
        yield f"<p class='soft'>{escape(title)}: {escape(edits)}</p>"


def _failures(record: Record) -> Iterator[tuple[str, str]]:
    """What could not be done, the file or some of its actions, and why."""
    if "error" in record:
        yield record["target"], record["error"]
    for part in record.get("failures", ()):
        yield f"{record['target']}: {part['action']}", part["error"]


def _tiles(done: list[Record], failures: list[tuple[str, str]]) -> Iterator[str]:
    clips = [clip for record in done for clip in record["clips"]]
    sliding = sum(
        numbers_of(record, clip)[HEADINGS.index(SLIDE)].striking for record in done for clip in record["clips"]
    )
    tiles = [
        (len(done), "files edited", ""),
        (len(failures), "failed", "bad" if failures else ""),
        (len(clips), "clips", ""),
        (_duration(sum(clip["length_after"] for clip in clips)), "of motion", ""),
        (sliding, "with more foot slide", "bad" if sliding else ""),
        (sum(bool(warnings_of(record)) for record in done), "files with warnings", ""),
        (_duration(sum(record["seconds"] for record in done)), "of work", ""),
    ]
    yield "<ul class='tiles'>"
    for value, text, kind in tiles:
        yield f"<li class='{kind}'><b>{value}</b>{text}</li>"
    yield "</ul>"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{seconds:.1f} s"


def _failed(failures: list[tuple[str, str]]) -> Iterator[str]:
    if failures:
        yield "<h2>Failed</h2><ul class='failed'>"
        for name, reason in failures:
            yield f"<li><b>{escape(name)}</b>: {escape(reason)}</li>"
        yield "</ul>"


def _table(done: list[Record]) -> Iterator[str]:
    if not done:
        return
    yield "<h2>Clips</h2><div class='table'><table><thead><tr>"
    yield "".join(f"<th>{heading}</th>" for heading in ("clip", *HEADINGS))
    yield "</tr></thead><tbody>"
    for number, record in enumerate(done):
        for index, clip in enumerate(record["clips"]):
            name = f"<a href='#clip-{number}-{index}'>{escape(_name(record, clip))}</a>"
            yield f"<tr><td>{name}</td>{''.join(map(_cell, numbers_of(record, clip)))}</tr>"
    yield "</tbody></table></div><p class='soft'>Moves and slides are parts of the body's height. "
    yield "Hold the mouse over a number for more; click a heading to sort.</p>"


def _cell(number: Number) -> str:
    value = "" if number.value is None else f"{number.value:.6g}"
    return f"<td data-value='{value}'{_marks(number)}>{escape(number.text)}</td>"


def _marks(number: Number) -> str:
    title = f" title='{escape(number.more)}'" if number.more else ""
    return title + (" class='striking'" if number.striking else "")


def _name(record: Record, clip: dict[str, Any]) -> str:
    stem = Path(record["target"]).stem
    return record["target"] if clip["action"] == stem else f"{record['target']}: {clip['action']}"


def _sections(number: int, record: Record) -> Iterator[str]:
    for index, (clip, pictures) in enumerate(zip(record["clips"], record["pictures"], strict=True)):
        name = escape(_name(record, clip))
        yield f"<section id='clip-{number}-{index}'><h3>{name}</h3><div class='views'>"
        images = [f"<img alt='Poses' src='data:image/png;base64,{picture}'>" for picture in pictures.get("poses", ())]
        yield f"<figure class='poses'>{''.join(images)}</figure>" if images else ""
        yield f"<figure>{timing_plot(pictures['timing'])}</figure>" if "timing" in pictures else ""
        facts = zip(HEADINGS, numbers_of(record, clip), strict=True)
        yield f"</div><dl>{''.join(_fact(heading, each) for heading, each in facts if each.value is not None)}</dl>"
        yield from _steps(clip.get("steps", ()))
        yield from _warnings([*record.get("warnings", ()), *clip.get("warnings", ())])
        yield "</section>"


def _steps(steps: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What each step did, where there are several."""
    if len(steps) > 1:
        rows = (f"<li><b>{escape(step['edit'])}</b>: {escape(step['text'])}</li>" for step in steps)
        yield f"<ol class='steps'>{''.join(rows)}</ol>"


def _warnings(warnings: list[str]) -> Iterator[str]:
    if warnings:
        yield f"<ul class='warnings'>{''.join(f'<li>{escape(warning)}</li>' for warning in warnings)}</ul>"


def _fact(heading: str, number: Number) -> str:
    return f"<div><dt>{heading}</dt><dd{_marks(number)}>{escape(number.text)}</dd></div>"
