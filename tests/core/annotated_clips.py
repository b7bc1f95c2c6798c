"""The annotated clips: motions at their true rate, and what people saw happen in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from core.body import Body, find_body
from core.files.bvh import read_bvh
from core.motion.motion import Motion
from core.motion.reference_frame import leading_reference_frames
from core.numerics.quaternion import Array

# Events this near to the first or last frame are the clip's cut, not something that happens.
_CUT = 0.05


@dataclass(frozen=True, eq=False)
class AnnotatedClip:
    """A clip without its reference pose; rows of the annotations are `lead` higher than its frames."""

    name: str
    motion: Motion
    body: Body
    lead: int
    notes: dict[str, Any]

    def foot_contacts(self, side: str) -> Array:
        """(F,) whether the 'left' or 'right' foot, ankle or toe, is down."""
        down = np.zeros(len(self.motion) + self.lead, dtype=bool)
        for first, last in self.notes["foot_contacts"][side]:
            down[first : last + 1] = True
        return down[self.lead :]

    def events(self) -> Array:
        """(N,) seconds of contact changes and extremes between the first and last frame."""
        frames = np.unique(np.array(list(_event_rows(self.notes)), dtype=int) - self.lead)
        times = frames / self.motion.rate
        end = self.motion.times[-1] - self.motion.times[0]
        return times[(times > _CUT) & (times < end - _CUT)]


def _event_rows(notes: dict[str, Any]) -> Iterator[int]:
    for side in ("left", "right"):
        for span in notes.get("foot_contacts", {}).get(side, []):
            yield from span
    jumps, punches, sits = (notes.get(kind, {}) for kind in ("jumps", "punches", "sits"))
    for jump in jumps.get("events", []):
        yield from (jump["takeoff"], jump["apex"], jump["landing"])
    for group in jumps.get("groups", []):
        yield from group["apex"]
    for key in ("rows_of_full_extension", "fast_extensions_left", "fast_extensions_right"):
        yield from punches.get(key, [])
    for key in ("seated_rows", "standing_rows"):
        for span in sits.get(key, []):
            yield from span
    for kind, key in (
        ("throws", "fastest_wrist_row"),
        ("cartwheels", "most_inverted_row"),
        ("bends", "lowest_hands_row"),
    ):
        yield from notes.get(kind, {}).get(key, [])


@cache
def annotated_clips(folder: Path) -> tuple[AnnotatedClip, ...]:
    """All annotated clips of the folder, each read once."""
    notes = json.loads((folder / "dev" / "annotations.json").read_text(encoding="utf-8"))["clips"]
    return tuple(_clip(folder, name, notes[name]) for name in notes)


def _clip(folder: Path, name: str, notes: dict[str, Any]) -> AnnotatedClip:
    read = read_bvh(folder / name).to_motion()
    motion = Motion.build(
        read.skeleton, np.array(read.rotations), rate=float(notes["fps"]["true"]), locations=np.array(read.locations)
    )
    body = find_body(motion.skeleton, motion=motion)
    lead = leading_reference_frames(motion)
    return AnnotatedClip(Path(name).stem, motion.part(lead, len(motion)), body, lead, notes)


def evenly_spaced(times: Array) -> Array:
    """As many times between the same ends, all equally far apart."""
    return np.linspace(times[0], times[-1], len(times))


@dataclass
class Score:
    """Counts of found and wanted things, added up over clips."""

    hits: int = 0
    found: int = 0
    met: int = 0
    wanted: int = 0

    @property
    def precision(self) -> float:
        """Share of what was found that is right."""
        return self.hits / max(1, self.found)

    @property
    def recall(self) -> float:
        """Share of what was wanted that was found."""
        return self.met / max(1, self.wanted)

    def add_times(self, found: Any, wanted: Any, tolerance: float) -> None:
        """Count times that have one of the other kind within the tolerance, in seconds."""
        found, wanted = np.asarray(found, dtype=float), np.asarray(wanted, dtype=float)
        near = np.abs(found[:, None] - wanted) <= tolerance
        self.hits, self.found = self.hits + int(near.any(axis=1).sum()), self.found + len(found)
        self.met, self.wanted = self.met + int(near.any(axis=0).sum()), self.wanted + len(wanted)

    def add_frames(self, found: Any, wanted: Any) -> None:
        """Count frames of two masks."""
        both = int((found & wanted).sum())
        self.hits, self.found = self.hits + both, self.found + int(found.sum())
        self.met, self.wanted = self.met + both, self.wanted + int(wanted.sum())
