"""The annotated extremes: of the untouched half alone, and within their clips."""

from __future__ import annotations

import json
from pathlib import Path

from quality.clips import UNTOUCHED, half_of

EXTREMES = json.loads((Path(__file__).resolve().parents[2] / "quality" / "extremes.json").read_text(encoding="utf-8"))


def test_twenty_clips_of_the_untouched_half_are_annotated():
    assert len(EXTREMES["clips"]) == 20
    assert all(half_of(name) == UNTOUCHED for name in EXTREMES["clips"])


def test_rows_are_in_order_and_leave_the_reference_pose_alone():
    for clip in EXTREMES["clips"].values():
        for rows in (*clip["events"].values(), *clip["reversals"].values()):
            assert rows == sorted(rows)
            assert rows[0] > 0
