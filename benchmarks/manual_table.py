"""Tables in the manual that a benchmark writes."""

from __future__ import annotations

from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"


def write_table(page: str, heading: str, table: str) -> None:
    """Put a table in place of the first one below a heading of a page."""
    path = DOCS / page
    before, found, after = path.read_text(encoding="utf-8").partition(heading)
    if not found:
        raise SystemExit(f"error: docs/{page} has no heading {heading!r}")
    lines = after.split("\n")
    rows = [number for number, line in enumerate(lines) if line.startswith("|")]
    last = next(number for number in rows if number + 1 not in rows)
    lines[rows[0] : last + 1] = table.split("\n")
    path.write_text(before + heading + "\n".join(lines), encoding="utf-8")
