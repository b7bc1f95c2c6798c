"""What the panel Retarget shows: sources that can be chosen, and what came of the last time."""

from __future__ import annotations

import bpy
from motion_editing.motion_editing_addon.retarget.report_layout import report_notes, report_rows
from motion_editing.motion_editing_addon.retarget.reports import result_text
from motion_editing.motion_editing_addon.retarget.settings import sources_for
from retarget_figures import figure_like, retargeted


def test_the_panel_shows_short_rows_and_names_the_worst(walker, small):
    small.motion_editing_retarget.pairs.clear()
    retargeted(source="Sample", way="CHOSEN", way_scale=3.0, lowering=0.0)
    report = small.motion_editing_retarget.report
    rows, notes = dict(report_rows(report)), report_notes(report)
    assert report.missed > 0
    assert rows["Not Reached"] == str(report.missed)
    assert notes[0] == f"Worst: {report.missed_text}"
    assert rows["Slide Before"].startswith(f"{report.slide_before:.2f} m (")
    assert report.missed_text.endswith(" mm")


def test_only_other_armatures_with_an_action_are_offered_as_sources(walker, small):
    figure_like(walker, 1.0, name="Idle")
    camera = bpy.data.objects.new("Camera", None)
    camera.keyframe_insert("location", frame=1)
    assert sources_for(small) == ["Sample"]
    assert sources_for(walker) == []


def test_of_a_figure_without_feet_no_slide_is_told(walker):
    bpy.ops.object.armature_add()
    retargeted(source="Sample")
    report = bpy.context.object.motion_editing_retarget.report
    assert result_text(report).startswith("Retargeted 1 bone over 178 frames")
    assert "slide" not in result_text(report)
    assert [name for name, _ in report_rows(report)] == ["Action", "Bones", "Not Reached"]
